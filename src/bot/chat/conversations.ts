import { LRUCache } from 'lru-cache';
import type { Place, PlaceScope, ServerId } from '../../domain/channel.ts';
import type { Talk } from '../../domain/platform.ts';
import { bounded, KeyedQueue } from '../../domain/queues.ts';
import {
	type Change,
	createClaim,
	DAY_MS,
	HOUR_MS,
	idOfMember,
	joinChanges,
	membersOf,
	type Space,
	timedMember,
	timeKey,
	timeOfMember,
} from '../../store/store.ts';
import {
	type ChatAnswer,
	type Conversation,
	excess,
	isAnswer,
	type Numbered,
	type TranscriptEntry,
	threadKey,
	type Utterance,
} from './transcript.ts';

/** The number of threads that are known while the store fails. */
const MAX_LAST_SEEN = 10_000;

/** Longer than a platform repeats a delivery. */
const EVENT_TTL_MS = 7 * 24 * 3600_000;

/** How long an unused thread and a greeting are remembered. */
const THREAD_TTL_MS = 366 * 24 * 3600_000;

/** A thread is renewed, and its oldest messages are dropped, whenever so many messages have been added to it. */
const RENEW_EVERY = 20;

/** What is kept of a thread while nobody asks the bot. More than a model gets: the turn that leaves something out says so. */
const KEPT = { characters: 48_000, messages: 120 };

/** The most entries of a thread, also while an answer is being written. */
const MAX_ENTRIES = 300;

/** Longer than a platform repeats the delivery of a message, or looks for messages that it has missed. */
const DELIVERY_TTL_MS = 2 * DAY_MS;

const GONE: TranscriptEntry = { kind: 'gone' };

/** How long what others said before a message is kept: for its answer, and for that to be retried. */
const CONTEXT_TTL_MS = HOUR_MS;

/** The most conversations that are looked through for messages that were missed. */
const MAX_TALKS = 50;

/** The threads that a person may open within a day without a chat turn, which caps would count. */
export const MAX_OPENED = 100;

/** How often an app is answered in a channel within an hour. */
const MAX_APP_ANSWERS = 20;

const WAITING = 'waiting';

/**
 * The threads that the bot takes part in: one entry of the store for each thread and one for each message. Messages are numbered
 * and each number is given once, so that several processes can add messages to a thread without a lock.
 */
export class Conversations {
	readonly #space: Space;
	readonly #ttlMs: number;
	/** The threads as this process has last read or saved them. */
	readonly #lastSeen = new LRUCache<string, Conversation>(bounded(MAX_LAST_SEEN));
	/** Additions to a thread: at once, all but one would be made again. */
	readonly #adding = new KeyedQueue();

	/** @param ttlMs how long messages are kept */
	constructor(space: Space, ttlMs: number) {
		this.#space = space;
		this.#ttlMs = ttlMs;
	}

	async find(place: Place): Promise<Conversation | undefined> {
		const thread = threadKey(place);
		const conversation = await this.#space.keyv.get<Conversation>(`thread:${thread}`);
		this.#lastSeen.set(thread, conversation);
		return conversation;
	}

	/** Returns a thread as this process has last seen it, for while the store fails. It may be out of date. */
	lastSeen(place: Place): Conversation | undefined {
		return this.#lastSeen.get(threadKey(place));
	}

