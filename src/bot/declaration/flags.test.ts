import { expect, test } from 'vitest';
import type { Field } from '../../domain/command.ts';
import { translatorFor } from '../../i18n/translator.ts';
import { coerceOptions, readFlags } from './options.ts';

const text = {
	kind: 'text',
	minLength: 0,
	maxLength: 2000,
	suggestions: [],
	required: false,
	description: '',
} as const;
const FIELDS: readonly Field[] = [
	{ ...text, name: 'prompt' },
	{ ...text, name: 'size', suggestions: ['square', 'wide'] },
	{ name: 'quality', kind: 'choice', choices: ['low', 'high'], required: false, description: '' },
	{ name: 'n', kind: 'integer', min: 1, max: 4, required: false, description: '' },
	{ name: 'private', kind: 'flag', required: false, description: '' },
];

test.each([
	['a fox --ar 16:9', { prompt: 'a fox', size: '16:9' }, undefined],
	['a fox --ar 16:9 4K in 2K', { prompt: 'a fox  in 2K', size: '16:9 4K' }, undefined],
	['a fox --size 2K', { prompt: 'a fox', size: '2K' }, undefined],
	['a fox —ar 2:3 --n 2', { prompt: 'a fox', size: '2:3', n: '2' }, undefined],
	['--private a fox --aspect=wide', { prompt: 'a fox', size: 'wide', private: true }, undefined],
	['a fox --v 6 --stylize 250 --ar 1:1', { prompt: 'a fox', size: '1:1' }, ['--v 6', '--stylize 250']],
	['--tile a fox --style raw', { prompt: 'a fox' }, ['--tile', '--style raw']],
	['a fox size:wide', { prompt: 'a fox', size: 'wide' }, undefined],
	[
		'a fox, size:1024x1024, quality:HIGH n:2',
		{ prompt: 'a fox', size: '1024x1024', quality: 'HIGH', n: '2' },
		undefined,
	],
	['a fox ar:16:9 in the snow', { prompt: 'a fox in the snow', size: '16:9' }, undefined],
	['a sign with size:large and n:many', { prompt: 'a sign with size:large and n:many' }, undefined],
	['a list: quality: high, prompt:me', { prompt: 'a list: quality: high, prompt:me' }, undefined],
	['a fox, wide', { prompt: 'a fox, wide', size: 'wide' }, undefined],
	['a fox in 16:9 format', { prompt: 'a fox in 16:9 format', size: '16:9' }, undefined],
	['a river that is wide', { prompt: 'a river that is wide' }, undefined],
	['a fox, 16:9', { prompt: 'a fox, 16:9', size: '16:9' }, undefined],
	['a fox –ar 2:3', { prompt: 'a fox', size: '2:3' }, undefined],
	['a fox --no text, people --ar 1:1', { prompt: 'a fox', size: '1:1' }, ['--no text, people']],
	['a fox --no text', { prompt: 'a fox' }, ['--no text']],
	['a clock at 12:30', { prompt: 'a clock at 12:30' }, undefined],
	['a well-known fox -- and a dog', { prompt: 'a well-known fox -- and a dog' }, undefined],
	['a fox --prompt wolf', { prompt: 'a fox' }, ['--prompt wolf']],
])('%s', (prompt, options, unknown) => {
	const read = readFlags(FIELDS, { prompt });
	expect({ ...read.options, prompt: String(read.options['prompt']).trim() }).toEqual(options);
	expect(read.unknown).toEqual(unknown);
});

test.each([
	['de', 'ein Fuchs privat:ja, größe:wide anzahl:2', { prompt: 'ein Fuchs', private: 'ja', size: 'wide', n: '2' }],
	['ja', '赤い狐 非公開：はい', { prompt: '赤い狐', private: 'はい' }],
	['fr', 'un renard privé:non', { prompt: 'un renard', private: 'non' }],
	['en', 'ein Fuchs privat:ja', { prompt: 'ein Fuchs privat:ja' }],
	['de', 'ein Schild, größe:klein', { prompt: 'ein Schild, größe:klein' }],
])('in the language of the person: %s, %s', (locale, prompt, options) => {
	const read = readFlags(FIELDS, { prompt }, translatorFor(locale).nameOf);
	expect(read.options).toEqual(options);
	const isPrivate = { ja: true, はい: true, non: false }[String(read.options['private'])];
	expect(coerceOptions(FIELDS, read.options)['private']).toBe(isPrivate);
});

test('an option that is given wins over a flag', () =>
	expect(readFlags(FIELDS, { prompt: 'a fox --ar 16:9', size: 'tall' }).options['size']).toBe('tall'));
