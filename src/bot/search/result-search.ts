import { LRUCache } from 'lru-cache';
import type { Person, Place } from '../../domain/place.ts';
import { idOfMember, timeOfMember } from '../../store/pages.ts';
import type { PictureRequest, PictureRequests } from '../repositories/requests.ts';
import type { Embedder } from './embedder.ts';
import { likeness, sketchOf } from './int8-vector.ts';
import type { SearchEntries, StoredEmbedding } from './search-entries.ts';
import { type SearchableResult, VectorTable } from './vector-table.ts';

/** The results of a server that are searched: the latest. Their sketches take 26 MB. */
const CAPACITY = 100_000;

/** The servers whose sketches are in memory, and for how long after the last search, in milliseconds. */
const MAX_SERVERS = 4;
const KEPT_MS = 10 * 60_000;

/** Clocks of processes differ, and a commit takes its time. */
const OVERLAP_MS = 60_000;

/** The results that are compared by their whole vectors, after a scan of the sketches. */
const CANDIDATES = 100;

/** Texts that have nothing in common are less alike than this, with most models. */
const MIN_LIKENESS = 0.2;

/** The results without an embedding that are looked at once more. Others have their turn when the server is read again. */
const MAX_INCOMPLETE = 1000;

/** The sketches of a server, the time that they were read up to, and the results that were there without an embedding. */
type ServerTable = { table: VectorTable; since: number; incomplete: Set<string>; reading: Promise<void> };

type Parts = {
	entries: SearchEntries;
	requests: Pick<PictureRequests, 'find'>;
	embedder: Embedder;
	/** The model that embeds. */
	model: string;
	now: () => number;
};

/** Finds results by the meaning of their prompts. */
export class ResultSearch {
	readonly #parts: Parts;
	readonly #servers = new LRUCache<string, ServerTable>({ max: MAX_SERVERS, ttl: KEPT_MS, updateAgeOnGet: true });

	constructor(parts: Parts) {
		this.#parts = parts;
	}

	/** Adds a result that was delivered. Its prompt is embedded in the background. */
	async add(job: string, request: PictureRequest): Promise<void> {
		const added = this.#parts.now();
		await this.#parts.entries.add(request.place, job, added);
		this.#embed(job, request, added);
	}

	drop(place: Place, job: string): Promise<void> {
		this.#servers.get(nameOf(place))?.table.remove(job);
		return this.#parts.entries.drop(place, job);
	}

	/**
	 * Returns the jobs of the results that fit words best, the best first: a person's own, and public ones of the channel or thread.
	 *
	 * @param own only the person's own
	 * @throws SentenceError when the service has no embeddings
	 * @throws ServiceError
	 */
	async search(place: Place, person: Pick<Person, 'id'>, words: string, own: boolean): Promise<string[]> {
		const vector = await this.#parts.embedder.embed(words);
		const table = await this.#read(place);
		const accepts = (result: SearchableResult) => result.person === person.id || (!own && isPublicIn(place, result));
		const jobs = await table.nearest(sketchOf(vector), CANDIDATES, accepts);
		const embeddings = await this.#parts.entries.find(place, jobs);
		const ranked = jobs.flatMap((job, index) => {
			const embedding = embeddings[index];
			// Another process has removed it.
			if (!embedding) table.remove(job);
			return embedding ? [{ job, value: likeness(vectorOf(embedding), vector) }] : [];
		});
		const near = ranked.filter(({ value }) => value >= MIN_LIKENESS).toSorted((a, b) => b.value - a.value);
		return near.map(({ job }) => job);
	}

	/** Reads what was added since the last time. */
	async #read(place: Place): Promise<VectorTable> {
		const name = nameOf(place);
		const server = this.#servers.get(name) ?? {
			table: new VectorTable(CAPACITY),
			since: 0,
			incomplete: new Set(),
			reading: Promise.resolve(),
		};
		this.#servers.set(name, server);
		// One after the other; the next one has little left to read.
		server.reading = server.reading.catch(() => {}).then(() => this.#readNew(place, server));
		await server.reading;
		return server.table;
	}

	async #readNew(place: Place, server: ServerTable): Promise<void> {
		const { entries, now } = this.#parts;
		const began = now();
		await this.#readEmbeddings(place, server, [...server.incomplete]);
		for await (const page of entries.pages(place, server.since)) {
			const members = page.filter((member) => !server.table.has(idOfMember(member)));
			const missing = await this.#readEmbeddings(place, server, members.map(idOfMember));
			for (const member of members) if (missing.has(idOfMember(member))) await this.#embedLater(place, server, member);
		}
		server.since = began - OVERLAP_MS;
	}

	/** Adds the results that have an embedding. Returns the others. */
	async #readEmbeddings(place: Place, server: ServerTable, jobs: readonly string[]): Promise<ReadonlySet<string>> {
		const embeddings = await this.#parts.entries.find(place, jobs);
		for (const [index, job] of jobs.entries()) {
			const embedding = embeddings[index];
			if (embedding) this.#addTo(server, job, embedding);
		}
		return new Set(jobs.filter((_, index) => !embeddings[index]));
	}

	#addTo({ table, incomplete }: ServerTable, job: string, embedding: StoredEmbedding): void {
		incomplete.delete(job);
		// Those of another model stay, in case that it is set again.
		if (embedding.model === this.#parts.model) table.add({ ...embedding, job }, sketchOf(vectorOf(embedding)));
	}

	/** The prompt waits for its embedding, or its process has ended before it came. */
	async #embedLater(place: Place, server: ServerTable, member: string): Promise<void> {
		const job = idOfMember(member);
		if (server.incomplete.has(job) || server.incomplete.size >= MAX_INCOMPLETE) return;
		const { requests, entries } = this.#parts;
		const request = await requests.find(job);
		if (!request) return entries.forget(place, member);
		server.incomplete.add(job);
		this.#embed(job, request, timeOfMember(member));
	}

	#embed(job: string, request: PictureRequest, added: number): void {
		const { embedder, entries, requests, model } = this.#parts;
		const { place, person } = request;
		const result = {
			...{ person: person.id, channel: place.channel, thread: place.thread },
			private: request.private || place.direct === true,
		};
		embedder.enqueue({
			text: request.prompt,
			async onVector(vector) {
				await entries.save(place, job, { ...result, model, added, vector: Buffer.from(vector).toString('base64') });
				// The result may have been deleted meanwhile.
				if (!(await requests.find(job))) await entries.drop(place, job);
			},
		});
	}
}

const nameOf = ({ platform, server }: Place) => `${platform}/${server}`;

const vectorOf = ({ vector }: StoredEmbedding): Int8Array => new Int8Array(Buffer.from(vector, 'base64'));

/** Not everybody who sees a channel sees its threads. */
const isPublicIn = (here: Place, { private: isPrivate, channel, thread }: SearchableResult): boolean =>
	!isPrivate && channel === here.channel && (thread === undefined || thread === here.thread);