	async save({ since, ...settings }: Conversation): Promise<void> {
		const { place } = settings;
		const thread = threadKey(place);
		const conversation = { ...settings, since: Date.now() };
		this.#lastSeen.set(thread, conversation);
		const from = timeKey(conversation.since - THREAD_TTL_MS);
		const isMoved = since !== undefined && since !== conversation.since;
		await this.#space.commit({
			put: [{ key: `thread:${thread}`, value: conversation, ttlMs: THREAD_TTL_MS }],
			// Threads that were saved before that have expired.
			index: [{ ...threadMember(conversation), ttlMs: THREAD_TTL_MS, from }],
			unindex: isMoved ? [threadMember({ place, since })] : [],
		});
	}

	/** Returns the kept messages of a thread, oldest first. */
	async read(place: Place): Promise<Numbered[]> {
		const thread = threadKey(place);
		return this.#entriesOf(thread, await this.#boundsOf(thread));
	}

	/**
	 * Adds the entry that `decide` returns, if any. `decide` is called again when another entry was added meanwhile.
	 *
	 * @returns the new entry and those before it
	 */
	append<Entry extends TranscriptEntry>(
		place: Place,
		decide: (before: Numbered[]) => Entry | undefined | Promise<Entry | undefined>,
	): Promise<{ entry: Numbered<Entry>; before: Numbered[] } | undefined> {
		const thread = threadKey(place);
		return this.#adding.run(thread, async () => {
			for (;;) {
				const bounds = await this.#boundsOf(thread);
				const before = await this.#entriesOf(thread, bounds);
				const entry = await decide(before);
				if (!entry) return undefined;
				const numbered = { ...entry, number: bounds.next };
				if ((await this.#write(place, numbered)) === 'done') return { entry: numbered, before };
			}
		});
	}

	/**
	 * Adds a message, without reading the thread. Returns false when it was added before. One that was only overheard may be added once more, to
	 * be answered, such as when an edit has added the mention.
	 *
	 * @param process the one that is to answer it; recorded with the message, so that another answers it after a crash
	 * @param context what others said before it, which is kept for an hour only
	 */
	add(place: Place, message: Utterance, process?: string, context?: string): Promise<boolean> {
		const thread = threadKey(place);
		const seen = `seen:${thread}:${message.id}`;
		const overheard = `${seen}:overheard`;
		const counts = message.aside ? { [seen]: 0, [overheard]: 1 } : { [seen]: 1 };
		const add = Object.entries(counts).map(([key, by]) => ({ key, by, atMost: by, ttlMs: DELIVERY_TTL_MS }));
		const waiting = process === undefined ? {} : waitingFor(place, process, this.#ttlMs);
		return this.#adding.run(thread, async () => {
			for (;;) {
				const { first, next, heard, more } = await this.#boundsOf(thread, overheard);
				const before = more && !message.aside ? await this.#entriesOf(thread, { first, next }) : [];
				const replaced = before.filter((entry) => entry.kind === 'said' && entry.id === message.id);
				const now = { place, last: message.id, at: Date.now() };
				const from = timeKey(now.at - DAY_MS);
				const change: Change = {
					add,
					put: [
						{ key: `heard:${thread}`, value: now, ttlMs: DELIVERY_TTL_MS },
						...(context === undefined
							? []
							: [{ key: contextKey(thread, next), value: context, ttlMs: CONTEXT_TTL_MS }]),
						...replaced.map(({ number }) => ({ key: entryKey(thread, number), value: GONE, ttlMs: this.#ttlMs })),
					],
					index: [{ ...talkMember(now), ttlMs: DELIVERY_TTL_MS, from }],
					unindex: heard && heard.at !== now.at ? [talkMember(heard)] : [],
				};
				const result = await this.#write(place, { ...message, number: next }, joinChanges(change, waiting));
				if (result !== 'duplicate') return result === 'done';
			}
		});
	}

	/** Returns what was said before messages of a thread, as far as it is still kept, by their numbers. */
	async contextsOf(place: Place, entries: readonly Numbered[]): Promise<Map<number, string>> {
		const numbers = entries.filter(({ kind }) => kind === 'said').map(({ number }) => number);
		const keys = numbers.map((number) => contextKey(threadKey(place), number));
		const found = keys.length === 0 ? [] : await this.#space.keyv.getMany<string>(keys);
		return new Map(numbers.flatMap((number, index) => (found[index] === undefined ? [] : [[number, found[index]]])));
	}

	/** See `Inbox.talks`. */
	async talks(platform: string): Promise<Talk[]> {
		const page = { after: timeKey(Date.now() - DAY_MS), limit: MAX_TALKS, descending: true };
		const members = await this.#space.members(talksIndex({ platform }), page);
		const heard = await this.#space.keyv.getMany<Heard>(members.map((member) => `heard:${idOfMember(member)}`));
		// A member is outdated when another process has replaced its entry at the same moment.
		return heard.flatMap((talk, index) =>
			talk && timeOfMember(members[index]!) === talk.at ? [{ place: talk.place, last: talk.last }] : [],
		);
	}

	/** Stores a new entry, unless another process has given its number away. */
	async #write(place: Place, { number, ...entry }: Numbered, { put = [], ...change }: Change = {}) {
		const thread = threadKey(place);
		const key = entryKey(thread, number);
		const next = { key: `next:${thread}`, value: number + 1, ttlMs: THREAD_TTL_MS };
		const puts = [{ key, value: entry, ttlMs: this.#ttlMs }, next, ...put];
		const result = await this.#space.commit({ ...change, once: key, put: puts });
		if (result === 'done' && number % RENEW_EVERY === 0) {
			const conversation = await this.find(place);
			if (conversation) await this.save(conversation);
			await this.#dropOldest(place);
		}
		return result;
	}

	/** Bounds a thread, also when nobody asks the bot. An answer that is being written stays, so that no other begins. */
	async #dropOldest(place: Place): Promise<void> {
		const entries = await this.read(place);
		const running = entries.findIndex((entry) => isAnswer(entry) && entry.state === 'running');
		const dropped = excess(entries, KEPT);
		const until = running === -1 ? dropped : Math.min(dropped, running);
		const oldest = entries[Math.max(until, entries.length - MAX_ENTRIES)];
		if (oldest) await this.drop(place, oldest.number);
	}

	async replace(place: Place, { number, ...entry }: Numbered): Promise<void> {
		const key = entryKey(threadKey(place), number);
		if (await this.#space.keyv.has(key)) await this.#space.keyv.set(key, entry, this.#ttlMs);
	}

	/** Drops the entries before the one with this number; all of them by default. The bot still takes part in the thread. */
	async drop(place: Place, before?: number): Promise<void> {
		const thread = threadKey(place);
		const { first, next } = await this.#boundsOf(thread);
		const until = before ?? next;
		if (until <= first) return;
		const put = [{ key: `first:${thread}`, value: until, ttlMs: THREAD_TTL_MS }];
		await this.#space.commit({ put, remove: allKeys(thread, first, until) });
	}

	/** Deletes everything that is kept of a thread, or of the threads of a channel or server. */
	async purge({ platform, server, channel, thread }: PlaceScope): Promise<void> {
		if (channel !== undefined && thread !== undefined) return this.#purgeThread({ platform, server, channel, thread });
		for await (const member of membersOf(this.#space, threadsIndex({ platform, server }))) {
			const place: Place = { platform, server, ...threadOf(member) };
			if (channel === undefined || place.channel === channel) await this.#purgeThread(place);
		}
	}

	/** Carries the threads of a channel on to its new id. */
	async move({ channel, ...server }: ServerId & { channel: string }, to: string): Promise<void> {
		for await (const member of membersOf(this.#space, threadsIndex(server))) {
			const from: Place = { ...server, ...threadOf(member) };
			if (from.channel === channel) await this.#moveThread(from, { ...from, channel: to });
		}
	}

	async #moveThread(from: Place, to: Place): Promise<void> {
		const { keyv } = this.#space;
		const [before, after] = [threadKey(from), threadKey(to)];
		const conversation = await this.find(from);
		if (!conversation) return;
		const { first, next, heard } = await this.#boundsOf(before);
		for (let number = first; number < next; number++) {
			const { value, expires } = (await keyv.getRaw<TranscriptEntry>(entryKey(before, number))) ?? {};
			if (value) await keyv.set(entryKey(after, number), value, expires ? expires - Date.now() : this.#ttlMs);
		}
		const moved = heard ? [{ ...heard, place: to }] : [];
		await this.#space.commit({
			put: [
				{ key: `first:${after}`, value: first, ttlMs: THREAD_TTL_MS },
				{ key: `next:${after}`, value: next, ttlMs: THREAD_TTL_MS },
				...moved.map((value) => ({ key: `heard:${after}`, value, ttlMs: DELIVERY_TTL_MS })),
			],
			index: moved.map((talk) => ({ ...talkMember(talk), ttlMs: DELIVERY_TTL_MS })),
		});
		await this.save({ ...conversation, place: to });
		await this.#purgeThread(from);
	}

	async #purgeThread(place: Place): Promise<void> {
		const thread = threadKey(place);
		const conversation = await this.find(place);
		const { first, next, heard } = await this.#boundsOf(thread);
		this.#lastSeen.delete(thread);
		const keys = ['thread', 'first', 'next', 'waiting', 'heard'].map((kind) => `${kind}:${thread}`);
		const members = [...(conversation ? [threadMember(conversation)] : []), ...(heard ? [talkMember(heard)] : [])];
		await this.#space.commit({
			remove: [...keys, ...allKeys(thread, first, next)],
			unindex: [{ index: WAITING, member: thread }, ...members],
		});
	}

	/**
	 * Erases people from all threads: every entry of a thread whose first kept message is theirs, elsewhere their messages and the
	 * answers to them. It reads all messages that are kept.
	 *
	 * @returns the answers that were erased, and the places of the threads
	 */
	async erasePeople(is: IsPerson): Promise<{ places: Place[]; answers: ChatAnswer[] }> {
		const answers: ChatAnswer[] = [];
		const found = new Map<string, { place: Place; numbers: number[] }>();
		for await (const [key, value] of this.#space.list('entry:')) {
			const { number, ...place }: Place & { number: number } = threadOfEntry(key);
			const entry = value as TranscriptEntry;
			const ids = entry.kind === 'said' ? [entry.person.id] : isAnswer(entry) ? entry.to : [];
			if (!ids.some((id) => is({ ...place, id }))) continue;
			if (isAnswer(entry)) answers.push(entry);
			const thread = found.get(threadKey(place)) ?? { place, numbers: [] };
			found.set(threadKey(place), thread);
			thread.numbers.push(number);
		}
		for (const { place, numbers } of found.values()) {
			const entries = await this.read(place);
			const first = entries.find((entry) => entry.kind === 'said');
			if (first && is({ ...place, id: first.person.id })) await this.drop(place);
			else for (const number of numbers) await this.replace(place, { kind: 'gone', number });
			await this.#space.commit({ remove: numbers.map((number) => contextKey(threadKey(place), number)) });
		}
		return { places: [...found.values()].map(({ place }) => place), answers };
	}

	async wait(place: Place, process: string): Promise<void> {
		await this.#space.commit(waitingFor(place, process, this.#ttlMs));
	}

	async waitNoLonger(place: Place): Promise<void> {
		const member = threadKey(place);
		await this.#space.commit({ remove: [`waiting:${member}`], unindex: [{ index: WAITING, member }] });
	}

	async *waiting(): AsyncIterable<{ place: Place; process: string }> {
		for await (const member of membersOf(this.#space, WAITING)) {
			const waiting = await this.#space.keyv.get<{ place: Place; process: string }>(`waiting:${member}`);
			if (waiting) yield waiting;
			else await this.#space.commit({ unindex: [{ index: WAITING, member }] });
		}
	}

	/** Returns true the first time it is called for an event, so that one delivered twice is handled once. */
	isFirst(event: string, ttlMs = EVENT_TTL_MS): Promise<boolean> {
		return createClaim(this.#space)(`seen:${event}`, ttlMs);
	}

	/** Lets the next call of `isFirst` for an event return true. */
	async release(event: string): Promise<void> {
		await this.#space.commit({ remove: [`seen:${event}`] });
	}

	/** Returns true the first time that it is called for a direct message, so that people are greeted once. */
	isFirstContact({ platform, server, channel }: Place): Promise<boolean> {
		return this.isFirst(`greeted:${platform}:${server}:${channel}`, THREAD_TTL_MS);
	}

	isFirstWelcome({ platform, server }: ServerId): Promise<boolean> {
		return this.isFirst(`welcomed:${platform}:${server}`, THREAD_TTL_MS);
	}

	/** Counts a thread that a person opens without a chat turn. Returns false when they have opened too many today. */
	mayOpen({ platform }: Place, { id }: { id: string }): Promise<boolean> {
		return this.#count(`opened:${platform}:${id}`, MAX_OPENED, DAY_MS);
	}

	/** Counts an answer to an app in a channel. Returns false when it had so many within an hour: two bots may answer each other. */
	mayAnswerApp({ platform, server, channel }: Place, { id }: { id: string }): Promise<boolean> {
		return this.#count(`app:${platform}:${server}:${channel}:${id}`, MAX_APP_ANSWERS, HOUR_MS);
	}

	async #count(key: string, atMost: number, ttlMs: number): Promise<boolean> {
		return (await this.#space.commit({ add: [{ key, by: 1, atMost, ttlMs }] })) === 'done';
	}

	/** Returns the numbers of the first entry and of the next one, the last message that was heard, and the value of one more key. */
	async #boundsOf(thread: string, ...another: string[]) {
		const keys = [...['first', 'next', 'heard'].map((kind) => `${kind}:${thread}`), ...another];
		const found = (await this.#space.keyv.getMany<unknown>(keys)) as [number?, number?, Heard?, unknown?];
		const [first = 0, next = 0, heard, more] = found;
		return { first, next: Math.max(first, next), heard, more };
	}

	async #entriesOf(thread: string, { first, next }: { first: number; next: number }): Promise<Numbered[]> {
		const keys = entryKeys(thread, first, next);
		const found = keys.length === 0 ? [] : await this.#space.keyv.getMany<TranscriptEntry>(keys);
		// The oldest entries expire first.
		return found.flatMap((entry, index) => (entry ? [{ ...entry, number: first + index }] : []));
	}
}

