import { latin1, type Parts } from './parts.ts';
import { pngChunk } from './png.ts';

/** The text chunk in which the studio keeps the scene of a picture. https://www.w3.org/TR/png-3/#11zTXt */
const SCENE_KEYWORD = 'easel-scene';

/** More than any scene needs, and too little to cost a reader memory. */
const MAX_CHUNK_BYTES = 64 * 1024;

/** The bytes before a chunk's data (length and name), and after it (checksum). */
const [HEAD, TAIL] = [8, 4];

/** Returns the range of the scene's chunk among the extras of a PNG, length and checksum included; undefined without one. */
export function sceneChunk(bytes: Uint8Array, { extras }: Parts): Parts['extras'][number] | undefined {
	const start = `zTXt${SCENE_KEYWORD}\0\0`;
	return extras.find(
		([from, to]) => to - from <= MAX_CHUNK_BYTES && latin1(bytes, from + 4, from + 4 + start.length) === start,
	);
}

/** Returns the compressed data of the scene's chunk. */
export function sceneData(bytes: Uint8Array, [from, to]: Parts['extras'][number]): Uint8Array {
	return bytes.subarray(from + HEAD + SCENE_KEYWORD.length + 2, to - TAIL);
}

/** Returns the PNG with a chunk of this compressed data before its end. */
export function withSceneChunk(png: Uint8Array, end: number, compressed: Uint8Array): Uint8Array {
	const chunk = pngChunk('zTXt', Buffer.concat([Buffer.from(`${SCENE_KEYWORD}\0\0`, 'latin1'), compressed]));
	const last = end - HEAD - TAIL;
	return Buffer.concat([png.subarray(0, last), chunk, png.subarray(last, end)]);
}
