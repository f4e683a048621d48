import { sniff } from '../../pictures/sniff.ts';
import { InvalidResponseError } from '../errors.ts';
import type { OutputImage } from '../service.ts';

export type PictureLimits = {
	/** Bytes of one picture. */
	pictureBytes: number;
	/** Bytes of all pictures of one answer. */
	totalBytes: number;
	/** Width × height. */
	pixels: number;
};

/** Enough of a file to know its type, and of a PNG to know its size. */
export const HEADER_BYTES = 33;

/** The types that services return. Others are not shown by every platform. */
const TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/webp'];

/**
 * Returns the size in a picture's first bytes; 0 × 0 when it comes later.
 * @throws InvalidResponseError when they are not a picture's, or their size is over the limit
 */
export function checkBeginning(bytes: Uint8Array, { pixels }: Pick<PictureLimits, 'pixels'>) {
	const header = sniff(bytes);
	if (!header || !TYPES.includes(header.type)) throw notPicture();
	const { width, height } = header;
	if (width * height > pixels) throw new InvalidResponseError(`its picture has more than ${pixels} pixels`);
	return { width, height };
}

/**
 * Returns a whole picture with its size.
 * @throws InvalidResponseError when it is none, or over the limit
 */
export function readOutputImage(bytes: Uint8Array, limits: Pick<PictureLimits, 'pixels'>): OutputImage {
	const size = checkBeginning(bytes, limits);
	if (size.width === 0 || size.height === 0) throw notPicture();
	return { bytes, ...size };
}

const notPicture = () => new InvalidResponseError('its picture is not a PNG, JPEG or WebP');
