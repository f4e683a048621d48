import type { Keyv } from 'keyv';

/** Services keep their pictures for an hour at least. https://developers.openai.com/api/docs/guides/image-generation */
const TTL_MS = 3600_000;

/** The addresses of pictures that could not be fetched, by job, for one more attempt. */
export class PictureAddresses {
	readonly #keyv: Keyv;

	constructor(keyv: Keyv) {
		this.#keyv = keyv;
	}

	async keep(job: string, addresses: readonly string[]): Promise<void> {
		await this.#keyv.set(keyOf(job), addresses, TTL_MS);
	}

	/** Returns the addresses once, to one process; none after that. */
	async take(job: string): Promise<readonly string[]> {
		const addresses = await this.#keyv.get<readonly string[]>(keyOf(job));
		return addresses && (await this.#keyv.delete(keyOf(job))) ? addresses : [];
	}
}

const keyOf = (job: string) => `address:${job}`;
