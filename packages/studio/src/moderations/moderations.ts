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
/** A text as one of several inputs. */
const input = filled(MAX_INPUT).transform((text) => ({ texts: [text], kinds: ['text'] }));
/** Parts are one input. */
const parts = z
	.array(part)
	.min(1)
	.max(MAX_INPUTS)
	.transform((all) => {
		const texts = all.flatMap((one) => (one.type === 'text' ? [one.text] : []));
		return [{ texts, kinds: [...new Set(all.map(({ type }) => (type === 'text' ? 'text' : 'image')))] }];
	});

const schema = z.object({
	model: model.nullish(),
	input: z.union([input.transform((one) => [one]), z.array(input).min(1).max(MAX_INPUTS), parts]),
});

/** Answers `/v1/moderations` by simple rules, so that `MODERATION_MODEL` can be tried. */
export async function answerModerations(request: Request, read: Run): Promise<Response> {
	const asked = parse(schema, await readJson(request, MAX_BODY_BYTES));
	const used = checkModel(asked.model, 'moderations');
	const inputs = asked.input;
	const found = await read('moderations', [inputs.map(({ texts }) => texts)], request.signal);
	const results = inputs.map((one, index) => resultOf(one, found[index] ?? []));
	return Response.json({ id: `modr-${randomUUID()}`, model: used, results });
}

function resultOf({ kinds }: z.output<typeof input>, found: readonly (typeof CATEGORIES)[number][]) {
	const each = <Value>(of: (isFound: boolean) => Value) =>
		Object.fromEntries(CATEGORIES.map((category) => [category, of(found.includes(category))]));
	return {
		flagged: found.length > 0,
		categories: each((isFound) => isFound),
		category_scores: each((isFound) => (isFound ? 0.95 : 0.01)),
		category_applied_input_types: each(() => kinds),
	};
}
