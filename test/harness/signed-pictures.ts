import { pngChunk } from '../../src/pictures/parts.ts';

/** Pictures with Content Credentials, whose boxes are real and whose signature is not. */

const uint32 = (value: number) => {
	const bytes = Buffer.alloc(4);
	bytes.writeUInt32BE(value);
	return bytes;
};

/** https://www.iso.org/standard/84635.html, Annex B */
const box = (type: string, ...content: Uint8Array[]) => {
	const length = content.reduce((sum, { length }) => sum + length, 8);
	return Buffer.concat([uint32(length), Buffer.from(type), ...content]);
};

const superbox = (type: string, label: string, ...content: Uint8Array[]) => {
	const uuid = Buffer.concat([Buffer.from(type), Buffer.from('00110010800000aa00389b71', 'hex')]);
	return box('jumb', box('jumd', uuid, Buffer.from([3]), Buffer.from(`${label}\0`)), ...content);
};

/** A text of CBOR. https://www.rfc-editor.org/rfc/rfc8949#section-3.1 */
const text = (value: string) => {
	const head = value.length < 24 ? [0x60 + value.length] : [0x78, value.length];
	return Buffer.concat([Buffer.from(head), Buffer.from(value)]);
};

/**
 * Returns a manifest store with one manifest: an action, a claim and a signature.
 * @param size how many bytes a thumbnail in it has
 */
export function credentials(source: string | undefined = 'trainedAlgorithmicMedia', size = 0): Buffer {
	const term = source
		? [text('digitalSourceType'), text(`http://cv.iptc.org/newscodes/digitalsourcetype/${source}`)]
		: [];
	const action = [Buffer.from([0xa1 + term.length / 2]), text('action'), text('c2pa.created'), ...term];
	const actions = box('cbor', Buffer.from([0xa1]), text('actions'), Buffer.from([0x81]), ...action);
	const thumbnail = superbox('bidb', 'c2pa.thumbnail.claim.png', box('bidb', Buffer.alloc(size, 7)));
	const manifest = superbox(
		'c2ma',
		'urn:c2pa:12345678-1234-4234-8234-123456789abc',
		superbox('c2as', 'c2pa.assertions', thumbnail, superbox('cbor', 'c2pa.actions.v2', actions)),
		superbox('c2cl', 'c2pa.claim.v2', box('cbor', Buffer.from([0xa1]), text('alg'), text('sha256'))),
		superbox('c2cs', 'c2pa.signature', box('cbor', Buffer.from([0xd2, 0x84, 0x40, 0xa0, 0xf6, 0x40]))),
	);
	return superbox('c2pa', 'c2pa', manifest);
}

export const signedPng = (png: Uint8Array, store: Uint8Array = credentials()) =>
	Buffer.concat([png.subarray(0, 33), pngChunk('caBX', store), png.subarray(33)]);

/** @param most how many bytes of the store a segment has; each repeats the store's first 8 bytes */
export function signedJpeg(jpeg: Uint8Array, store: Uint8Array = credentials(), most = 65_000): Buffer {
	const segments: Buffer[] = [];
	for (let at = 8, number = 1; at < store.length; at += most, number++) {
		const part = store.subarray(at, at + most);
		const data = Buffer.concat([Buffer.from('JP\0\x01'), uint32(number), store.subarray(0, 8), part]);
		segments.push(Buffer.from([0xff, 0xeb, (data.length + 2) >> 8, (data.length + 2) & 0xff]), data);
	}
	const first = 4 + Buffer.from(jpeg).readUInt16BE(4);
	return Buffer.concat([jpeg.subarray(0, first), ...segments, jpeg.subarray(first)]);
}

export function signedWebp(webp: Uint8Array, store: Uint8Array = credentials()): Buffer {
	const length = Buffer.alloc(4);
	length.writeUInt32LE(store.length);
	const bytes = Buffer.concat([webp, Buffer.from('C2PA'), length, store, Buffer.alloc(store.length % 2)]);
	bytes.writeUInt32LE(bytes.length - 8, 4);
	return bytes;
}
