import type { Source } from './marks.ts';
import { latin1, reader } from './parts.ts';
import { PNG_SIGNATURE, pngChunk } from './png.ts';

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
