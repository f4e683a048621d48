import { inflateSync } from 'node:zlib';
import { latin1, PNG_SIGNATURE, pngChunk, reader } from './parts.ts';

/**
 * The terms of IPTC's vocabulary that say that a machine made, changed or composed a picture; of several, the first counts.
 * https://cv.iptc.org/newscodes/digitalsourcetype/
 */
const SOURCES = [
	'trainedAlgorithmicMedia',
	'compositeWithTrainedAlgorithmicMedia',
	'compositeSynthetic',
	'algorithmicMedia',
	'algorithmicallyEnhanced',
	'composite',
] as const;

/** The part that a machine had in a picture. */
export type Source = (typeof SOURCES)[number];

/** What the metadata of a picture says of its making. Nothing of it is verified. */
export type Marks = {
	/** It has Content Credentials (C2PA) that are not cut off. */
	signed: boolean;
	/** By its XMP or its credentials. */
	source?: Source;
};

/** A parser asks for the next bytes, or to pass over them. */
type Parser = Generator<{ take: number } | { skip: number }, void, Uint8Array>;

/** A term as XMP and credentials spell it. In credentials, a letter may follow that is not a part of it. */
const TERM = new RegExp(`https?://cv\\.iptc\\.org/newscodes/digitalsourcetype/(${SOURCES.join('|')})(?!Capture)`, 'g');

/** Longer than a term and what follows it, so that one is found across two pieces. */
const OVERLAP = 128;
const PIECE = 64 * 1024;

/** Far more than XMP has. Of compressed XMP, all of a file together. */
const MAX_XMP_BYTES = 1024 * 1024;

/** More chunks or segments than encoders write in 32 MB. */
const MAX_PARTS = 100_000;

/**
 * How a box begins that has Content Credentials, after its length: its name, then the length, name and type of its description.
 * https://spec.c2pa.org/specifications/specifications/2.2/specs/C2PA_Specification.html
 */
const CREDENTIALS = /^.{4}jumb.{4}jumdc2pa\0\x11\0\x10\x80\0\0\xaa\x008\x9bq/s;
const CREDENTIALS_HEAD = 32;

/** Reads marks while the bytes of a file come. Never throws, whatever they are, and has at most a megabyte of them in memory. */
export class MarkReader {
	readonly marks: Marks = { signed: false };
	readonly #parser: Parser = parse(this.marks);
	#step = this.#parser.next();
	/** The bytes that are taken, if they came in pieces, and how many of those that are wanted have come. */
	#taken = new Uint8Array();
	#count = 0;

