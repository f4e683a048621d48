import type { IncomingMessage } from 'node:http';
import { type FilePart, REQUEST_BYTES } from '../schemas/messages.ts';
import { apiErrors, invalidForm } from './errors.ts';

export type Body = { json: unknown; files: FilePart[] };

/**
 * Reads the body of a request: JSON, or multipart with `payload_json` and `files[n]`.
 * https://docs.discord.com/developers/reference#uploading-files
 */
export async function readBody(request: IncomingMessage): Promise<Body> {
	const bytes = Buffer.concat(await request.toArray());
	if (bytes.length > REQUEST_BYTES) throw apiErrors.tooLarge();
	const type = request.headers['content-type'] ?? '';
	if (bytes.length === 0) return { json: undefined, files: [] };
	if (type.startsWith('application/json')) return { json: parse(bytes.toString()), files: [] };
	if (!type.startsWith('multipart/form-data'))
		throw invalidForm([
			{
				path: [],
				code: 'CONTENT_TYPE_INVALID',
				message: 'Expected "Content-Type" header to be one of application/json, multipart/form-data.',
			},
		]);
	return readMultipart(bytes, type);
}

async function readMultipart(bytes: Buffer, type: string): Promise<Body> {
	const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } })
		.formData()
		.catch(() =>
			Promise.reject(invalidForm([{ path: [], code: 'MULTIPART_INVALID', message: 'The multipart body is invalid' }])),
		);
	let json: unknown;
	const files: FilePart[] = [];
	for (const [name, value] of form) {
		const index = name.match(/^files\[(\d+)\]$/)?.[1];
		if (name === 'payload_json') json = parse(typeof value === 'string' ? value : await value.text());
		else if (index !== undefined && typeof value !== 'string')
			files.push({ index, name: value.name, type: value.type, bytes: Buffer.from(await value.arrayBuffer()) });
		else throw invalidForm([{ path: [name], code: 'MULTIPART_FIELD_UNKNOWN', message: 'Unknown field' }]);
	}
	if (new Set(files.map(({ index }) => index)).size < files.length)
		throw invalidForm([{ path: ['files'], code: 'MULTIPART_FIELD_TWICE', message: 'A file number is used twice' }]);
	return { json, files };
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		throw apiErrors.badJson();
	}
}
