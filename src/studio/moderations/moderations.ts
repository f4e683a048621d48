import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { readJson } from '../http/body.ts';
import { body, missingOr, parse, text } from '../http/fields.ts';
import { checkModel, model } from '../models.ts';

/** Three pictures of 10 MB as base64. */
const MAX_BODY_BYTES = 42 * 1024 * 1024;
const MAX_INPUTS = 32;
const MAX_INPUT = 32_768;

/** The words by which a text is in a category, with their simple endings. Pictures are accepted, and not looked at. */
const WORDS = {
	harassment: wordsOf('bully', 'humiliate', 'harass'),
	hate: wordsOf('racist', 'nazi', 'supremacist'),
	illicit: wordsOf('cocaine', 'heroin', 'meth', 'counterfeit'),
	'self-harm': wordsOf('suicide', 'self-harm', 'self harm'),
	sexual: wordsOf('nude', 'naked', 'porn', 'erotic', 'nackt', 'nu', 'desnudo', 'desnuda'),
	violence: wordsOf('gore', 'gory', 'murder', 'behead', 'torture', 'massacre', 'corpse', 'mord', 'leiche'),
} as const;

const CATEGORIES = Object.keys(WORDS) as (keyof typeof WORDS)[];

const part = z.union([
	z.object({ type: z.literal('text'), text: text('input', MAX_INPUT) }),
	z.object({ type: z.literal('image_url'), image_url: z.object({ url: z.string().min(1) }) }),
]);
const input = text('input', MAX_INPUT);

const schema = body({
	model: model.nullish(),
	input: z.union(
		[
			input.transform((one) => [{ texts: [one], pictures: 0 }]),
			z
				.array(input)
				.min(1)
				.max(MAX_INPUTS)
				.transform((all) => all.map((one) => ({ texts: [one], pictures: 0 }))),
			z
				.array(part)
				.min(1)
				.max(MAX_INPUTS)
				.transform((parts) => [
					{
						texts: parts.flatMap((one) => (one.type === 'text' ? [one.text] : [])),
						pictures: parts.filter(({ type }) => type === 'image_url').length,
					},
				]),
		],
		{ error: missingOr('input', 'input must be a string, an array of strings, or parts with text and image_url.') },
	),
});

/** Answers `/v1/moderations` by simple rules, so that `MODERATION_MODEL` can be tried. */
export async function answerModerations(request: Request): Promise<Response> {
	const asked = parse(schema, await readJson(request, MAX_BODY_BYTES));
	const used = checkModel(asked.model, 'moderations');
	return Response.json({ id: `modr-${randomUUID()}`, model: used, results: asked.input.map(resultOf) });
}

function resultOf({ texts, pictures }: { texts: readonly string[]; pictures: number }) {
	const found = CATEGORIES.filter((category) => texts.some((one) => WORDS[category].test(one)));
	const kinds = [...(texts.length > 0 ? ['text'] : []), ...(pictures > 0 ? ['image'] : [])];
	const each = <Value>(of: (isFound: boolean) => Value) =>
		Object.fromEntries(CATEGORIES.map((category) => [category, of(found.includes(category))]));
	return {
		flagged: found.length > 0,
		categories: each((isFound) => isFound),
		category_scores: each((isFound) => (isFound ? 0.95 : 0.01)),
		category_applied_input_types: each(() => kinds),
	};
}

function wordsOf(...words: readonly string[]): RegExp {
	return new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join('|')})(?:e?s|ed|ing|ic|al)?(?![\\p{L}\\p{N}])`, 'iu');
}
