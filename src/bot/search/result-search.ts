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
	personIn,
	type Space,
	timedMember,
	timeKey,
	timeOfMember,
} from '../../store/store.ts';

/** The newest results of a server, which a search looks through. */
const MAX_SEARCHED = 100_000;

/** The results that are read at once. */
const PER_PAGE = 100;

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
export const embeddings = new Collection<StoredEmbedding, ServerId & { id: string }>('search/', {
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

/** Finds results by the meaning of their prompts: an exact comparison with every vector of the server. */
export class ResultSearch {
	readonly #easel: Easel;
	readonly #requests: PictureRequests;
	readonly #space: Space;
	readonly #embedder: Embedder;
	/** Searches in one server, one after the other: each reads all of its vectors. */
	readonly #searches = new KeyedQueue();
	/** Results whose missing embedding this process makes, or has tried to make. */
	readonly #tried = new LRUCache<string, true>({ max: MAX_WAITING, ttl: PAUSE_MS });

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

	async drop({ platform, server }: ServerId, id: string): Promise<void> {
		const embedding = await embeddings.get(this.#space, { platform, server, id });
		if (embedding) await this.#space.commit(embeddings.removal(embeddings.key({ platform, server, id }), embedding));
	}

	/**
	 * Returns the jobs of the results that fit words best, the best first: a person's own, and public ones of the channel or thread.
	 *
	 * @param own only the person's own
	 * @throws SentenceError when the service has no embeddings
	 * @throws ServiceError
	 */
	async search(place: Place, person: { id: string }, words: string, own: boolean): Promise<string[]> {
		const nearest = new Nearest(await this.#embedder.embed(words));
		return this.#searches.run(indexOf(place), async () => {
			for await (const [member, embedding] of this.#newest(place)) {
				if (!embedding) await this.#embedMissing(place, member);
				// Those of another model stay in the store, where that model may be set again.
				else if (
					embedding.model === this.#easel.service.embeddingModel &&
					(embedding.person === person.id || (!own && isPublicIn(place, embedding)))
				)
					nearest.add(idOfMember(member), new Int8Array(Buffer.from(embedding.vector, 'base64')));
			}
			return nearest.jobs();
		});
	}

	/** Yields the members of a server's index, newest first, with their embeddings. */
	async *#newest({ platform, server }: ServerId): AsyncGenerator<[string, StoredEmbedding | undefined]> {
		const pause = createPauses();
		let before: string | undefined;
		for (let read = 0; read < MAX_SEARCHED; read += PER_PAGE) {
			const bounds = { before, limit: PER_PAGE, descending: true };
			const page = await this.#space.members(indexOf({ platform, server }), bounds);
			const ids = page.map((member) => ({ platform, server, id: idOfMember(member) }));
			const found = await embeddings.getMany(this.#space, ids);
			for (const [index, member] of page.entries()) yield [member, found[index]];
			if (page.length < PER_PAGE) return;
			before = page.at(-1);
			await pause();
		}
	}

	/** The prompt waits for its embedding, or could not be embedded, or its process has ended before. */
	async #embedMissing(place: Place, member: string): Promise<void> {
		const job = idOfMember(member);
		if (this.#tried.has(job)) return;
		const request = await this.#requests.find(job);
		if (request) {
			this.#tried.set(job, true);
			this.#embed(job, request, timeOfMember(member));
		} else await this.#space.commit({ unindex: [{ index: indexOf(place), member }] });
	}

	#embed(job: string, request: PictureRequest, added: number): void {
		const { place, person } = request;
		this.#embedder.embedLater(request.prompt, async (vector) => {
			const embedding: StoredEmbedding = {
				...{ person: person.id, channel: place.channel, thread: place.thread },
				...{ private: request.private || place.direct === true, model: this.#easel.service.embeddingModel, added },
				vector: Buffer.from(vector).toString('base64'),
			};
			await embeddings.set(this.#easel, { ...place, id: job }, embedding);
			// The result may have been deleted meanwhile.
			if (!(await this.#requests.find(job))) await this.drop(place, job);
		});
	}
}

const indexOf = ({ platform, server }: ServerId) => `${platform}/${server}`;

/** Not everybody who sees a channel sees its threads. */
const isPublicIn = (here: Place, { private: isPrivate, channel, thread }: StoredEmbedding): boolean =>
	!isPrivate && channel === here.channel && (thread === undefined || thread === here.thread);

/** Collects the results whose vectors are most like one. */
export class Nearest {
	readonly #vector: Int8Array;
	readonly #found: { job: string; likeness: number }[] = [];

	constructor(vector: Int8Array) {
		this.#vector = vector;
	}

	add(job: string, vector: Int8Array): void {
		const likeness = product(this.#vector, vector) / (lengthOf(this.#vector) * lengthOf(vector));
		if (likeness >= MIN_LIKENESS && this.#found.push({ job, likeness }) === 2 * MAX_FOUND) this.#cut();
	}

	/** Returns them, the best first. */
	jobs(): string[] {
		this.#cut();
		return this.#found.map(({ job }) => job);
	}

	#cut(): void {
		this.#found.sort((one, other) => other.likeness - one.likeness).splice(MAX_FOUND);
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

/** Embeds texts by the image service: words at once, and prompts in the background, one call after the other. */
class Embedder {
	readonly #easel: Easel;
	/** Prompts are often asked for again. */
	readonly #vectors = new LRUCache<string, Int8Array>({ max: 500 });
	readonly #prompts = new KeyedQueue();
	#waiting = 0;
	#pausedUntil = Number.NEGATIVE_INFINITY;
	/** Why nothing is embedded, and until when. */
	#off = { until: Number.NEGATIVE_INFINITY, reason: new Error('on') };

	constructor(easel: Easel) {
		this.#easel = easel;
	}

	/**
	 * Embeds a text now.
	 *
	 * @throws SentenceError when the service has no embeddings
	 * @throws ServiceError
	 */
	async embed(text: string): Promise<Int8Array> {
		const { service, stopping, now } = this.#easel;
		if (now() < this.#off.until) throw this.#off.reason;
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
			if (!(error instanceof ServiceError) || !ABSENT.has(error.status)) throw error;
			// That it does not have the model, the service says itself.
			const reason = error.about === 'model' ? error : new SentenceError('find.errors.unavailable');
			this.#off = { until: now() + OFF_MS, reason };
			throw reason;
		}
	}

	/** Embeds a prompt in the background. Where that fails, or too many wait, a search has it embedded later. */
	embedLater(prompt: string, onVector: (vector: Int8Array) => Promise<void>): void {
		const { now, stopping, log } = this.#easel;
		if (this.#waiting >= MAX_WAITING) return;
		this.#waiting++;
		void this.#prompts.run('', async () => {
			this.#waiting--;
			if (now() < Math.max(this.#pausedUntil, this.#off.until)) return;
			try {
				await onVector(await this.embed(prompt));
			} catch (error) {
				if (isRefusal(error)) return;
				this.#pausedUntil = now() + PAUSE_MS;
				if (!stopping.aborted) log.warn({ err: error }, 'Prompts could not be embedded');
			}
		});
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
