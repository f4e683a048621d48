import { type Space, StoreError } from '../../store/store.ts';

/** How long the same words give further variations before they give the first one again. */
const LIFETIME_MS = 7 * 24 * 3600_000;

/** What makes a request the same as an earlier one. */
export type Asked = { authorization: string; words: string; pictures: readonly Uint8Array[] };

/** Counts how often a key has asked for the same, so that the next picture is another variation. */
export class Repeats {
	readonly #usage: Space;

	constructor(usage: Space) {
		this.#usage = usage;
	}

	/** Returns how many pictures the key has had for these words and input pictures. @throws StoreError */
	async count(asked: Asked): Promise<number> {
		return (await this.#usage.keyv.get<number>(await keyOf(asked))) ?? 0;
	}

	/** Counts pictures that were made. A store that fails now costs a repeated variation, not the pictures. */
	async add(asked: Asked, by: number): Promise<void> {
		try {
			await this.#usage.commit({ add: [{ key: await keyOf(asked), by, ttlMs: LIFETIME_MS }] });
		} catch (error) {
			if (!(error instanceof StoreError)) throw error;
		}
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
