import type { Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { Brought } from './files.ts';
import { BadRequest } from './input.ts';

const MEBIBYTE = 2 ** 20;
/** Over what the core takes, so that the core can say what is wrong with a picture; still no way to fill the memory. */
const FILE_BYTES = 25 * MEBIBYTE;
const UPLOAD_BYTES = 64 * MEBIBYTE;
const JSON_BYTES = 64 * 1024;
const FILES = 10;

const limited = (maxSize: number) =>
	bodyLimit({
		maxSize,
		onError: () => {
			throw new BadRequest(413, `This is more than ${maxSize / 1024} KiB at once.`);
		},
	});

/** For JSON alone. */
export const small = limited(JSON_BYTES);

/** For what may bring files. */
export const large = limited(UPLOAD_BYTES);

export async function readJson(c: Context): Promise<unknown> {
	if (!c.req.header('content-type')?.startsWith('application/json'))
		throw new BadRequest(415, 'This address takes JSON.');
	return parseJson(await c.req.text());
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		throw new BadRequest(400, 'The request is not JSON.');
	}
}

/** JSON alone, or a form whose part `input` is the JSON and whose other parts are files. */
export async function readForm(c: Context): Promise<{ input: unknown; brought: readonly Brought[] }> {
	if (!c.req.header('content-type')?.startsWith('multipart/form-data'))
		return { input: await readJson(c), brought: [] };
	const form = await c.req.formData().catch((error: unknown) => {
		if (error instanceof BadRequest) throw error;
		throw new BadRequest(400, 'The form is broken.');
	});
	const brought: Brought[] = [];
	for (const [part, value] of form) {
		if (typeof value === 'string') {
			if (part !== 'input') throw new BadRequest(400, 'The form has a part that is neither “input” nor a file.');
			continue;
		}
		if (value.size > FILE_BYTES)
			throw new BadRequest(413, `The file is larger than ${FILE_BYTES / MEBIBYTE} MiB, which is more than fits here.`);
		brought.push({ part, name: value.name, bytes: new Uint8Array(await value.arrayBuffer()) });
	}
	if (brought.length > FILES) throw new BadRequest(413, `At most ${FILES} files fit at once.`);
	const input = form.get('input');
	if (typeof input !== 'string') throw new BadRequest(400, 'The form lacks its part “input”.');
	if (input.length > JSON_BYTES) throw new BadRequest(413, 'The form’s part “input” is too long.');
	return { input: parseJson(input), brought };
}
