import { endianness } from 'node:os';
import { z } from 'zod';
import { readJson } from '../http/body.ts';
import { filled, parse } from '../http/fields.ts';
import { checkModel, model } from '../models.ts';
import type { Run } from '../workers.ts';

const MAX_BODY_BYTES = 4 * 1024 * 1024;
const MAX_INPUTS = 2048;
/** Characters of one input: ample for the usual 8192 tokens. */
const MAX_INPUT = 32_768;
/** Texts that are read in one go, so that other requests get their turn in between. */
const BATCH = 8;
const DEFAULT_DIMENSIONS = 256;
const MAX_DIMENSIONS = 4096;

const input = filled(MAX_INPUT);

const schema = z.object({
	model: model.nullish(),
	input: z.union([input.transform((one) => [one]), z.array(input).min(1).max(MAX_INPUTS)]),
	dimensions: z.int().min(8).max(MAX_DIMENSIONS).nullish(),
	encoding_format: z.enum(['float', 'base64']).nullish(),
});

/** Answers `/v1/embeddings`: numbers, or base64 of little-endian 32-bit floats. */
export async function answerEmbeddings(request: Request, read: Run): Promise<Response> {
	const asked = parse(schema, await readJson(request, MAX_BODY_BYTES));
	const used = checkModel(asked.model, 'embeddings');
	const dimensions = asked.dimensions ?? DEFAULT_DIMENSIONS;
	const parts = [];
	for (let start = 0; start < asked.input.length; start += BATCH)
		parts.push(await read('embeddings', [asked.input.slice(start, start + BATCH), dimensions], request.signal));
	const isBase64 = asked.encoding_format === 'base64';
	const data = parts
		.flatMap(({ vectors }) => vectors)
		.map((vector, index) => ({
			object: 'embedding',
			index,
			embedding: isBase64 ? toBase64(vector) : Array.from(vector),
		}));
	const tokens = parts.reduce((sum, part) => sum + part.tokens, 0);
	return Response.json({ object: 'list', data, model: used, usage: { prompt_tokens: tokens, total_tokens: tokens } });
}

function toBase64(vector: Float32Array): string {
	const bytes = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
	return (endianness() === 'LE' ? bytes : bytes.swap32()).toString('base64');
}
