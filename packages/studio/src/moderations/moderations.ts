import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { readJson } from '../http/body.ts';
import { filled, parse } from '../http/fields.ts';
import { checkModel, model } from '../models.ts';
import type { Run } from '../workers.ts';
import { CATEGORIES } from './categories.ts';

/** Three pictures of 10 MB as base64. */
const MAX_BODY_BYTES = 42 * 1024 * 1024;
const MAX_INPUTS = 32;
const MAX_INPUT = 32_768;

const part = z.union([
	z.object({ type: z.literal('text'), text: filled(MAX_INPUT) }),
	z.object({ type: z.literal('image_url'), image_url: z.object({ url: z.string().min(1) }) }),
]);
const input = filled(MAX_INPUT);

const schema = z.object({
	model: model.nullish(),
	input: z.union([input, z.array(input).min(1).max(MAX_INPUTS), z.array(part).min(1).max(MAX_INPUTS)]),
});

/** Each text is an input of its own, and parts are one. */
function inputsOf(asked: string | readonly (string | z.output<typeof part>)[]): Input[] {
	const all = typeof asked === 'string' ? [asked] : asked;
	const parts = all.filter((one) => typeof one !== 'string');
	if (parts.length === 0) return all.map((one) => ({ texts: [one as string], pictures: 0 }));
	const texts = parts.flatMap((one) => (one.type === 'text' ? [one.text] : []));
	return [{ texts, pictures: parts.length - texts.length }];
}

/** Answers `/v1/moderations` by simple rules, so that `MODERATION_MODEL` can be tried. */
export async function answerModerations(request: Request, read: Run): Promise<Response> {
	const asked = parse(schema, await readJson(request, MAX_BODY_BYTES));
	const used = checkModel(asked.model, 'moderations');
	const inputs = inputsOf(asked.input);
	const found = await read('moderations', [inputs.map(({ texts }) => texts)], request.signal);
	const results = inputs.map((one, index) => resultOf(one, found[index] ?? []));
	return Response.json({ id: `modr-${randomUUID()}`, model: used, results });
}

type Input = { texts: readonly string[]; pictures: number };

function resultOf({ texts, pictures }: Input, found: readonly (typeof CATEGORIES)[number][]) {
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
