/** What was brought can't be used as a picture. The message is one sentence for the person who brought it. */
export class PictureError extends Error {
	override name = 'PictureError';
}

export const damaged = (how = '') => new PictureError(`The picture is damaged${how && ` (${how})`}.`);

export const endsTooEarly = () => damaged('it ends too early');

/** Puts our own words in place of a decoder's, which are for programmers. */
export async function withoutDecoderWords<Result>(work: () => Promise<Result>): Promise<Result> {
	try {
		return await work();
	} catch (error) {
		if (error instanceof PictureError) throw error;
		throw /premature|unexpected end|truncated/i.test(String(error)) ? endsTooEarly() : damaged();
	}
}
