import { expect, describe as suite, test } from 'vitest';
import { z } from 'zod';
import { commands } from '../../../commands/index.ts';
import { translatorFor } from '../../i18n/translator.ts';
import { easelProfile } from '../../service/profiles/easel.ts';
import { type Command, defineCommand, picture } from './command.ts';
import { describe as describeFor, sentenceFor, typed } from './fields.ts';

const describe = (command: Command) => describeFor(command, easelProfile.capabilities);

const withOption = (name: string, schema: z.ZodType) =>
	defineCommand({
		name: 'try',
		description: 'usage.description',
		makes: 'answer',
		options: z.strictObject({ [name]: schema }),
		run: async () => ({ text: 'done' }),
	});

const named = (name: string) => {
	const command = commands.find((other) => other.name === name);
	if (!command) throw new Error(`no /${name}`);
	return command;
};

suite('a command is described from its declaration', () => {
	test('every command has the options that people know, required ones first', () => {
		const signature = (name: string) =>
			describe(named(name)).fields.map((field) => (field.required ? field.name : `[${field.name}]`));
		expect(signature('imagine')).toEqual(['prompt', '[size]', '[n]', '[model]', '[private]']);
		expect(signature('edit')).toEqual(['image', 'prompt', '[n]', '[model]', '[private]']);
		expect(signature('compose')).toEqual(['image1', 'image2', 'prompt', '[image3]', '[size]', '[n]', '[private]']);
	});

	test('kinds and bounds come with it', () => {
		const [image, prompt, n] = describe(named('edit')).fields;
		expect(image).toMatchObject({ kind: 'picture', required: true });
		expect(prompt).toMatchObject({ kind: 'text', minLength: 1, maxLength: 2000 });
		expect(n).toMatchObject({ kind: 'integer', min: 1, max: 4 });
	});

	test.each([
		['an unknown kind', 'list', z.array(z.string()).describe('usage.options.member')],
		['a text without end', 'words', z.string().describe('usage.options.member')],
		['a number without bounds', 'count', z.number().describe('usage.options.member')],
		['no description', 'words', z.string().max(5)],
		['a description that is no message', 'words', z.string().max(5).describe('Words')],
	])('%s throws at start and names command and option', (_, name, schema) => {
		expect(() => describe(withOption(name, schema))).toThrow(`/try ${name}`);
	});

	test('options that let undeclared ones pass throw', () => {
		const loose = { ...named('models'), options: z.looseObject({}) };
		expect(() => describe(loose as Command)).toThrow('/models: options must be a z.strictObject');
	});

	test('a name that a platform would not take throws', () => {
		expect(() => describe(withOption('Bad Name', z.boolean().describe('usage.options.member')))).toThrow(
			'/try Bad Name',
		);
	});
});

suite('options that come as words', () => {
	const { fields } = describe(named('imagine'));

	test('become what the command declares', () => {
		expect(typed(fields, { prompt: 7, n: '3', private: 'yes', size: '', model: null })).toEqual({
			prompt: '7',
			n: 3,
			private: true,
		});
	});

	test('stay as they are where they are something else', () => {
		expect(typed(fields, { n: 'three', private: 'perhaps', colour: 'red' })).toEqual({
			n: 'three',
			private: 'perhaps',
			colour: 'red',
		});
	});
});

suite('what is wrong with options is told in one sentence', () => {
	const sentence = (name: string, raw: Record<string, unknown>) => {
		const { error } = named(name).options.safeParse(raw);
		return error && sentenceFor(translatorFor('en'), error, raw);
	};
	const image = { name: 'a.png', read: async () => new Uint8Array() };

	test.each([
		['imagine', {}, '`prompt` is missing.'],
		['imagine', { prompt: '   ' }, '`prompt` is empty.'],
		['imagine', { prompt: 'x'.repeat(2001) }, '`prompt` has 2001 characters; at most 2000 are allowed.'],
		['imagine', { prompt: 7 }, '`prompt` is not a text.'],
		['imagine', { prompt: 'a \u0000 fox' }, '`prompt` has a control character.'],
		['imagine', { prompt: 'a \ud83d fox' }, '`prompt` has a broken character (half of a surrogate pair).'],
		['imagine', { prompt: 'fox', n: 5 }, '`n` is at most 4; you gave 5.'],
		['imagine', { prompt: 'fox', n: 0 }, '`n` is at least 1; you gave 0.'],
		['imagine', { prompt: 'fox', n: 1.5 }, '`n` is not a whole number.'],
		['imagine', { prompt: 'fox', n: 'two' }, '`n` is not a whole number.'],
		['imagine', { prompt: 'fox', private: 'perhaps' }, '`private` is not yes or no.'],
		['imagine', { prompt: 'fox', size: 'big' }, '`size` is width x height, each 64 to 4096, such as 1024x1024.'],
		['imagine', { prompt: 'fox', size: '9999x9999' }, '`size` is width x height, each 64 to 4096, such as 1024x1024.'],
		['imagine', { prompt: 'fox', model: 'a b' }, '`model` is not the name of a model; /models lists them.'],
		['imagine', { prompt: 'fox', colour: 'red' }, 'There is no option `colour`.'],
		['edit', { prompt: 'fox' }, '`image` is missing.'],
		['edit', { prompt: 'fox', image: 'fox.png' }, '`image` is not a picture file.'],
		['compose', { prompt: 'fox', image1: image }, '`image2` is missing.'],
	])('/%s, case %#', (name, raw, expected) => {
		expect(sentence(name, raw)).toBe(expected);
	});

	test('what is right passes', () => {
		expect(sentence('edit', { prompt: 'a\nfox', image })).toBeUndefined();
	});

	test('a picture option takes what can be read', () => {
		expect(picture('edit.options.image').safeParse(image).success).toBe(true);
	});
});