	push(bytes: Uint8Array): void {
		for (let at = 0; !this.#step.done; ) {
			const { value: step } = this.#step;
			const wanted = 'take' in step ? step.take : step.skip;
			const piece = bytes.subarray(at, at + wanted - this.#count);
			at += piece.length;
			const isAtOnce = piece.length === wanted;
			if ('take' in step && !isAtOnce) {
				if (this.#count === 0) this.#taken = new Uint8Array(wanted);
				this.#taken.set(piece, this.#count);
			}
			this.#count += piece.length;
			if (this.#count < wanted) return;
			this.#count = 0;
			this.#step = this.#parser.next(isAtOnce ? piece : this.#taken);
		}
	}
}

/** Returns the marks of a PNG, JPEG or WebP file; of other files, none. */
export function readMarks(bytes: Uint8Array): Marks {
	const reading = new MarkReader();
	reading.push(bytes);
	return reading.marks;
}

function* parse(marks: Marks): Parser {
	const start = latin1(yield { take: 2 }, 0, 2);
	if (start === '\xff\xd8') return yield* parseJpeg(marks);
	const more = start + latin1(yield { take: 6 }, 0, 6);
	if (more === PNG_SIGNATURE) return yield* parsePng(marks);
	if (more.startsWith('RIFF')) yield* parseWebp(marks, reader(Buffer.from(more, 'latin1')).getUint32(4, true));
}

/** https://www.w3.org/TR/png-3/#5Chunk-layout */
function* parsePng(marks: Marks): Parser {
	const budget = { bytes: MAX_XMP_BYTES };
	for (let parts = 0; parts < MAX_PARTS; parts++) {
		const head = yield { take: 8 };
		const [length, name] = [reader(head).getUint32(0), latin1(head, 4, 8)];
		if (name === 'IEND') return;
		if (name === 'caBX') yield* parseCredentials(marks, length, 4);
		else if (/^(?:iTXt|zTXt|tEXt)$/.test(name) && length <= MAX_XMP_BYTES) {
			noteSource(marks, xmpOf(name, yield { take: length }, budget));
			yield { skip: 4 };
		} else yield { skip: length + 4 };
	}
}

/**
 * Returns the XMP of a text chunk, in Latin-1, which is enough for terms. XMP belongs into `iTXt`, but libvips writes `zTXt`.
 * https://www.w3.org/TR/png-3/#11textinfo
 */
function xmpOf(name: string, text: Uint8Array, budget: { bytes: number }): string {
	const keyword = 'XML:com.adobe.xmp\0';
	if (latin1(text, 0, keyword.length) !== keyword) return '';
	let start = keyword.length + (name === 'zTXt' ? 1 : 0);
	// After two flags, the language and the translated keyword.
	if (name === 'iTXt') start = text.indexOf(0, text.indexOf(0, start + 2) + 1) + 1;
	const isPlain = name === 'tEXt' || (name === 'iTXt' && text[keyword.length] === 0);
	if (isPlain) return latin1(text, start, text.length);
	if (budget.bytes < 1) return '';
	try {
		const xmp = inflateSync(text.subarray(start), { maxOutputLength: budget.bytes });
		budget.bytes -= xmp.length + text.length;
		return xmp.toString('latin1');
	} catch {
		budget.bytes = 0;
		return '';
	}
}

/** Reads the segments before the picture's data. https://www.w3.org/Graphics/JPEG/itu-t81.pdf, B.1 */
function* parseJpeg(marks: Marks): Parser {
	const box = { number: -1, left: 0, tail: '' };
	for (let parts = 0; parts < MAX_PARTS; parts++) {
		let [filler, marker] = yield { take: 2 };
		if (filler !== 0xff) return;
		for (; marker === 0xff && parts < MAX_PARTS; parts++) [marker] = yield { take: 1 };
		// Neither the picture's data nor the end, nor one of the markers without a segment, which are not before the data.
		if (marker === undefined || marker < 0xc0 || (marker >= 0xd0 && marker <= 0xda)) return;
		const length = reader(yield { take: 2 }).getUint16(0) - 2;
		if (length < 0) return;
		const data = yield { take: length };
		if (marker === 0xe1 && /^http:\/\/ns\.adobe\.com\/(?:xap\/1\.0|xmp\/extension)\/\0/.test(latin1(data, 0, 40)))
			noteSource(marks, latin1(data, 0, length));
		if (marker === 0xeb) readPacket(marks, data, box);
	}
}

/**
 * Reads a part of a box: `JP`, the box's number, the part's number, then the box from its start, of which later parts repeat the length
 * and the name. ISO 19566-5, D.2.
 */
function readPacket(marks: Marks, data: Uint8Array, box: { number: number; left: number; tail: string }): void {
	if (data.length < 16 || latin1(data, 0, 2) !== 'JP') return;
	const view = reader(data);
	const number = view.getUint16(2);
	if (view.getUint32(4) === 1) {
		const isBox = CREDENTIALS.test(latin1(data, 8, 8 + CREDENTIALS_HEAD));
		Object.assign(box, { number, left: isBox ? view.getUint32(8) - 8 : 0, tail: '' });
	}
	if (number !== box.number || box.left <= 0) return;
	box.left -= data.length - 16;
	box.tail = notePiece(marks, box.tail, data.subarray(16));
	if (box.left <= 0) marks.signed = true;
}

/** https://developers.google.com/speed/webp/docs/riff_container */
function* parseWebp(marks: Marks, size: number): Parser {
	if (latin1(yield { take: 4 }, 0, 4) !== 'WEBP') return;
	let left = size - 4;
	for (let parts = 0; parts < MAX_PARTS && left >= 8; parts++) {
		const head = yield { take: 8 };
		const [name, length] = [latin1(head, 0, 4), reader(head).getUint32(4, true)];
		const padding = length % 2;
		left -= 8 + length + padding;
		if (name === 'C2PA') yield* parseCredentials(marks, length, padding);
		else if (name === 'XMP ' && length <= MAX_XMP_BYTES) {
			noteSource(marks, latin1(yield { take: length }, 0, length));
			yield { skip: padding };
		} else yield { skip: length + padding };
	}
}

/** @param rest the bytes between the box and the next part of the file */
function* parseCredentials(marks: Marks, length: number, rest: number): Parser {
	const head = yield { take: Math.min(length, CREDENTIALS_HEAD) };
	const isBox = CREDENTIALS.test(latin1(head, 0, head.length)) && reader(head).getUint32(0) <= length;
	let tail = '';
	for (let left = length - head.length; left > 0; ) {
		const piece = yield { take: Math.min(left, PIECE) };
		left -= piece.length;
		if (isBox) tail = notePiece(marks, tail, piece);
	}
	yield { skip: rest };
	if (isBox) marks.signed = true;
}

/** Notes a term that a piece of credentials completes or contains. Returns the end of the piece. A signature ends them, never a term. */
function notePiece(marks: Marks, tail: string, piece: Uint8Array): string {
	const text = tail + latin1(piece, 0, piece.length);
	noteSource(marks, text.slice(0, -'Capture'.length));
	return text.slice(-OVERLAP);
}

function noteSource(marks: Marks, text: string): void {
	const found = [...text.matchAll(TERM)].map(([, term]) => term);
	const source = SOURCES.find((one) => one === marks.source || found.includes(one));
	if (source) marks.source = source;
}

/** A chunk of the header and its length. XMP comes before the picture's data. */
const PNG_HEADER = PNG_SIGNATURE.length + 25;

/**
 * Returns a PNG or JPEG that says in its metadata (XMP) how it was made.
 * https://www.iptc.org/std/photometadata/specification/IPTC-PhotoMetadata#digital-source-type
 * @param bytes a whole file without XMP, as encoders write it
 * @param tool the program that has made the picture, if that is known
 */
export function withMark(bytes: Uint8Array, source: Source, tool?: string): Uint8Array {
	const by = tool ? ` xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:CreatorTool="${tool}"` : '';
	const xmp = Buffer.from(
		`<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" \
xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/" \
Iptc4xmpExt:DigitalSourceType="http://cv.iptc.org/newscodes/digitalsourcetype/${source}"${by}/></rdf:RDF></x:xmpmeta><?xpacket end="r"?>`,
	);
	return latin1(bytes, 0, 2) === '\xff\xd8' ? withSegment(bytes, xmp) : withText(bytes, xmp);
}

/** The empty fields after the keyword: not compressed, no language. https://www.w3.org/TR/png-3/#11iTXt */
function withText(png: Uint8Array, xmp: Uint8Array): Uint8Array {
	const text = pngChunk('iTXt', Buffer.concat([Buffer.from('XML:com.adobe.xmp\0\0\0\0\0'), xmp]));
	return Buffer.concat([png.subarray(0, PNG_HEADER), text, png.subarray(PNG_HEADER)]);
}

/** JFIF stays the first segment, as it has to be. */
function withSegment(jpeg: Uint8Array, xmp: Uint8Array): Uint8Array {
	const data = Buffer.concat([Buffer.from('\xff\xe1\0\0http://ns.adobe.com/xap/1.0/\0', 'latin1'), xmp]);
	data.writeUInt16BE(data.length - 2, 2);
	const at = latin1(jpeg, 2, 4) === '\xff\xe0' ? 4 + reader(jpeg).getUint16(4) : 2;
	return Buffer.concat([jpeg.subarray(0, at), data, jpeg.subarray(at)]);
}
