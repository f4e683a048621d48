import type { Button, Person, Place, Reply } from '../../../domain/channel.ts';
import { KeyedQueue } from '../../../domain/queues.ts';
import { oneLine } from '../../../domain/text.ts';
import { PEOPLE, rolesOf, SERVERS } from './directory.ts';
import type { PageEvent } from './events.ts';
import { FileStore, type NewFile, type StoredFile, type StoreOptions } from './files.ts';
import { EMULATED_PLATFORMS, type EmulatedPlatform } from './limits.ts';

/** A channel, a conversation with the bot, or a thread in one of them. */
export type SandboxChannel = {
	id: string;
	server: string;
	/** The channel that a thread is in; of a channel, its own id. */
	channel: string;
	title: string;
	thread: boolean;
	/** The only person who sees a private thread or a conversation with the bot. */
	onlyFor?: string;
	direct?: true;
};

/**
 * A thread, with the number of its last message, and when something was last written in it. Its id is `CHANNEL.NUMBER`, of the message
 * it was started on: there is one thread on a message.
 */
export type Thread = { id: string; channel: string; title: string; onlyFor?: string; last: number; at: number };

export type StoredMessage = {
	room: string;
	/** Counts up within a channel or thread. Numbers of deleted messages are not used again. */
	number: number;
	/** The key that it was posted under; unique within the sandbox. */
	key: string;
	/** Counts edits, so that a page knows which of two versions is newer. */
	revision: number;
	/** A person's id, or `EASEL`. */
	author: string;
	text: string;
	at: string;
	edited?: string;
	files: readonly StoredFile[];
	buttons: readonly Button[];
	expected?: NonNullable<Reply['expected']>;
	onlyFor?: string;
	/** The person whose private thread or conversation it is in. */
	roomOf?: string;
	about?: { person: string; command: string };
	/** The id of the page's request that it answers. */
	request?: string;
	replyTo?: { number: number; author: string; excerpt: string };
};

export type MessageDraft = Omit<
	StoredMessage,
	'number' | 'key' | 'revision' | 'at' | 'files' | 'buttons' | 'roomOf'
> & {
	files?: readonly NewFile[];
	buttons?: readonly Button[];
};

/** What is replaced in a message. `alts`: the alt texts of the files that it has, in their order. */
export type MessageEdit = Partial<Pick<MessageDraft, 'text' | 'files' | 'buttons' | 'expected'>> & {
	alts?: readonly string[];
};

/** A message as pages get it. `channel`: the channel or thread; `private`: only the person of this page sees it. */
export type MessageView = Omit<StoredMessage, 'room' | 'onlyFor' | 'roomOf' | 'key'> & {
	channel: string;
	private: boolean;
};

export function viewOf({ room, onlyFor, roomOf: _, key: __, ...message }: StoredMessage): MessageView {
	return { ...message, channel: room, private: onlyFor !== undefined };
}

/** The settings of the sandbox's people: the platform whose limits apply, and the ids of moderators, by server. */
export type SandboxSettings = { emulates: EmulatedPlatform; moderators: Readonly<Record<string, readonly string[]>> };

type Options = StoreOptions & { publish(event: PageEvent): void };
type Put = { key: string; value: unknown; ttlMs?: number };

/** Discord's limit: https://docs.discord.com/developers/resources/channel#start-thread-from-message */
const TITLE_LENGTH = 100;
/** Messages are read together with the next ones, since some are for one person. */
const READ_AT_LEAST = 10;
const SETTINGS = 'settings';

/** Returns the id of a person's conversation with the bot, to which the caps of this server apply. */
export const directId = (server: string, person: string) => `${server}-direct-${person}`;

const CHANNELS: ReadonlyMap<string, SandboxChannel> = new Map(
	SERVERS.flatMap(({ id: server, channels }) => [
		...channels.map(({ id, name: title }) => ({ id, server, channel: id, title, thread: false })),
		...PEOPLE.map(({ id: onlyFor }) => {
			const id = directId(server, onlyFor);
			return { id, server, channel: id, title: 'Easel', thread: false, onlyFor, direct: true as const };
		}),
	]).map((channel) => [channel.id, channel]),
);

/**
 * What the sandbox remembers: the newest messages of channels and threads, each an entry `message:CHANNEL:NUMBER` with `key:KEY`
 * pointing to it; a tally and a list of the newest threads for each channel; the settings. Channels are fixed. Writes are made one after
 * another, since they read first, and one process uses the store.
 */
export class SandboxStore {
	readonly files: FileStore;
	readonly #options: Options;
	readonly #queue = new KeyedQueue();

	constructor(options: Options) {
		this.#options = options;
		this.files = new FileStore(options);
	}

	get(channel: string, number: number): Promise<StoredMessage | undefined> {
		return this.#read<StoredMessage>(entryName(channel, number));
	}

