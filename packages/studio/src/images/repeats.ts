import type { Counters } from '../counters.ts';

/** How long the same words give further variations before they give the first one again. */
const LIFETIME_MS = 7 * 24 * 3600_000;

/** What makes a request the same as an earlier one. */
export type Asked = { authorization: string; words: string; pictures: readonly Uint8Array[] };

/**
 * Takes the numbers of the next `n` variations of a request, which no other call gets, and returns the first. A call that fails leaves a gap.
 * @throws ApiError 503
 */
export async function takeVariations(counters: Counters, asked: Asked, n: number): Promise<number> {
	const key = await keyOf(asked);
	for (;;) {
		const first = (await counters.get(key)) ?? 0;
		// Refused when another call has counted meanwhile: then the count is read again.
		if (await counters.add(key, n, { atMost: first + n, ttlMs: LIFETIME_MS })) return first;
	}
}

/** A hash, so that neither keys nor words are stored. Pictures are hashed off the main thread. */
async function keyOf({ authorization, words, pictures }: Asked): Promise<string> {
	const digest = (bytes: Uint8Array) => crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>);
	const digests = await Promise.all(pictures.map(digest));
	const text = JSON.stringify([
		authorization,
		words.trim().toLowerCase(),
		...digests.map((one) => Buffer.from(one).toString('hex')),
	]);
	return `repeat:${Buffer.from(await digest(Buffer.from(text))).toString('base64url')}`;
}
