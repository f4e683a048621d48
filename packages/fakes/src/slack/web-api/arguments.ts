import type { IncomingMessage } from 'node:http';
import type { Json } from '../world/model.ts';
import { misuse } from './errors.ts';

/** Arguments that are JSON. Forms contain them as text. */
const JSON_ARGS = ['attachments', 'blocks', 'chunks', 'files', 'loading_messages', 'metadata', 'prompts', 'view'];

export async function bytesOf(request: IncomingMessage): Promise<Buffer> {
	return Buffer.concat(await request.toArray());
}

/** Reads the arguments of the query, and of a body that is a form or JSON. */
export async function readArgs(request: IncomingMessage, url: URL): Promise<Json> {
	const bytes = await bytesOf(request);
	const query = Object.fromEntries(url.searchParams);
	const type = request.headers['content-type'] ?? '';
	if (bytes.length === 0) return unpack(query);
	if (type.startsWith('application/json')) return { ...query, ...parse(bytes.toString(), 'json_not_object') };
	if (type.startsWith('application/x-www-form-urlencoded'))
		return unpack({ ...query, ...Object.fromEntries(new URLSearchParams(bytes.toString())) });
	if (type.startsWith('multipart/form-data')) {
		const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData();
		return unpack({ ...query, ...Object.fromEntries(form) });
	}
	// https://docs.slack.dev/apis/web-api/
	throw misuse('invalid_post_type');
}

function unpack(fields: Json): Json {
	return Object.fromEntries(
		Object.entries(fields).map(([name, value]) => {
			if (typeof value !== 'string') return [name, value];
			if (JSON_ARGS.includes(name)) return [name, value === '' ? undefined : parse(value, `invalid_${name}_format`)];
			if (value === 'true' || value === 'false') return [name, value === 'true'];
			return [name, value];
		}),
	);
}

function parse(text: string, error: string): Json {
	try {
		return JSON.parse(text);
	} catch {
		throw misuse(error);
	}
}
