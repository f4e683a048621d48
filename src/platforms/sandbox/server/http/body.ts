import type { Context, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { MemoryBudget } from '../../../../domain/queues.ts';
import { BadRequest } from '../context.ts';
import { FILE_BYTES } from '../limits.ts';

/** A file of a multipart form. `part` is the name of its option, or `file`. */
export type FormFile = { part: string; name: string; bytes: Uint8Array };

const MEBIBYTE = 2 ** 20;
const UPLOAD_BYTES = 64 * MEBIBYTE;
/** Bodies with files that are read at the same time; each is in memory three times while it is parsed. The largest one is read alone. */
const ALL_UPLOADS_BYTES = 24 * MEBIBYTE;
const JSON_BYTES = 64 * 1024;
const MAX_FILES = 10;

const limited = (maxSize: number, error: () => BadRequest) =>
	bodyLimit({
		maxSize,
		onError: () => {
			throw error();
		},
	});

/** Limits a body of JSON. */
export const small = limited(JSON_BYTES, () => new BadRequest(413, 'The request is too long.'));

/** Limits a body that may have files. */
const large = limited(
	UPLOAD_BYTES,
	() => new BadRequest(413, 'sandbox.server.uploadTooLarge', { max: Math.floor(UPLOAD_BYTES / 1e6) }),
);

/** Returns the limits of bodies that may have files: of each, and of all large ones together, which wait for each other. */
export function createUploadLimits(): [MiddlewareHandler, MiddlewareHandler] {
	const memory = new MemoryBudget(ALL_UPLOADS_BYTES);
	// A body without a length may be as long as any.
	const lengthOf = (c: Context) => Number(c.req.header('content-length') ?? UPLOAD_BYTES);
	return [(c, next) => (lengthOf(c) <= JSON_BYTES ? next() : memory.use(lengthOf(c), undefined, next)), large];
}

export async function readJson(c: Context): Promise<unknown> {
	if (!c.req.header('content-type')?.startsWith('application/json'))
		throw new BadRequest(415, 'This address takes JSON.');
	return parseJson(await c.req.text().catch(refuse('The request was cut off.')));
}

const refuse = (sentence: string) => (error: unknown) => {
	throw error instanceof BadRequest ? error : new BadRequest(400, sentence);
};

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		throw new BadRequest(400, 'The request is not JSON.');
	}
}

/** Reads JSON, or a form whose part `input` is JSON and whose other parts are files. */
export async function readForm(c: Context): Promise<{ input: unknown; files: readonly FormFile[] }> {
	if (!c.req.header('content-type')?.startsWith('multipart/form-data')) return { input: await readJson(c), files: [] };
	const form = await c.req.formData().catch(refuse('The form cannot be parsed.'));
	const files: FormFile[] = [];
	for (const [part, value] of form) {
		if (typeof value === 'string') {
			if (part !== 'input') throw new BadRequest(400, 'A part of the form is neither “input” nor a file.');
			continue;
		}
		if (value.size > FILE_BYTES)
			throw new BadRequest(413, 'sandbox.server.fileTooLarge', { max: Math.floor(FILE_BYTES / 1e6) });
		files.push({ part, name: value.name, bytes: new Uint8Array(await value.arrayBuffer()) });
	}
	if (files.length > MAX_FILES) throw new BadRequest(413, 'sandbox.server.tooManyFiles', { max: MAX_FILES });
	const input = form.get('input');
	if (typeof input !== 'string') throw new BadRequest(400, 'The form has no part “input”.');
	if (input.length > JSON_BYTES) throw new BadRequest(413, 'The form’s part “input” is too long.');
	return { input: parseJson(input), files };
}
