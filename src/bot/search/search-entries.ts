import type { ServerId } from '../../domain/place.ts';
import { pagesOf, pruneIndex, timedMember, timeKey } from '../../store/pages.ts';
import type { Space } from '../../store/store.ts';
import type { SearchableResult } from './vector-table.ts';

type Server = ServerId;

/** The embedding of a result's prompt. */
export type StoredEmbedding = Omit<SearchableResult, 'job'> & {
	/** Vectors of different models cannot be compared. */
	model: string;
	/** A vector of `quantize` in base64. */
	vector: string;
	/** When the result was added, in Unix milliseconds. */
	added: number;
};

/** The results of each server in the order in which they were added, and the embeddings of their prompts. */
export class SearchEntries {
	readonly #space: Space;
	readonly #ttlMs: number;

	/** @param ttlMs how long a result is kept */
	constructor(space: Space, ttlMs: number) {
		this.#space = space;
		this.#ttlMs = ttlMs;
	}

	/** Adds a result, whose embedding follows. */
	async add(server: Server, job: string, added: number): Promise<void> {
		const index = indexOf(server);
		const adding = this.#space.commit({ index: [{ index, member: timedMember(added, job), ttlMs: this.#ttlMs }] });
		await Promise.all([adding, pruneIndex(this.#space, index, added - this.#ttlMs)]);
	}

	async save(server: Server, job: string, embedding: StoredEmbedding): Promise<void> {
		await this.#space.keyv.set(keyOf(server, job), embedding, this.#ttlMs);
	}

	async find(server: Server, jobs: readonly string[]): Promise<(StoredEmbedding | undefined)[]> {
		if (jobs.length === 0) return [];
		return this.#space.keyv.getMany<StoredEmbedding>(jobs.map((job) => keyOf(server, job)));
	}

	/** Yields the members of the results of a server page by page. @param since Unix milliseconds */
	pages(server: Server, since: number): AsyncGenerator<string[]> {
		return pagesOf(this.#space, indexOf(server), { after: timeKey(since) });
	}

	async drop(server: Server, job: string): Promise<void> {
		const [embedding] = await this.find(server, [job]);
		if (embedding) await dropEmbedding(this.#space, keyOf(server, job), embedding);
	}

	/** Removes a result that has no embedding. */
	async forget(server: Server, member: string): Promise<void> {
		await this.#space.commit({ unindex: [{ index: indexOf(server), member }] });
	}
}

/** Removes a result and its embedding. @param key the key of the embedding */
export async function dropEmbedding(space: Space, key: string, { added }: StoredEmbedding): Promise<void> {
	const end = key.lastIndexOf('/');
	const member = timedMember(added, key.slice(end + 1));
	await space.commit({ remove: [key], unindex: [{ index: key.slice(0, end), member }] });
}

const indexOf = ({ platform, server }: Server) => `${platform}/${server}`;
const keyOf = (server: Server, job: string) => `${indexOf(server)}/${job}`;
