import type { Upload } from '../../domain/reply.ts';
import { PictureError } from '../../pictures/prepare.ts';
import type { BotServices } from '../services.ts';

/**
 * The bytes that somebody brought, from wherever the platform keeps them.
 * @throws PictureError when they can't be had: they are too large, gone, or somewhere that is not read from
 */
export async function readUpload(
	{ log, stopping }: Pick<BotServices, 'log' | 'stopping'>,
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