export type IsPerson = (person: ServerId & { id: string }) => boolean;

const entryKey = (thread: string, number: number) => `entry:${thread}:${number}`;

/** Returns the thread and the number in the key of an entry. Ids of servers may contain a colon. */
export function threadOfEntry(key: string): Place & { number: number } {
	const [, platform = '', ...rest] = key.split(':');
	const [number, thread = '', channel = '', ...server] = rest.reverse();
	return { platform, server: server.reverse().join(':'), channel, thread: thread || undefined, number: Number(number) };
}

const contextKey = (thread: string, number: number) => `context:${thread}:${number}`;

const entryKeys = (thread: string, first: number, next: number, keyOf = entryKey) =>
	Array.from({ length: next - first }, (_, index) => keyOf(thread, first + index));

const allKeys = (thread: string, first: number, next: number) => [
	...entryKeys(thread, first, next),
	...entryKeys(thread, first, next, contextKey),
];

/** Returns the change that records that people wait in a thread for a process. */
const waitingFor = (place: Place, process: string, ttlMs: number): Change => ({
	put: [{ key: `waiting:${threadKey(place)}`, value: { place, process }, ttlMs }],
	index: [{ index: WAITING, member: threadKey(place) }],
});

/** The index of a server's threads, by when they were saved last. */
const threadsIndex = ({ platform, server }: ServerId) => `threads:${platform}:${server}`;

/** The last message that was heard in a thread, in the last days. `at` in Unix milliseconds. */
type Heard = { place: Place; last: string; at: number };

/** The index of a platform's threads by when the last message was heard there. */
const talksIndex = ({ platform }: { platform: string }) => `talks:${platform}`;

const talkMember = ({ place, at }: Heard) => ({ index: talksIndex(place), member: timedMember(at, threadKey(place)) });

const threadMember = ({ place, since = 0 }: Pick<Conversation, 'place' | 'since'>) => ({
	index: threadsIndex(place),
	member: timedMember(since, `${place.channel}:${place.thread ?? ''}`),
});

function threadOf(member: string): Pick<Place, 'channel' | 'thread'> {
	const [channel = '', thread = ''] = idOfMember(member).split(':');
	return { channel, ...(thread && { thread }) };
}
