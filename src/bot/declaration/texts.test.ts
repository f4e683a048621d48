import { describe, expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { defineCommand, type PictureCommand, screenedText, type Texts } from './command.ts';
import { member, picture } from './options.ts';

const text = z.string().max(100).describe('imagine.options.prompt');
const summary = ({ prompt }: { prompt: string }) => ({ prompt, private: false, count: 1 });
const common = {
	name: 'paint',
	description: 'imagine.description',
	makes: 'pictures',
	status: 'imagine.status',
	run: async () => ({ created: 0, images: [] }),
} as const;

describe('the texts of a picture command', () => {
	test('are its strings, and neither choices, ids, numbers, flags nor pictures', () => {
		const options = z.strictObject({
			image: picture('edit.options.image'),
			prompt: text,
			style: text.optional(),
			medium: z.enum(['oil', 'ink']),
			model: member('usage.options.member').optional(),
			n: z.int().min(1).max(4),
			private: z.boolean().optional(),
		});
		type Names = keyof Texts<typeof options>;
		expectTypeOf<Names>().toEqualTypeOf<'prompt' | 'style'>();
	});

	test('include strings that the schema turns into something else, which cannot be screened then', () => {
		const options = z.strictObject({ size: z.string().max(9).transform(Number), any: z.unknown() });
		type Declared = Texts<typeof options>;
		expectTypeOf<Declared['size']>().toEqualTypeOf<'harmless'>();
		expectTypeOf<Declared['any']>().toEqualTypeOf<'screened' | 'harmless'>();
	});

	test('do not compile when one is neither screened nor harmless', () => {
		const options = z.strictObject({ prompt: text, style: text.optional() });
		defineCommand({
			...common,
			options,
			// @ts-expect-error `style` is missing
			texts: { prompt: 'screened' },
			request: summary,
		});
		defineCommand({ ...common, options, texts: { prompt: 'screened', style: 'harmless' }, request: summary });
		expectTypeOf<PictureCommand<typeof options>['texts']>().toEqualTypeOf<{
			readonly prompt: 'screened' | 'harmless';
			readonly style: 'screened' | 'harmless';
		}>();
	});

	test('do not compile when they are not declared at all', () => {
		// @ts-expect-error `texts` is missing
		defineCommand({ ...common, options: z.strictObject({ prompt: text }), request: summary });
	});

	test('of a thread command are declared as well', () => {
		defineCommand({
			name: 'talk',
			description: 'chat.description',
			makes: 'thread',
			options: z.strictObject({ prompt: text, persona: text }),
			// @ts-expect-error `persona` is missing
			texts: { prompt: 'screened' },
			run: async () => ({ title: 'A thread', mentionsOnly: false, private: false }),
		});
	});
});

describe('a request', () => {
	test('gets the parsed options of its own command, without pictures', () => {
		const options = z.strictObject({ image: picture('edit.options.image'), words: text, count: z.int().optional() });
		defineCommand({
			...common,
			options,
			texts: { words: 'screened' },
			request(given) {
				expectTypeOf(given).toEqualTypeOf<{ words: string; count?: number | undefined }>();
				return { prompt: given.words, private: false, count: given.count ?? 1 };
			},
		});
		defineCommand({
			...common,
			options,
			texts: { words: 'screened' },
			// @ts-expect-error there is no option `prompt`
			request: ({ prompt }) => ({ prompt, private: false, count: 1 }),
		});
	});
});

test('screens all screened texts together', () => {
	const texts = { prompt: 'screened', style: 'screened', size: 'harmless' } as const;
	expect(screenedText({ texts }, { prompt: 'a fox', style: 'in ink', size: '8x8', n: 2 })).toBe('a fox\nin ink');
	expect(screenedText({ texts }, { style: undefined })).toBe('');
});
