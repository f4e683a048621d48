import { inflateSync } from 'node:zlib';
import { jpegSegments, latin1, PNG_SIGNATURE, pngChunk, pngChunks, reader, START_OF_SCAN } from './parts.ts';

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
	/** The program that made it, by its XMP. */
	tool?: string;
};

/** A term as XMP and credentials spell it. In credentials, a letter may follow that is not a part of it. */
const TERM = new RegExp(`https?://cv\\.iptc\\.org/newscodes/digitalsourcetype/(${SOURCES.join('|')})(?!Capture)`, 'g');

/** https://developer.adobe.com/xmp/docs/XMPNamespaces/xmp/ */
const TOOL = /\bxmp:CreatorTool="([^"]{1,80})"/;

/** Far more than XMP has. Of compressed XMP, all of a file together. */
const MAX_XMP_BYTES = 1024 * 1024;

/** More chunks or segments than encoders write in 32 MB. */
const MAX_PARTS = 100_000;

/**
 * How a box begins that has Content Credentials, after its length: its name, then the length, name and type of its description.
 * https://spec.c2pa.org/specifications/specifications/2.2/specs/C2PA_Specification.html
 */
const CREDENTIALS = /^.{4}jumb.{4}jumdc2pa\0\x11\0\x10\x80\0\0\xaa\x008\x9bq/s;

/** Returns the marks of a PNG, JPEG or WebP file; of other files, none. Never throws, whatever the bytes are. */
export function readMarks(bytes: Uint8Array): Marks {
	const marks: Marks = { signed: false };
	const start = latin1(bytes, 0, 12);
	if (start.startsWith('\xff\xd8')) readJpegMarks(marks, bytes);
	else if (start.startsWith(PNG_SIGNATURE)) readPngMarks(marks, bytes);
	else if (/^RIFF.{4}WEBP$/s.test(start)) readWebpMarks(marks, bytes);
	return marks;
}

function readPngMarks(marks: Marks, bytes: Uint8Array): void {
	const budget = { bytes: MAX_XMP_BYTES };
	for (const { name, data } of pngChunks(bytes).take(MAX_PARTS)) {
		if (name === 'caBX') noteCredentials(marks, data);
		else if (/^(?:iTXt|zTXt|tEXt)$/.test(name) && data.length <= MAX_XMP_BYTES)
			noteSource(marks, xmpOf(name, data, budget));
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

/**
 * Reads the segments before the picture's data. A box is in parts: `JP`, the box's number, the part's number, then the box from its start,
 * of which later parts repeat the length and the name. ISO 19566-5, D.2.
 */
function readJpegMarks(marks: Marks, bytes: Uint8Array): void {
	const boxes = new Map<number, Uint8Array[]>();
	for (const { marker, from, to } of jpegSegments(bytes).take(MAX_PARTS)) {
		if (marker === START_OF_SCAN || to > bytes.length) break;
		const data = bytes.subarray(from + 4, to);
		const start = latin1(data, 0, 40);
		if (marker === 0xe1 && /^http:\/\/ns\.adobe\.com\/(?:xap\/1\.0|xmp\/extension)\/\0/.test(start))
			noteSource(marks, latin1(data, 0, data.length));
		if (marker !== 0xeb || data.length < 16 || !start.startsWith('JP')) continue;
		const number = reader(data).getUint16(2);
		if (reader(data).getUint32(4) === 1) boxes.set(number, [data.subarray(8)]);
		else boxes.get(number)?.push(data.subarray(16));
	}
	for (const parts of boxes.values()) noteCredentials(marks, Buffer.concat(parts));
}

/** https://developers.google.com/speed/webp/docs/riff_container */
function readWebpMarks(marks: Marks, bytes: Uint8Array): void {
	const view = reader(bytes);
	for (let at = 12, parts = 0; parts < MAX_PARTS && at + 8 <= bytes.length; parts++) {
		const [name, length] = [latin1(bytes, at, at + 4), view.getUint32(at + 4, true)];
		const data = bytes.subarray(at + 8, at + 8 + length);
		if (name === 'C2PA') noteCredentials(marks, data);
		else if (name === 'XMP ' && length <= MAX_XMP_BYTES) noteSource(marks, latin1(data, 0, length));
		at += 8 + length + (length % 2);
	}
}

/** Notes Content Credentials: that they are whole, and their term. */
function noteCredentials(marks: Marks, box: Uint8Array): void {
	const text = latin1(box, 0, box.length);
	if (!CREDENTIALS.test(text)) return;
	noteSource(marks, text);
	if (reader(box).getUint32(0) <= box.length) marks.signed = true;
}

function noteSource(marks: Marks, text: string): void {
	const found = [...text.matchAll(TERM)].map(([, term]) => term);
	const source = SOURCES.find((one) => one === marks.source || found.includes(one));
	if (source) marks.source = source;
	const [, tool] = TOOL.exec(text) ?? [];
	if (tool) marks.tool = tool;
}

/** A chunk of the header and its length. XMP comes before the picture's data. */
const PNG_HEADER = PNG_SIGNATURE.length + 25;

/**
 * Returns a PNG or JPEG that says in its metadata (XMP) how it was made.
 * https://www.iptc.org/std/photometadata/specification/IPTC-PhotoMetadata#digital-source-type
 * @param bytes a whole file without XMP, as encoders write it
 */
export function withMark(bytes: Uint8Array, source: Source): Uint8Array {
	const xmp = Buffer.from(
		`<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" \
xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/" \
Iptc4xmpExt:DigitalSourceType="http://cv.iptc.org/newscodes/digitalsourcetype/${source}"/></rdf:RDF></x:xmpmeta><?xpacket end="r"?>`,
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
