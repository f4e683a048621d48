import { megabytes } from '../domain/megabytes.ts';
import { MAX_INPUT_BYTES, MAX_INPUT_PIXELS, MAX_INPUT_SIDE } from './limits.ts';
import { damaged, PictureError } from './picture-error.ts';
import { type NamedType, type ReadableType, sniff } from './sniff.ts';

/** Kinds of files that cannot be used, by their names in the message about them. */
const KINDS: Record<NamedType, string> = {
	'image/avif': 'avif',
	'image/heic': 'heic',
	'image/jxl': 'jxl',
	'image/jp2': 'jp2',
	'image/tiff': 'tiff',
	'image/bmp': 'bmp',
	'image/svg+xml': 'svg',
	'image/vnd.adobe.photoshop': 'photoshop',
	'application/pdf': 'pdf',
	'video/mp4': 'video',
	'video/webm': 'video',
};

/**
 * Checks a picture by its first bytes, before anything is decoded.
 * @throws PictureError
 */
export function check(bytes: Uint8Array): ReadableType {
	if (bytes.length === 0) throw new PictureError('errors.picture.empty');
	const sniffed = sniff(bytes);
	if (!sniffed) throw new PictureError('errors.picture.unknown');
	const { type, width, height } = sniffed;
	if (!isReadable(type)) throw new PictureError('errors.picture.kind', { kind: KINDS[type] });
	if (bytes.length > MAX_INPUT_BYTES) {
		throw new PictureError('errors.picture.bytes', {
			size: megabytes(bytes.length),
			most: megabytes(MAX_INPUT_BYTES),
		});
	}
	if (width === 0 || height === 0) throw damaged();
	if (width * height > MAX_INPUT_PIXELS) {
		throw new PictureError('errors.picture.pixels', { width, height, most: MAX_INPUT_PIXELS / 1e6 });
	}
	if (Math.max(width, height) > MAX_INPUT_SIDE) {
		throw new PictureError('errors.picture.side', { width, height, most: MAX_INPUT_SIDE });
	}
	return type;
}

const isReadable = (type: ReadableType | NamedType): type is ReadableType => !Object.hasOwn(KINDS, type);
