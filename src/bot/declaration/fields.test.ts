import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { commands } from '../../../commands/index.ts';
import { PROFILES } from '../../service/profiles.ts';
import { type Command, defineCommand } from './command.ts';
import { describeCommand } from './options.ts';

const described = (command: Command) => describeCommand(command, PROFILES.easel.capabilities);

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

describe('the description of a command', () => {
	test('names the options, required ones first', () => {
		const signature = (name: string) =>
			described(named(name)).fields.map((field) => (field.required ? field.name : `[${field.name}]`));
		expect(signature('imagine')).toEqual(['prompt', '[size]', '[background]', '[n]', '[model]', '[private]']);
		expect(signature('edit')).toEqual(['image', 'prompt', '[n]', '[model]', '[private]']);
		expect(signature('compose')).toEqual(['image1', 'image2', 'prompt', '[image3]', '[size]', '[n]', '[private]']);
	});

	test('has the kind and the bounds of each option', () => {
		const [image, prompt, n] = described(named('edit')).fields;
		expect(image).toMatchObject({ kind: 'picture', required: true });
		expect(prompt).toMatchObject({ kind: 'text', minLength: 1, maxLength: 2000 });
		expect(n).toMatchObject({ kind: 'integer', min: 1, max: 4 });
	});

	test('has no more pictures than one call of the service makes', () => {
		const few = describeCommand(named('imagine'), { ...PROFILES.easel.capabilities, maxPictures: 1 });
		expect(few.fields.find(({ name }) => name === 'n')).toMatchObject({ min: 1, max: 1 });
	});

	test('suggests the examples of an option', () => {
		const fields = described(named('limits settings')).fields;
		expect(fields.find(({ name }) => name === 'time_zone')).toMatchObject({
			suggestions: expect.arrayContaining(['UTC', 'Europe/Berlin']),
		});
	});

	test.each([
		['an unknown kind', 'list', z.array(z.string()).describe('usage.options.member')],
		['a text without a maximum length', 'words', z.string().describe('usage.options.member')],
		['a number without bounds', 'count', z.number().describe('usage.options.member')],
		['a missing description', 'words', z.string().max(5)],
		['a description that is no message', 'words', z.string().max(5).describe('Words')],
	])('throws for %s, and names the command and the option', (_, name, schema) => {
		expect(() => described(withOption(name, schema)).fields).toThrow(`/try ${name}`);
	});

	test('throws for options that let undeclared ones pass', () => {
		const loose = { ...named('models'), options: z.looseObject({}) };
		expect(() => described(loose as Command).fields).toThrow('/models: options must be a z.strictObject');
	});

	test('throws for a name that a platform does not allow', () => {
		const badlyNamed = withOption('Bad Name', z.boolean().describe('usage.options.member'));
		expect(() => described(badlyNamed).fields).toThrow('/try Bad Name');
	});
});
