import { LRUCache } from 'lru-cache';
import type { Place, ServerId } from '../../domain/channel.ts';
import { KeyedQueue } from '../../domain/queues.ts';
import type { Easel } from '../../easel.ts';
import { SentenceError } from '../../i18n/translator.ts';
import type { PictureRequest, PictureRequests } from '../../requests/requests.ts';
import { ServiceError } from '../../service/errors.ts';
import {
	type Change,
	Collection,
	createPauses,
	idOfMember,
	pagesOf,
	personIn,
	type Space,
	timedMember,
	timeKey,
	timeOfMember,
} from '../../store/store.ts';

/** What the searched results of a server take in memory at most: some 100,000 of them, the latest. */
const MAX_BYTES = 128 * 1024 * 1024;

/** What a result takes besides its vector. */
const ENTRY_BYTES = 256;

/** How long vectors stay in memory after the last search in their server, in milliseconds. */
const KEPT_MS = 10 * 60_000;

/** Other processes store an embedding some time after its result, and their clocks differ. */
const OVERLAP_MS = 10 * 60_000;

/** The nearest results that a search returns. Some of them are no longer shown. */
const MAX_FOUND = 100;

/** Texts that have nothing in common are less alike than this, with most models. */
const MIN_LIKENESS = 0.2;

/** The embedding of a result's prompt as it is stored, and who may find the result, and where. */
export type StoredEmbedding = {
	person: string;
	channel: string;
	thread?: string;
	/** Only the person who asked may find it. */
	private: boolean;
	/** Vectors of different models cannot be compared. */
	model: string;
	/** A vector of `quantize` in base64. */
	vector: string;
	/** When the result was added, in Unix milliseconds. */
	added: number;
};

/** Its indexes are those of the results of each server. */
export const embeddings = new Collection<StoredEmbedding, { platform: string; server: string; id: string }>('search/', {
	owner: 'person',
	holds: 'the embedding of a prompt',
	lifetime: 'retention',
	key: ({ id, ...server }) => `${indexOf(server)}/${id}`,
	indexed(key, { added }) {
		const end = key.lastIndexOf('/');
		return [{ index: key.slice(0, end), member: timedMember(added, key.slice(end + 1)) }];
	},
	erasure: 'deleted',
	group: 'prompts',
	ofCall: (call) => call,
	peopleOf: (key, { person }) => [{ ...personIn(key, '/'), id: person }],
	exported: (_, { model, added }) => ({ model, at: added }),
});

/** The vectors of a server in memory, the time that they were read up to, and the results whose embedding this process makes. */
type ServerVectors = { table: VectorTable; since: number; enqueued: Set<string> };

