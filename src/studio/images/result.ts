import { bodyOf } from '../http/stream.ts';

/** Encoded at a time: a multiple of three bytes, so that the pieces join into one base64 text. */
const SLICE_BYTES = 3 * 64 * 1024;

/**
 * The image result `{created, data: [{b64_json}]}`, written slice by slice as the client reads: no text of a whole picture
 * is ever made. Its length is known beforehand all the same.
 */
export function imageResult(pictures: readonly Uint8Array[], created: Date): Response {
	const head = `{"created":${Math.floor(created.getTime() / 1000)},"data":[{"b64_json":"`;
	const between = '"},{"b64_json":"';
	const tail = '"}]}';
	const encoded = pictures.reduce((sum, { length }) => sum + Math.ceil(length / 3) * 4, 0);
	const length = head.length + encoded + between.length * (pictures.length - 1) + tail.length;

	function* pieces() {
		for (const [index, picture] of pictures.entries()) {
			yield Buffer.from(index === 0 ? head : between);
			for (let start = 0; start < picture.length; start += SLICE_BYTES) {
				const slice = picture.subarray(start, start + SLICE_BYTES);
				yield Buffer.from(slice.toBase64(), 'latin1');
			}
		}
		yield Buffer.from(tail);
	}

	return new Response(bodyOf(pieces()), {
		headers: { 'content-type': 'application/json', 'content-length': String(length) },
	});
}
