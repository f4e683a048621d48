import { bodyOf } from '../http/stream.ts';
import type { Made } from './making.ts';

/** Encoded at a time: a multiple of three bytes, so that the pieces join into one base64 text. */
const SLICE_BYTES = 3 * 64 * 1024;

/**
 * Returns the image result `{created, data: [{b64_json, revised_prompt}]}`, written slice by slice as the client reads: no text of a
 * whole picture is ever made. Its length is known beforehand all the same.
 */
export function imageResult(made: readonly Made[], created: Date): Response {
	const head = `{"created":${Math.floor(created.getTime() / 1000)},"data":[`;
	const around = made.map(({ revisedPrompt }, index) => ({
		before: `${index === 0 ? head : ','}{"b64_json":"`,
		after: `","revised_prompt":${JSON.stringify(revisedPrompt)}}${index === made.length - 1 ? ']}' : ''}`,
	}));
	const length = made.reduce((sum, { png }, index) => {
		const text = Buffer.byteLength(`${around[index]?.before}${around[index]?.after}`);
		return sum + text + Math.ceil(png.length / 3) * 4;
	}, 0);

	function* pieces() {
		for (const [index, { png }] of made.entries()) {
			yield Buffer.from(around[index]?.before ?? '');
			for (let start = 0; start < png.length; start += SLICE_BYTES) {
				yield Buffer.from(png.subarray(start, start + SLICE_BYTES).toBase64(), 'latin1');
			}
			yield Buffer.from(around[index]?.after ?? '');
		}
	}

	return new Response(bodyOf(pieces()), {
		headers: { 'content-type': 'application/json', 'content-length': String(length) },
	});
}
