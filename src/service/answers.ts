import * as z from 'zod';
import { oneLine } from '../domain/text.ts';
import { InvalidResponseError } from './errors.ts';
import type { ListedModel } from './picture-models.ts';
import { parseStrictJson } from './strict-json.ts';
import { readTokenUsage } from './token-usage.ts';

const Completion = z.object({
	choices: z
		.array(
			z.object({
				message: z.object({ content: z.string().nullish() }),
				finish_reason: z.string().nullish().catch(undefined),
			}),
		)
		.min(1),
	usage: z.unknown().optional(),
});
const Embeddings = z.object({
	data: z.array(
		z.object({ embedding: z.union([z.array(z.number()), z.base64()]), index: z.number().optional().catch(undefined) }),
	),
});
/** The longest vectors of models have 12,288 numbers. Ours are kept with each result. */
const MAX_DIMENSIONS = 16_384;

/** The most models that are read of a list, and the longest name of one. The longest public list has some hundred. */
const MAX_MODELS = 2000;
const MAX_MODEL_NAME = 100;

/** Some categories may be null. */
const Moderation = z.object({
	results: z.array(z.object({ flagged: z.boolean(), categories: z.record(z.string(), z.boolean().nullable()) })).min(1),
});
/** Whether a model takes pictures: as OpenRouter says it, and as Mistral does. */
const Model = z.object({
	id: z.string(),
	architecture: z
		.object({ input_modalities: z.array(z.string()) })
		.optional()
		.catch(undefined),
	capabilities: z.object({ vision: z.boolean() }).optional().catch(undefined),
});
/** Together's list has nothing around it. */
const Models = z.union([z.object({ data: z.array(Model) }), z.array(Model)]);

/**
 * Returns the answer's text, empty if the service sends none, why it ended, and the tokens that it took. Like all readers here, throws
 * `InvalidResponseError`.
 */
export function readCompletion(body: Uint8Array) {
	const { choices, usage } = read(Completion, body, 'chat completion');
	const [choice] = choices;
	return {
		text: choice?.message.content ?? '',
		finishReason: choice?.finish_reason ?? undefined,
		tokens: readTokenUsage(usage),
	};
}

/** Returns the vectors of so many texts, in the order of the texts. */
export function readEmbeddings(body: Uint8Array, count: number): number[][] {
	const { data } = read(Embeddings, body, 'list of embeddings');
	if (data.length !== count) throw new InvalidResponseError(`it has ${data.length} embeddings of ${count} texts`);
	const inOrder = data.toSorted((one, other) => (one.index ?? 0) - (other.index ?? 0));
	return inOrder.map(({ embedding }) => vectorOf(embedding));
}

/** Reads numbers, or base64 of little-endian 32-bit floats, which some services send unasked. */
function vectorOf(embedding: number[] | string): number[] {
	const numbers = typeof embedding === 'string' ? floatsOf(embedding) : embedding;
	// A vector of zeros has no direction: some clients and services make it of the other encoding.
	if (numbers.length > MAX_DIMENSIONS || !numbers.every(Number.isFinite) || numbers.every((number) => number === 0))
		throw new InvalidResponseError('its embedding is not a vector');
	return numbers;
}

function floatsOf(embedding: string): number[] {
	const bytes = Buffer.from(embedding, 'base64');
	if (bytes.length % 4 !== 0) throw new InvalidResponseError('it is not a list of embeddings');
	return Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(index * 4));
}

/** Returns the categories that are flagged; `flagged` itself where the service names none. */
export function readModeration(body: Uint8Array): string[] {
	const { results } = read(Moderation, body, 'moderation');
	const named = results.flatMap(({ categories }) => Object.keys(categories).filter((name) => categories[name]));
	const unnamed = results.some(({ flagged }) => flagged) && named.length === 0 ? ['flagged'] : [];
	return [...new Set([...named, ...unnamed])];
}

export function readModels(body: Uint8Array): ListedModel[] {
	const models = read(Models, body, 'list of models');
	const usable = (Array.isArray(models) ? models : models.data).filter(
		({ id }) => id.length <= MAX_MODEL_NAME && oneLine(id) === id && id !== '',
	);
	return usable.slice(0, MAX_MODELS).map(({ id, architecture, capabilities }) => {
		const takesPictures = architecture?.input_modalities.includes('image') ?? capabilities?.vision;
		return { id, ...(takesPictures !== undefined && { takesPictures }) };
	});
}

function read<T>(schema: z.ZodType<T>, body: Uint8Array, name: string): T {
	const answer = schema.safeParse(parseStrictJson(body));
	if (!answer.success) throw new InvalidResponseError(`it is not a ${name}`);
	return answer.data;
}
