import { SentenceError } from '../i18n/sentence-error.ts';

/** Thrown when a file cannot be used as a picture. */
export class PictureError extends SentenceError {
	override name = 'PictureError';
}

export const damaged = () => new PictureError('errors.picture.damaged');

export const endsTooEarly = () => new PictureError('errors.picture.truncated');

/** Replaces errors of the decoder, whose messages are for programmers. The reason of an abort stays. */
export async function withoutDecoderWords<Result>(
	signal: AbortSignal | undefined,
	work: () => Promise<Result>,
): Promise<Result> {
	try {
		return await work();
	} catch (error) {
		signal?.throwIfAborted();
		if (error instanceof PictureError) throw error;
		throw /premature|unexpected end|truncated/i.test(String(error)) ? endsTooEarly() : damaged();
	}
}
