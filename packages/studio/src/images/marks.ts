import { inflateSync } from 'node:zlib';
import { pngChunk, pngChunks, withChunk } from '../png.ts';

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

const VOCABULARY = 'http://cv.iptc.org/newscodes/digitalsourcetype/';
/** A term as XMP and Content Credentials spell it. In credentials, a letter may follow that is not a part of it. */
const TERM = /https?:\/\/cv\.iptc\.org\/newscodes\/digitalsourcetype\/([A-Za-z]{1,60})/g;
const KEYWORD = 'XML:com.adobe.xmp\0';
/** Far more than XMP has. */
const MAX_XMP_BYTES = 1024 * 1024;

/** Returns what the metadata of a file says of its making, in XMP or in Content Credentials (C2PA). Nothing of it is verified. */
export function readSource(bytes: Uint8Array): Source | undefined {
	const found = [Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), compressedXmp(bytes)].flatMap((part) =>
		[...part.toString('latin1').matchAll(TERM)].map(([, term = '']) => term),
	);
	return SOURCES.find((source) => found.some((term) => term.startsWith(source) && !/Capture$/.test(term)));
}

/** libvips writes XMP compressed. */
function compressedXmp(bytes: Uint8Array): Buffer {
	const xmp = pngChunks(bytes)?.find(({ name, data }) => name === 'zTXt' && data.indexOf(KEYWORD) === 0);
	try {
		if (xmp) return inflateSync(xmp.data.subarray(KEYWORD.length + 1), { maxOutputLength: MAX_XMP_BYTES });
	} catch {
		// Damaged, or far too long.
	}
	return Buffer.alloc(0);
}

/**
 * Returns a PNG that says in its metadata (XMP) that it was made here, and how.
 * https://www.iptc.org/std/photometadata/specification/IPTC-PhotoMetadata#digital-source-type
 */
export function marked(png: Uint8Array, source: Source): Uint8Array {
	const xmp = `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" \
xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/" \
Iptc4xmpExt:DigitalSourceType="${VOCABULARY}${source}" xmlns:xmp="http://ns.adobe.com/xap/1.0/" \
xmp:CreatorTool="Easel studio"/></rdf:RDF></x:xmpmeta><?xpacket end="r"?>`;
	// Before the text: not compressed, no language. https://www.w3.org/TR/png-3/#11iTXt
	return withChunk(png, pngChunk('iTXt', Buffer.from(`${KEYWORD}\0\0\0\0${xmp}`)));
}

/** Made by a model, at least in part. */
const GENERATIVE: readonly Source[] = SOURCES.slice(0, 3);

/**
 * Returns the part that a machine had in what rules, not a model, have made of pictures. IPTC keeps "edited using generative AI" for edits by
 * a model, so that what rules make of a generated picture is "a composite with generative elements". A single picture of another origin,
 * known or not, is an altered one, which says nothing about that origin.
 * @param sources of the pictures
 */
export function sourceOfEdit(sources: readonly (Source | undefined)[]): Source {
	if (sources.some((source) => source !== undefined && GENERATIVE.includes(source))) return 'compositeSynthetic';
	if (sources.every((source) => source === 'algorithmicMedia')) return 'algorithmicMedia';
	return sources.length > 1 ? 'composite' : 'algorithmicallyEnhanced';
}
