import type { Upload } from '../../../domain/reply.ts';
import type { Log } from '../../../log.ts';
import { PictureError } from '../../../pictures/prepare.ts';

/**
 * Reads a picture that a person brings from the platform.
 * @throws PictureError when it is too large, gone, or at an origin that is not allowed
 */
export async function readUpload(
	{ log, stopping }: { log: Log; stopping: AbortSignal },
	upload: Upload,
): Promise<Uint8Array> {
	try {
		return await upload.read(stopping);
	} catch (error) {
		stopping.throwIfAborted();
		log.warn({ err: error }, 'A picture could not be fetched');
		throw new PictureError('errors.picture.fetch');
	}
}
