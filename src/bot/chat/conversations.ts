import type { Person } from '../../domain/person.ts';
import type { MessageHandle, Place, PlaceScope } from '../../domain/place.ts';
import type { Space } from '../../store/store.ts';

/** Somebody's message. */
export type Utterance = {
	kind: 'said';
	/** The message's. */
	id: string;
	person: Pick<Person, 'id' | 'name' | 'roles' | 'locale'>;
	text: string;
	/** Part of the talk, but not to be answered. */
	aside?: true;
};

/**
 * - `running`: it is being written, by `process`
 * - `done` · `stopped` by a person · `cut` by the service · `interrupted` with Easel itself: `text` is what came
 * - `failed` · `refused` by a cap: nothing came
 */
export type AnswerState = 'running' | 'done' | 'stopped' | 'cut' | 'interrupted' | 'failed' | 'refused';

/** Our answer to what was said before it. It has its place from the beginning; its text while it runs may lag behind. */
export type ChatAnswer = {
	kind: 'answer';
	/** What its first message is posted under. */
	key: string;
	state: AnswerState;
	/** By its lease. */
	process: string;
	/** How often it was begun. */
	attempt: number;
	/** Whom it answers, by their ids. */
	to: readonly string[];
	text: string;
	posts: readonly MessageHandle[];
};

/** In place of a deleted message, so that the count goes on. */
type Gone = { kind: 'gone' };

export type Entry = Utterance | ChatAnswer | Gone;

/** What is set for a thread. */
export type Conversation = {
	place: Place;
	model?: string | undefined;
	/** Answer only what mentions the bot. */
	mentionsOnly: boolean;
	/** People have been told that the oldest is no longer sent. */
	told?: true;
};

/** What was said in a thread and is kept, oldest first. `first` is the number of the first entry. */
export type Transcript = { first: number; entries: readonly Entry[] };

/**
 * Threads that the bot takes part in, in the store alone: one entry for a thread, one for each message. Messages are numbered,
 * and a number is given once, so that several processes can write down what is said in one thread without a lock.
 */
export type Conversations = {
	find(place: Place): Promise<Conversation | undefined>;
	set(conversation: Conversation): Promise<void>;
	read(place: Place): Promise<Transcript>;
	/**
	 * Adds what `decide` says, unless it says nothing. It is asked anew when somebody else has written meanwhile. Returns the
	 * number of the entry and what was said before it.
	 */
	append(
		place: Place,
		decide: (before: Transcript) => Entry | undefined | Promise<Entry | undefined>,
	): Promise<{ number: number; before: Transcript } | undefined>;
	/** Replaces an entry; nothing when it has been dropped meanwhile. */
	replace(place: Place, number: number, entry: Entry): Promise<void>;
	/** Drops the oldest entries, up to the one with this number. */
	drop(place: Place, until: number): Promise<void>;
	/** Forgets what was said; the thread stays one of ours. */
	clear(place: Place): Promise<void>;
	/** Forgets threads altogether. */
	purge(where: PlaceScope): Promise<void>;
	/** Somebody waits there for an answer by this process, from now on or no longer. */
	wait(place: Place, process: string): Promise<void>;
	waitNoLonger(place: Place): Promise<void>;
	waiting(): AsyncIterable<{ place: Place; process: string }>;
	/** Asks whichever process writes this answer to stop. */
	askToStop(answer: string): Promise<void>;
	isToStop(answer: string): Promise<boolean>;
	/** True once for each such event, so that one delivered twice is not done twice. */
	once(event: string): Promise<boolean>;
};

const READ_AT_ONCE = 64;

/** Longer than any answer takes. */
const STOP_TTL_MS = 3600_000;

export function createConversations(space: Space): Conversations {
	const { keyv } = space;
	const firstOf = async (thread: string) => (await keyv.get<number>(`first:${thread}`)) ?? 0;
	const entryKey = (thread: string, number: number) => `entry:${thread}:${number}`;

	async function read(place: Place): Promise<Transcript> {
		const thread = threadKey(place);
		const first = await firstOf(thread);
		const entries: Entry[] = [];
		for (;;) {
			const next = first + entries.length;
			const keys = Array.from({ length: READ_AT_ONCE }, (_, index) => entryKey(thread, next + index));
			const found = await keyv.getMany<Entry>(keys);
			const end = found.findIndex((entry) => entry === undefined || entry === null);
			entries.push(...(found.slice(0, end < 0 ? undefined : end) as Entry[]));
			if (end >= 0) return { first, entries };
		}
	}

	async function drop(place: Place, until: number): Promise<void> {
		const thread = threadKey(place);
		const first = await firstOf(thread);
		if (until <= first) return;
		const remove = Array.from({ length: until - first }, (_, index) => entryKey(thread, first + index));
		await space.commit({ put: [{ key: `first:${thread}`, value: until }], remove });
	}

	async function purgeThread(place: Place): Promise<void> {
		const thread = threadKey(place);
		const { first, entries } = await read(place);
		await space.commit({
			remove: [
				...[`thread:${thread}`, `first:${thread}`, `waiting:${thread}`],
				...entries.map((_, index) => entryKey(thread, first + index)),
			],
		});
	}

	return {
		find: (place) => keyv.get<Conversation>(`thread:${threadKey(place)}`),
		async set(conversation) {
			await keyv.set(`thread:${threadKey(conversation.place)}`, conversation);
		},
		read,
		async append(place, decide) {
			for (;;) {
				const before = await read(place);
				const entry = await decide(before);
				if (!entry) return undefined;
				const number = before.first + before.entries.length;
				const key = entryKey(threadKey(place), number);
				if ((await space.commit({ once: key, put: [{ key, value: entry }] })) === 'done') return { number, before };
			}
		},
		async replace(place, number, entry) {
			const thread = threadKey(place);
			if (number < (await firstOf(thread)) || !(await keyv.has(entryKey(thread, number)))) return;
			await keyv.set(entryKey(thread, number), entry);
		},
		drop,
		async clear(place) {
			const { first, entries } = await read(place);
			await drop(place, first + entries.length);
		},
		async purge({ platform, server, channel, thread }) {
			if (channel !== undefined && thread !== undefined) return purgeThread({ platform, server, channel, thread });
			const prefix = [platform, server, ...(channel === undefined ? [] : [channel])].join(':');
			for await (const [, conversation] of space.list(`thread:${prefix}:`))
				await purgeThread((conversation as Conversation).place);
		},
		async wait(place, process) {
			await keyv.set(`waiting:${threadKey(place)}`, { place, process });
		},
		async waitNoLonger(place) {
			await keyv.delete(`waiting:${threadKey(place)}`);
		},
		async *waiting() {
			for await (const [, value] of space.list('waiting:')) yield value as { place: Place; process: string };
		},
		async askToStop(answer) {
			await keyv.set(`stop:${answer}`, true, STOP_TTL_MS);
		},
		isToStop: (answer) => keyv.has(`stop:${answer}`),
		once: async (event) => (await space.commit({ once: `seen:${event}` })) === 'done',
	};
}

/** What is written down of an answer's messages. */
export const handlesOf = (posts: readonly { handle: MessageHandle }[] = []): MessageHandle[] =>
	posts.map(({ handle }) => handle);

/** No id of any platform holds a colon. */
export const threadKey = ({ platform, server, channel, thread = '' }: Place) =>
	[platform, server, channel, thread].join(':');
