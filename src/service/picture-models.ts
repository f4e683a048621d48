/** A model in a service's list. `takesPictures` is absent where the list does not say. */
export type ListedModel = { id: string; takesPictures?: boolean };

/** How long a list is used, and how long a service that gave none is left alone, in milliseconds. */
const LISTED_MS = 3600_000;
const FAILED_MS = 60_000;

/** Knows from a service's list of models which of them take pictures in chats. The list is read when it is needed. */
export class PictureModels {
	readonly #list: () => Promise<readonly ListedModel[]>;
	#known: Promise<ReadonlyMap<string, boolean | undefined>> | undefined;
	/** The `performance.now()` at which the list is read again. */
	#expiresAt = 0;

	/** @param list reads the service's list of models */
	constructor(list: () => Promise<readonly ListedModel[]>) {
		this.#list = list;
	}

	/** Never rejects. @returns undefined when the list does not say, or cannot be read */
	async takesPictures(model: string): Promise<boolean | undefined> {
		if (!this.#known || performance.now() >= this.#expiresAt) {
			this.#expiresAt = performance.now() + LISTED_MS;
			this.#known = this.#read();
		}
		return (await this.#known).get(model);
	}

	async #read(): Promise<ReadonlyMap<string, boolean | undefined>> {
		try {
			return new Map((await this.#list()).map(({ id, takesPictures }) => [id, takesPictures]));
		} catch {
			this.#expiresAt = performance.now() + FAILED_MS;
			return new Map();
		}
	}
}
