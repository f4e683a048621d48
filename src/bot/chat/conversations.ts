import type { Place, PlaceScope } from '../../domain/place.ts';
import type { Space } from '../../store/store.ts';
import { type Conversation, type Transcript, type TranscriptEntry, threadKey } from './transcript.ts';

/** The number of entries that are read from the store at once. */
const BATCH = 64;

/** Longer than any answer takes. */
const STOP_TTL_MS = 3600_000;

/**
 * The threads that the bot takes part in: one entry of the store for each thread and one for each message. Messages are numbered
 * and each number is given once, so that several processes can add messages to a thread without a lock.
 */
export class Conversations {
	readonly #space: Space;

	constructor(space: Space) {
		this.#space = space;
	}

	find(place: Place): Promise<Conversation | undefined> {
		return this.#space.keyv.get<Conversation>(`thread:${threadKey(place)}`);
	}

	async save(conversation: Conversation): Promise<void> {
		await this.#space.keyv.set(`thread:${threadKey(conversation.place)}`, conversation);
	}

	async read(place: Place): Promise<Transcript> {
		const thread = threadKey(place);
		const first = await this.#firstOf(thread);
		const entries: TranscriptEntry[] = [];
		for (;;) {
			const next = first + entries.length;
			const keys = Array.from({ length: BATCH }, (_, index) => entryKey(thread, next + index));
			const found = await this.#space.keyv.getMany<TranscriptEntry>(keys);
			const end = found.findIndex((entry) => entry === undefined || entry === null);
			entries.push(...(found.slice(0, end < 0 ? undefined : end) as TranscriptEntry[]));
			if (end >= 0) return { first, entries };
		}
	}

	/**
	 * Adds the entry that `decide` returns, if any. `decide` is called again when another entry was added meanwhile.
	 *
	 * @returns the number of the new entry and the transcript before it
	 */
	async append(
		place: Place,
		decide: (before: Transcript) => TranscriptEntry | undefined | Promise<TranscriptEntry | undefined>,
	): Promise<{ number: number; before: Transcript } | undefined> {
		for (;;) {
			const before = await this.read(place);
			const entry = await decide(before);
			if (!entry) return undefined;
			const number = before.first + before.entries.length;
			const key = entryKey(threadKey(place), number);
			if ((await this.#space.commit({ once: key, put: [{ key, value: entry }] })) === 'done') return { number, before };
		}
	}

	/** Replaces an entry, unless it has been dropped. */
	async replace(place: Place, number: number, entry: TranscriptEntry): Promise<void> {
		const thread = threadKey(place);
		const key = entryKey(thread, number);
		if (number < (await this.#firstOf(thread)) || !(await this.#space.keyv.has(key))) return;
		await this.#space.keyv.set(key, entry);
	}

	/** Drops the entries before the one with this number. */
	async drop(place: Place, until: number): Promise<void> {
		const thread = threadKey(place);
		const first = await this.#firstOf(thread);
		if (until <= first) return;
		const remove = Array.from({ length: until - first }, (_, index) => entryKey(thread, first + index));
		await this.#space.commit({ put: [{ key: `first:${thread}`, value: until }], remove });
	}

	/** Drops all entries. The bot still takes part in the thread. */
	async clear(place: Place): Promise<void> {
		const { first, entries } = await this.read(place);
		await this.drop(place, first + entries.length);
	}

	/** Deletes everything that is kept of a thread, or of the threads of a channel or server. */
	async purge({ platform, server, channel, thread }: PlaceScope): Promise<void> {
		if (channel !== undefined && thread !== undefined) return this.#purgeThread({ platform, server, channel, thread });
		const prefix = [platform, server, ...(channel === undefined ? [] : [channel])].join(':');
		for await (const [, conversation] of this.#space.list(`thread:${prefix}:`))
			await this.#purgeThread((conversation as Conversation).place);
	}

	/** Records that people wait in this thread for an answer by this process. */
	async wait(place: Place, process: string): Promise<void> {
		await this.#space.keyv.set(`waiting:${threadKey(place)}`, { place, process });
	}

	async waitNoLonger(place: Place): Promise<void> {
		await this.#space.keyv.delete(`waiting:${threadKey(place)}`);
	}

	async *waiting(): AsyncIterable<{ place: Place; process: string }> {
		for await (const [, value] of this.#space.list('waiting:')) yield value as { place: Place; process: string };
	}

	/** Asks the process that writes this answer to stop it. */
	async requestStop(answer: string): Promise<void> {
		await this.#space.keyv.set(`stop:${answer}`, true, STOP_TTL_MS);
	}

	isStopRequested(answer: string): Promise<boolean> {
		return this.#space.keyv.has(`stop:${answer}`);
	}

	/** Returns true the first time it is called for an event, so that one delivered twice is handled once. */
	async once(event: string): Promise<boolean> {
		return (await this.#space.commit({ once: `seen:${event}` })) === 'done';
	}

	async #firstOf(thread: string): Promise<number> {
		return (await this.#space.keyv.get<number>(`first:${thread}`)) ?? 0;
	}

	async #purgeThread(place: Place): Promise<void> {
		const thread = threadKey(place);
		const { first, entries } = await this.read(place);
		await this.#space.commit({
			remove: [
				...[`thread:${thread}`, `first:${thread}`, `waiting:${thread}`],
				...entries.map((_, index) => entryKey(thread, first + index)),
			],
		});
	}
}

const entryKey = (thread: string, number: number) => `entry:${thread}:${number}`;