	async find(key: string): Promise<StoredMessage | undefined> {
		const pointer = await this.#read<{ room: string; number: number }>(`key:${key}`);
		const message = pointer && (await this.get(pointer.room, pointer.number));
		// A thread that is started again after it has expired counts from 1 again.
		return message?.key === key ? message : undefined;
	}

	/** Returns the existing message, with `created: false`, when one was posted under this key before. */
	post(draft: MessageDraft, key: string): Promise<{ message: StoredMessage; created: boolean }> {
		return this.#write(async () => {
			const existing = await this.find(key);
			if (existing) return { message: existing, created: false };
			const { bounds, now } = this.#options;
			const { room, buttons = [] } = draft;
			const channel = await this.channel(room);
			if (!channel) throw new Error(`There is no channel or thread ${room}.`);
			const { last, counted } = await this.#counterOf(room);
			const number = last + 1;
			const files = await this.files.put(draft.files ?? []);
			const more = { number, key, files, buttons, roomOf: channel.onlyFor, revision: 0, at: now().toISOString() };
			const message: StoredMessage = { ...draft, ...more };
			const pointer = { key: `key:${key}`, value: { room, number }, ttlMs: bounds.retentionMs };
			await this.#save(message, files, [pointer, counted]);
			await this.#remove(room, number - bounds.messages);
			if (files.length > 0) await this.files.dropOldest();
			return { message, created: true };
		});
	}

	/** Removes the files that the edit replaces. Returns undefined when the message is gone. */
	edit(channel: string, number: number, { alts = [], ...edit }: MessageEdit): Promise<StoredMessage | undefined> {
		return this.#write(async () => {
			const message = await this.get(channel, number);
			if (!message) return undefined;
			const files = edit.files && (await this.files.put(edit.files));
			const edited: StoredMessage = {
				...{ ...message, ...edit },
				files: (files ?? message.files).map((file, index) => ({ ...file, alt: alts[index] ?? file.alt })),
				revision: message.revision + 1,
				edited: this.#options.now().toISOString(),
			};
			await this.#save(edited, files ?? []);
			if (files) {
				await this.files.remove(message.files);
				await this.files.dropOldest();
			}
			return edited;
		});
	}

	remove = (channel: string, number: number): Promise<void> => this.#write(() => this.#remove(channel, number));

	/** Stores a message with its new files, and tells pages. */
	async #save(message: StoredMessage, files: readonly StoredFile[], more: readonly Put[] = []): Promise<void> {
		const { bounds, space, publish } = this.#options;
		const put = { key: entryName(message.room, message.number), value: message, ttlMs: bounds.retentionMs };
		await space.commit({ put: [put, ...more], index: this.files.indexOf(files) });
		publish({ name: 'message', data: viewOf(message), onlyFor: audienceOf(message) });
	}

	/** Removes a message with its files, unless it is gone, and tells pages. */
	async #remove(channel: string, number: number): Promise<void> {
		const message = await this.get(channel, number);
		if (!message) return;
		const { space, publish } = this.#options;
		await space.commit({ remove: [entryName(channel, number), `key:${message.key}`] });
		publish({ name: 'removed', data: { channel, number }, onlyFor: audienceOf(message) });
		await this.files.remove(message.files);
	}

	/**
	 * Returns the last `limit` messages before number `before` that this person may see, oldest first, and whether there are more.
	 */
	async page(channel: string, person: string, limit: number, before = Number.POSITIVE_INFINITY) {
		const { last } = await this.#counterOf(channel);
		const first = this.#first(last);
		const found: StoredMessage[] = [];
		const count = Math.max(limit + 1, READ_AT_LEAST);
		for (let next = Math.min(last, before - 1); next >= first && found.length <= limit; next -= count) {
			const length = Math.min(next - first + 1, count);
			const names = Array.from({ length }, (_, index) => entryName(channel, next - index));
			for (const message of await this.#options.space.keyv.getMany<StoredMessage>(names))
				if (message && isVisibleTo(message, person)) found.push(message);
		}
		return { messages: found.slice(0, limit).reverse(), more: found.length > limit };
	}

	async channel(id: string): Promise<SandboxChannel | undefined> {
		const parent = CHANNELS.get(parentOf(id));
		if (!parent || parent.id === id) return parent;
		const thread = (await this.#threads(parent.id)).find((each) => each.id === id);
		return thread && { ...parent, id, title: thread.title, thread: true, onlyFor: thread.onlyFor };
	}

	/** Returns the threads of a channel that this person may see, newest first. */
	async threads(channel: string, person: string): Promise<Thread[]> {
		return (await this.#threads(channel)).filter(({ onlyFor = person }) => onlyFor === person);
	}

	/**
	 * Starts a thread on a message, or returns the one that exists. Threads that exceed the bound now are removed with their messages.
	 *
	 * @param onlyFor the only person who sees it
	 */
	async startThread(
		channel: string,
		number: number,
		title: string,
		onlyFor = CHANNELS.get(channel)?.onlyFor,
	): Promise<SandboxChannel> {
		const { space, bounds, now, publish } = this.#options;
		const named = oneLine(title, TITLE_LENGTH) || 'Thread';
		const thread = { id: `${channel}.${number}`, channel, title: named, onlyFor, last: 0, at: now().getTime() };
		const dropped = await this.#write(async () => {
			const threads = await this.#threads(channel);
			if (threads.some(({ id }) => id === thread.id)) return [];
			const kept = threads.splice(0, bounds.threads - 1);
			await space.keyv.set(threadsKey(channel), [thread, ...kept], bounds.retentionMs);
			publish({ name: 'thread', data: thread, onlyFor });
			return threads;
		});
		for (const { id: room, last } of dropped)
			for (let each = this.#first(last); each <= last; each += 1) await this.remove(room, each);
		return (await this.channel(thread.id)) as SandboxChannel;
	}

	async settings(): Promise<SandboxSettings> {
		return { ...DEFAULTS, ...(await this.#read<SandboxSettings>(SETTINGS)) };
	}

	/** Changes the settings, and tells all pages. */
	changeSettings(change: (settings: SandboxSettings) => Partial<SandboxSettings>): Promise<SandboxSettings> {
		return this.#write(async () => {
			const settings = await this.settings();
			const changed = { ...settings, ...change(settings) };
			await this.#options.space.keyv.set(SETTINGS, changed);
			this.#options.publish({ name: 'settings', data: changed });
			return changed;
		});
	}

	/** Returns a person with their rights on a server; undefined when there is no such person. */
	async person(id: string, server: string): Promise<Person | undefined> {
		const person = PEOPLE.find((one) => one.id === id);
		const { moderators } = await this.settings();
		return person && { ...person, moderator: moderators[server]?.includes(id) ?? false, roles: rolesOf(id) };
	}

	/** Returns the number of the oldest message that is kept. */
	#first(last: number): number {
		return Math.max(1, last - this.#options.bounds.messages + 1);
	}

	/** Returns the threads of a channel in which something was written within the retention time, newest first. */
	async #threads(channel: string): Promise<Thread[]> {
		const { bounds, now } = this.#options;
		const oldest = now().getTime() - bounds.retentionMs;
		return ((await this.#read<Thread[]>(threadsKey(channel))) ?? []).filter(({ at }) => at >= oldest);
	}

	/**
	 * Returns the number of the last message, also after it was removed, and the part of a commit that counts the next one. A thread is
	 * kept for as long as somebody writes in it.
	 */
	async #counterOf(room: string): Promise<{ last: number; counted: Put }> {
		if (CHANNELS.has(room)) {
			const { last } = (await this.#read<{ last: number }>(`tally:${room}`)) ?? { last: 0 };
			return { last, counted: { key: `tally:${room}`, value: { last: last + 1 } } };
		}
		const { bounds, now } = this.#options;
		const threads = await this.#threads(parentOf(room));
		const last = threads.find(({ id }) => id === room)?.last ?? 0;
		const next = { last: last + 1, at: now().getTime() };
		const value = threads.map((thread) => (thread.id === room ? { ...thread, ...next } : thread));
		return { last, counted: { key: threadsKey(parentOf(room)), value, ttlMs: bounds.retentionMs } };
	}

	#read<Value>(key: string): Promise<Value | undefined> {
		return this.#options.space.keyv.get<Value>(key);
	}

	#write<Result>(task: () => Promise<Result>): Promise<Result> {
		return this.#queue.run('writes', task);
	}
}

const DEFAULTS: SandboxSettings = {
	emulates: EMULATED_PLATFORMS[0],
	moderators: { atelier: ['ada'], 'print-club': ['chiyo'] },
};

/** Returns the only person who sees a message, or undefined when everybody does. */
const audienceOf = ({ onlyFor, roomOf }: StoredMessage): string | undefined => onlyFor ?? roomOf;

export const isVisibleTo = (message: StoredMessage, person: string): boolean =>
	(audienceOf(message) ?? person) === person;

/** Returns the number of the message that a thread was started on. */
export const originOf = ({ id }: { id: string }): number => Number(id.split('.').at(-1));

export function placeOf({ id, server, channel, thread, direct }: SandboxChannel): Place {
	return { platform: 'sandbox', server, channel, ...(thread && { thread: id }), ...(direct && { direct }) };
}

/** Returns the channel of the id of a thread, or a channel itself. */
const parentOf = (room: string): string => room.split('.')[0] ?? room;

const entryName = (channel: string, number: number) => `message:${channel}:${number}`;
const threadsKey = (channel: string) => `threads:${channel}`;
