import { SentenceError } from '../i18n/sentence-error.ts';

/** What was brought can't be used as a picture. */
export class PictureError extends SentenceError {
	override name = 'PictureError';
}

export const damaged = () => new PictureError('errors.picture.damaged');

export const endsTooEarly = () => new PictureError('errors.picture.truncated');

/** Puts our own words in place of a decoder's, which are for programmers. */
export async function withoutDecoderWords<Result>(work: () => Promise<Result>): Promise<Result> {
	try {
		return await work();
	} catch (error) {
		if (error instanceof PictureError) throw error;
		throw /premature|unexpected end|truncated/i.test(String(error)) ? endsTooEarly() : damaged();
	}
}
