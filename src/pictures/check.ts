import { MAX_INPUT_BYTES, MAX_INPUT_PIXELS, MAX_INPUT_SIDE } from './limits.ts';
import { damaged, PictureError } from './picture-error.ts';
import { type NamedType, type ReadableType, sniff } from './sniff.ts';

/** What people call the kinds of files that can't be made use of. */
const NAMES: Record<NamedType, string> = {
	'image/avif': 'an AVIF picture',
	'image/heic': 'a HEIC picture',
	'image/jxl': 'a JPEG XL picture',
	'image/jp2': 'a JPEG 2000 picture',
	'image/tiff': 'a TIFF picture',
	'image/bmp': 'a BMP picture',
	'image/svg+xml': 'an SVG drawing',
	'image/vnd.adobe.photoshop': 'a Photoshop file',
	'application/pdf': 'a PDF file',
	'video/mp4': 'a video',
	'video/webm': 'a video',
};

/**
 * Finds all faults that can be told from a picture's first bytes, before anything is decoded.
 * @throws PictureError
 */
export function check(bytes: Uint8Array): ReadableType {
	if (bytes.length === 0) throw new PictureError('The file is empty.');
	const sniffed = sniff(bytes);
	if (!sniffed) throw new PictureError('The file is not a picture; please send a PNG, JPEG, WebP or GIF.');
	const { type, width, height } = sniffed;
	if (!isReadable(type)) throw new PictureError(`This is ${NAMES[type]}; please send it as PNG, JPEG, WebP or GIF.`);
	if (bytes.length > MAX_INPUT_BYTES) {
		throw new PictureError(
			`The picture is ${megabytes(bytes.length)} MB; at most ${megabytes(MAX_INPUT_BYTES)} MB can be sent.`,
		);
	}
	if (width === 0 || height === 0) throw damaged();
	if (width * height > MAX_INPUT_PIXELS) {
		throw new PictureError(
			`The picture is ${width} × ${height} pixels; at most ${MAX_INPUT_PIXELS / 1e6} million can be sent.`,
		);
	}
	if (Math.max(width, height) > MAX_INPUT_SIDE) {
		throw new PictureError(`The picture is ${width} × ${height} pixels; at most ${MAX_INPUT_SIDE} a side can be sent.`);
	}
	return type;
}

const isReadable = (type: ReadableType | NamedType): type is ReadableType => !Object.hasOwn(NAMES, type);

/** Rounded up, so that what is over the limit never looks like the limit. */
const megabytes = (bytes: number) => Math.ceil((bytes / 1024 / 1024) * 10) / 10;
