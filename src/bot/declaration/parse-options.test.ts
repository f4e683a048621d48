import { describe, expect, test } from 'vitest';
import { commands } from '../../../commands/index.ts';
import { PROFILES } from '../../service/profiles.ts';
import { coerceOptions, describeCommand, optionRefusal, picture } from './options.ts';

const named = (name: string) => {
	const command = commands.find((other) => other.name === name);
	if (!command) throw new Error(`no /${name}`);
	return command;
};

describe('options that are text', () => {
	const { fields } = describeCommand(named('imagine'), PROFILES.easel.capabilities);

	test('become the declared kinds', () => {
		expect(coerceOptions(fields, { prompt: 7, n: '3', private: 'yes', size: '', model: null })).toEqual({
			prompt: '7',
			n: 3,
			private: true,
		});
	});

	test('stay as they are when they are not of the declared kind', () => {
		expect(coerceOptions(fields, { n: 'three', private: 'perhaps', colour: 'red' })).toEqual({
			n: 'three',
			private: 'perhaps',
			colour: 'red',
		});
	});
});

test.each([
	['1024 × 768', '1024x768'],
	['1024*768px', '1024x768'],
	['16x9', '1360x768'],
	['16/9', '1360x768'],
	['16：9', '1360x768'],
	['16x9 2k', '16:9 2K'],
	['64x64', '64x64'],
])('the size %s is read as %s', (size, read) => {
	expect(named('imagine').options.parse({ prompt: 'a fox', size })).toMatchObject({ size: read });
});

describe('the error message of options', () => {
	const sentence = (name: string, raw: Record<string, unknown>) => {
		const { error } = named(name).options.safeParse(raw);
		return error && optionRefusal(error, raw).message;
	};
	const image = { name: 'a.png', read: async () => new Uint8Array() };

	test.each([
		['imagine', {}, '`prompt` is missing.'],
		['imagine', { prompt: '   ' }, '`prompt` is empty.'],
		['imagine', { prompt: 'x'.repeat(2001) }, '`prompt` has 2,001 characters; the maximum is 2,000.'],
		['imagine', { prompt: '🦊'.repeat(2001) }, '`prompt` has 2,001 characters; the maximum is 2,000.'],
		['imagine', { prompt: 7 }, '`prompt` must be a text.'],
		['imagine', { prompt: 'a \u0000 fox' }, '`prompt` has a control character. Remove it and try again.'],
		['imagine', { prompt: 'a \ud83d fox' }, '`prompt` has a broken character. Remove it and try again.'],
		['imagine', { prompt: 'fox', n: 5 }, '`n` must be at most 4; you gave 5.'],
		['imagine', { prompt: 'fox', n: 0 }, '`n` must be at least 1; you gave 0.'],
		['imagine', { prompt: 'fox', n: 1.5 }, '`n` must be a whole number.'],
		['imagine', { prompt: 'fox', n: 'two' }, '`n` must be a whole number.'],
		['imagine', { prompt: 'fox', private: 'perhaps' }, '`private` must be yes or no.'],
		[
			'imagine',
			{ prompt: 'fox', size: 'big' },
			'`size` must be width x height, each 64 to 4096, such as 1024x1024, a ratio such as 16:9, or square, portrait, landscape, wide or tall.',
		],
		[
			'imagine',
			{ prompt: 'fox', size: '9999x9999' },
			'`size` must be width x height, each 64 to 4096, such as 1024x1024, a ratio such as 16:9, or square, portrait, landscape, wide or tall.',
		],
		['imagine', { prompt: 'fox', model: 'a b' }, '`model` is not the name of a model. /models lists them.'],
		['imagine', { prompt: 'fox', colour: 'red' }, 'There is no option `colour`.'],
		['edit', { prompt: 'fox' }, '`image` is missing.'],
		['edit', { prompt: 'fox', image: 'fox.png' }, '`image` must be a picture file.'],
		['compose', { prompt: 'fox', image1: image }, '`image2` is missing.'],
	])('/%s, case %#', (name, raw, expected) => {
		expect(sentence(name, raw)).toBe(expected);
	});

	test('is undefined for valid options', () => {
		expect(sentence('edit', { prompt: 'a\nfox', image })).toBeUndefined();
	});

	test('a picture option takes an upload', () => {
		expect(picture('edit.options.image').safeParse(image).success).toBe(true);
	});
});
