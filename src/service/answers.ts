import * as z from 'zod';
import { InvalidResponseError } from './errors.ts';
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
	data: z.array(z.object({ embedding: z.union([z.array(z.number()), z.base64()]) })).min(1),
});
const Models = z.object({ data: z.array(z.object({ id: z.string() })) });

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

/** Reads numbers, or base64 of little-endian 32-bit floats, which some services send unasked. */
export function readEmbedding(body: Uint8Array): number[] {
	const embedding = read(Embeddings, body, 'list of embeddings').data[0]!.embedding;
	const numbers = typeof embedding === 'string' ? floatsOf(embedding) : embedding;
	// A vector of zeros has no direction: some clients and services make it of the other encoding.
	if (!numbers.every(Number.isFinite) || numbers.every((number) => number === 0))
		throw new InvalidResponseError('its embedding is not a vector');
	return numbers;
}

function floatsOf(embedding: string): number[] {
	const bytes = Buffer.from(embedding, 'base64');
	if (bytes.length % 4 !== 0) throw new InvalidResponseError('it is not a list of embeddings');
	return Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(index * 4));
}

export function readModels(body: Uint8Array): string[] {
	return read(Models, body, 'list of models').data.map(({ id }) => id);
}

function read<T>(schema: z.ZodType<T>, body: Uint8Array, name: string): T {
	const answer = schema.safeParse(parseStrictJson(body));
	if (!answer.success) throw new InvalidResponseError(`it is not a ${name}`);
	return answer.data;
}
