import type { Made } from './making.ts';

/** Returns the image result `{created, data: [{b64_json, revised_prompt}]}`, with its length. */
export function imageResult(made: readonly Made[], created: Date): Response {
	const data = made.map(({ png, revisedPrompt }) => ({ b64_json: png.toBase64(), revised_prompt: revisedPrompt }));
	const body = Buffer.from(JSON.stringify({ created: Math.floor(created.getTime() / 1000), data }));
	return new Response(body, {
		headers: { 'content-type': 'application/json', 'content-length': String(body.length) },
	});
}