/** Finds results by the meaning of their prompts: an exact comparison with every vector of the server. */
export class ResultSearch {
	readonly #easel: Easel;
	readonly #requests: PictureRequests;
	readonly #space: Space;
	readonly #embedder: Embedder;
	/** Reads of one server, one after the other: the next one has little left to read. */
	readonly #reads = new KeyedQueue();
	readonly #servers = new LRUCache<string, ServerVectors>({
		...{ maxSize: MAX_BYTES, ttl: KEPT_MS, updateAgeOnGet: true },
		sizeCalculation: ({ table }) => Math.max(1, table.calculatedSize),
	});

	constructor(easel: Easel, requests: PictureRequests) {
		this.#easel = easel;
		this.#requests = requests;
		this.#space = embeddings.in(easel);
		this.#embedder = new Embedder(easel);
	}

	/** Returns the change that adds a result that was delivered. Its prompt is embedded in the background. */
	adding(job: string, request: PictureRequest): Change {
		const { now, retentionMs: ttlMs } = this.#easel;
		const added = now();
		const index = indexOf(request.place);
		this.#embed(job, request, added);
		return {
			index: [{ space: embeddings.space, index, member: timedMember(added, job), ttlMs, from: timeKey(added - ttlMs) }],
		};
	}

	async drop(place: Place, job: string): Promise<void> {
		this.#servers.get(indexOf(place))?.table.delete(job);
		const [embedding] = await this.#embeddings(place, [job]);
		if (embedding) await this.#remove(place, job, embedding);
	}

	/**
	 * Returns the jobs of the results that fit words best, the best first: a person's own, and public ones of the channel or thread.
	 *
	 * @param own only the person's own
	 * @throws SentenceError when the service has no embeddings
	 * @throws ServiceError
	 */
	async search(place: Place, person: { id: string }, words: string, own: boolean): Promise<string[]> {
		const vector = await this.#embedder.embed(words);
		const table = await this.#read(place);
		const jobs = await table.nearest(
			vector,
			(result) => result.person === person.id || (!own && isPublicIn(place, result)),
		);
		const embeddings = await this.#embeddings(place, jobs);
		// Another process has dropped the others.
		for (const [index, job] of jobs.entries()) if (!embeddings[index]) table.delete(job);
		return jobs.filter((_, index) => embeddings[index]);
	}

	/** Reads what was added since the last time. */
	#read(place: Place): Promise<VectorTable> {
		const name = indexOf(place);
		return this.#reads.run(name, async () => {
			const server = this.#servers.get(name) ?? { table: new VectorTable(MAX_BYTES), since: 0, enqueued: new Set() };
			this.#servers.set(name, server);
			const began = this.#easel.now();
			await this.#readNew(place, server);
			server.since = began - OVERLAP_MS;
			// Counts the bytes once more, and lets those of servers that were searched longer ago go.
			this.#servers.set(name, server);
			return server.table;
		});
	}

	async #readNew(place: Place, { table, enqueued, since }: ServerVectors): Promise<void> {
		for await (const page of pagesOf(this.#space, indexOf(place), { after: timeKey(since) })) {
			const members = page.filter((member) => !table.has(idOfMember(member)));
			const embeddings = await this.#embeddings(place, members.map(idOfMember));
			for (const [index, member] of members.entries()) {
				const embedding = embeddings[index];
				// Those of another model stay in the store, where that model may be set again.
				if (embedding?.model === this.#easel.service.embeddingModel) table.add(idOfMember(member), embedding);
				else if (!embedding) await this.#embedMissing(place, enqueued, member);
			}
		}
	}

	#embeddings({ platform, server }: ServerId, jobs: readonly string[]) {
		const ids = jobs.map((id) => ({ platform, server, id }));
		return embeddings.getMany(this.#space, ids);
	}

	/** The prompt waits for its embedding, or its process has ended before it came. */
	async #embedMissing(place: Place, enqueued: Set<string>, member: string): Promise<void> {
		const job = idOfMember(member);
		if (enqueued.has(job)) return;
		const request = await this.#requests.find(job);
		if (!request) return this.#space.commit({ unindex: [{ index: indexOf(place), member }] }).then(() => {});
		enqueued.add(job);
		this.#embed(job, request, timeOfMember(member));
	}

	async #remove({ platform, server }: Place, id: string, embedding: StoredEmbedding): Promise<void> {
		const key = embeddings.key({ platform, server, id });
		await this.#space.commit(embeddings.removal(key, embedding));
	}

	#embed(job: string, { prompt: text, place, person, private: isPrivate }: PictureRequest, added: number): void {
		const { channel, thread } = place;
		const onVector = async (vector: Int8Array) => {
			const embedding: StoredEmbedding = {
				...{ person: person.id, channel, thread, private: isPrivate || place.direct === true },
				...{ model: this.#easel.service.embeddingModel, added, vector: Buffer.from(vector).toString('base64') },
			};
			await embeddings.set(this.#easel, { ...place, id: job }, embedding);
			// The result may have been deleted meanwhile.
			if (await this.#requests.find(job)) this.#servers.get(indexOf(place))?.table.add(job, embedding);
			else await this.#remove(place, job, embedding);
		};
		this.#embedder.enqueue({ text, onVector });
	}
}

const indexOf = ({ platform, server }: ServerId) => `${platform}/${server}`;

/** Not everybody who sees a channel sees its threads. */
const isPublicIn = (here: Place, { private: isPrivate, channel, thread }: Findable): boolean =>
	!isPrivate && channel === here.channel && (thread === undefined || thread === here.thread);

type Findable = Pick<StoredEmbedding, 'person' | 'channel' | 'thread' | 'private'>;
type Entry = Findable & { vector: Int8Array; length: number };

/** The vectors of a server's results. Beyond its bound, new results replace the oldest. */
export class VectorTable extends LRUCache<string, Entry> {
	constructor(maxSize: number) {
		super({ maxSize, sizeCalculation: ({ vector }) => ENTRY_BYTES + vector.length });
	}

	add(job: string, { person, channel, thread, private: isPrivate, vector: base64 }: StoredEmbedding): void {
		const vector = new Int8Array(Buffer.from(base64, 'base64'));
		this.set(job, { person, channel, thread, private: isPrivate, vector, length: lengthOf(vector) });
	}

	/** Returns the jobs whose vectors are most like one, the best first. Other work goes on meanwhile. */
	async nearest(vector: Int8Array, accepts: (result: Findable) => boolean): Promise<string[]> {
		const pause = createPauses();
		const length = lengthOf(vector);
		const found: { job: string; likeness: number }[] = [];
		const cut = () => found.sort((one, other) => other.likeness - one.likeness).splice(MAX_FOUND);
		for (const job of [...this.keys()]) {
			const entry = this.peek(job);
			if (!entry || !accepts(entry)) continue;
			const likeness = product(vector, entry.vector) / (length * entry.length);
			if (likeness >= MIN_LIKENESS && found.push({ job, likeness }) === 2 * MAX_FOUND) cut();
			await pause();
		}
		cut();
		return found.map(({ job }) => job);
	}
}

/** Vectors of different lengths are of different models under one name. */
function product(one: Int8Array, other: Int8Array): number {
	if (one.length !== other.length) return 0;
	let sum = 0;
	for (let index = 0; index < one.length; index++) sum += (one[index] ?? 0) * (other[index] ?? 0);
	return sum;
}

const lengthOf = (vector: Int8Array) => Math.sqrt(product(vector, vector)) || 1;

/** Models that run on people's own machines take some 500 tokens, and ignore the rest. In UTF-16 units. */
const MAX_TEXT = 2000;

/** The most prompts that wait in memory. */
const MAX_WAITING = 1000;

const TIMEOUT_MS = 15_000;

/** How long no prompts are embedded after a failure, and nothing where the service has no embeddings, in milliseconds. */
const PAUSE_MS = 60_000;
const OFF_MS = 3_600_000;

/** Statuses of a service that does not have this call. */
const ABSENT: ReadonlySet<number | undefined> = new Set([404, 405, 501]);

type Waiting = { text: string; onVector: (vector: Int8Array) => Promise<void> };

/** Embeds texts by the image service: words at once, and prompts in the background, one call after the other. */
class Embedder {
	readonly #easel: Easel;
	/** Prompts are often asked for again. */
	readonly #vectors = new LRUCache<string, Int8Array>({ max: 500 });
	readonly #waiting: Waiting[] = [];
	#isRunning = false;
	#pausedUntil = Number.NEGATIVE_INFINITY;
	/** Why nothing is embedded, and until when. */
	#off = { until: Number.NEGATIVE_INFINITY, reason: new Error('on') };

	constructor(easel: Easel) {
		this.#easel = easel;
	}

	/**
	 * Embeds words that a person searches for.
	 *
	 * @throws SentenceError when the service has no embeddings
	 * @throws ServiceError
	 */
	async embed(words: string): Promise<Int8Array> {
		if (this.#isOff) throw this.#off.reason;
		return this.#request(words).catch((error: unknown) => {
			throw this.#isOff ? this.#off.reason : error;
		});
	}

	/** Embeds a prompt in the background. Nothing happens when the service does not answer, or refuses the prompt. */
	enqueue(waiting: Waiting): void {
		if (this.#waiting.length >= MAX_WAITING || this.#isOff) return;
		this.#waiting.push(waiting);
		if (!this.#isRunning) void this.#run();
	}

	get #isOff(): boolean {
		return this.#easel.now() < this.#off.until;
	}

	async #run(): Promise<void> {
		this.#isRunning = true;
		for (let next = this.#waiting[0]; next && this.#easel.now() >= this.#pausedUntil; next = this.#waiting[0]) {
			try {
				await next.onVector(await this.#request(next.text));
				this.#waiting.shift();
			} catch (error) {
				if (isRefusal(error) && !this.#isOff) this.#waiting.shift();
				else this.#pause(error);
			}
		}
		if (this.#isOff) this.#waiting.length = 0;
		this.#isRunning = false;
	}

	async #request(text: string): Promise<Int8Array> {
		const { service, stopping, now } = this.#easel;
		const clipped = text.slice(0, MAX_TEXT);
		const known = this.#vectors.get(clipped);
		if (known) return known;
		const signal = AbortSignal.any([stopping, AbortSignal.timeout(TIMEOUT_MS)]);
		try {
			const [numbers = []] = await service.embed({ input: [clipped] }, signal);
			const vector = quantize(numbers);
			this.#vectors.set(clipped, vector);
			return vector;
		} catch (error) {
			if (error instanceof ServiceError && ABSENT.has(error.status)) {
				// That it does not have the model, the service says itself.
				const reason = error.about === 'model' ? error : new SentenceError('find.errors.unavailable');
				this.#off = { until: now() + OFF_MS, reason };
			}
			throw error;
		}
	}

	#pause(error: unknown): void {
		const { stopping, log, now } = this.#easel;
		this.#pausedUntil = now() + PAUSE_MS;
		if (!stopping.aborted) log.warn({ err: error }, 'Prompts could not be embedded');
	}
}

const isRefusal = (error: unknown): boolean =>
	error instanceof ServiceError && (error.kind === 'content' || error.kind === 'request');

/** Returns a vector in whole numbers from -127 to 127. It has the same direction, and another length. */
export function quantize(vector: ArrayLike<number>): Int8Array {
	let largest = 0;
	for (let index = 0; index < vector.length; index++) largest = Math.max(largest, Math.abs(vector[index] ?? 0));
	return Int8Array.from(vector, (value) => Math.round((value * 127) / (largest || 1)));
}
