import { randomBytes } from 'node:crypto';
import type { Button, Person, Picture, Place, Poster, Reply, Upload } from '../../../domain/channel.ts';
import { RETENTION_MS } from '../../../domain/platform.ts';
import { KeyedQueue } from '../../../domain/queues.ts';
import { oneLine } from '../../../domain/text.ts';
import type { PlatformSpace } from '../../shared/space.ts';
import { PEOPLE, rolesOf, SERVERS } from './directory.ts';
import type { PageEvent } from './events.ts';
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
type Thread = { id: string; channel: string; title: string; onlyFor?: string; last: number; at: number };

type NewFile = { name: string; bytes: Uint8Array } & Partial<Pick<Picture, 'alt' | 'spoiler' | 'number'>>;

/** A stored file, as messages carry it. Its bytes are stored under `id`. */
export type StoredFile = Omit<NewFile, 'bytes'> & {
	/** Begins with the time at which it was saved, so that ids are in this order. */
	id: string;
	/** Derived from the bytes. */
	type: string;
	size: number;
	alt: string;
	/** Of a PNG, so that the page reserves its space before it has loaded. */
	width?: number;
	height?: number;
};

type FileId = Pick<StoredFile, 'id' | 'size'>;

export type MessageDraft = {
	room: string;
	/** A person's id, or `EASEL`. */
	author: string;
	text: string;
	files?: readonly NewFile[];
	buttons?: readonly Button[] | undefined;
	expected?: Reply['expected'];
	onlyFor?: string | undefined;
	about?: { person: string; command: string } | undefined;
	/** The id of the page's request that it answers. */
	request?: string | undefined;
	replyTo?: { number: number; author: string; excerpt: string } | undefined;
};

export type StoredMessage = Omit<MessageDraft, 'files' | 'buttons'> & {
	/** Counts up within a channel or thread. Numbers of deleted messages are not used again. */
	number: number;
	/** The key that it was posted under; unique within the sandbox. */
	key: string;
	/** Counts edits, so that a page knows which of two versions is newer. */
	revision: number;
	at: string;
	edited?: string;
	files: readonly StoredFile[];
	buttons: readonly Button[];
	/** The person whose private thread or conversation it is in. */
	roomOf?: string;
};

/** What is replaced in a message. `alts`: the alt texts of the files that it has, in their order. */
type MessageEdit = Partial<Pick<MessageDraft, 'text' | 'files' | 'buttons' | 'expected'>> & {
	alts?: readonly string[];
};

/** Returns a message as pages get it. `channel`: the channel or thread; `private`: only the person of this page sees it. */
export function viewOf({ room, onlyFor, roomOf: _, key: __, ...message }: StoredMessage) {
	return { ...message, channel: room, private: onlyFor !== undefined };
}

export type MessageView = ReturnType<typeof viewOf>;

/** The settings of the sandbox's people: the platform whose limits apply, and the ids of moderators, by server. */
export type SandboxSettings = { emulates: EmulatedPlatform; moderators: Readonly<Record<string, readonly string[]>> };

const DEFAULTS: SandboxSettings = {
	emulates: EMULATED_PLATFORMS[0],
	moderators: { atelier: ['ada'], 'print-club': ['chiyo'] },
};

/** Messages in each channel and thread, threads in each channel, bytes of all files together. */
export const DEFAULT_BOUNDS = { messages: 1000, threads: 50, fileBytes: 512 * 2 ** 20, retentionMs: RETENTION_MS };

type StoreOptions = {
	space: PlatformSpace;
	/** How much is kept of what, and how long, in milliseconds. What is beyond is dropped, the oldest first. */
	bounds: typeof DEFAULT_BOUNDS;
	now: () => Date;
	publish(event: PageEvent): void;
};

type Put = { key: string; value: unknown; ttlMs?: number };

/** Discord's limit: https://docs.discord.com/developers/resources/channel#start-thread-from-message */
const TITLE_LENGTH = 100;
const MAX_FILES = 5000;
/** Messages are read together with the next ones, since some are for one person. */
const READ_AT_LEAST = 10;

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
 * pointing to it; a tally and a list of the newest threads for each channel; files, which are described in the messages that have them; the
 * settings. Channels are fixed. Writes are made one after another, since they read first, and one process uses the store.
 */
export class SandboxStore {
	readonly #options: StoreOptions;
	readonly #queue = new KeyedQueue();

	constructor(options: StoreOptions) {
		this.#options = options;
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
			const files = await this.putFiles(draft.files);
			const more = { number, key, files, buttons, roomOf: channel.onlyFor, revision: 0, at: now().toISOString() };
			const message = { ...draft, ...more };
			const pointer = { key: `key:${key}`, value: { room, number }, ttlMs: bounds.retentionMs };
			await this.#save(message, files, [], [pointer, counted]);
			await this.#remove(room, number - bounds.messages);
			return { message, created: true };
		});
	}

	/** Removes the files that the edit replaces. Returns undefined when the message is gone. */
	edit(channel: string, number: number, { alts = [], ...edit }: MessageEdit): Promise<StoredMessage | undefined> {
		return this.#write(async () => {
			const message = await this.get(channel, number);
			if (!message) return undefined;
			const added = edit.files && (await this.putFiles(edit.files));
			const edited = {
				...{ ...message, ...edit },
				files: (added ?? message.files).map((file, index) => ({ ...file, alt: alts[index] ?? file.alt })),
				buttons: edit.buttons ?? message.buttons,
				revision: message.revision + 1,
				edited: this.#options.now().toISOString(),
			};
			await this.#save(edited, added, added && message.files);
			return edited;
		});
	}

	remove = (channel: string, number: number): Promise<void> => this.#write(() => this.#remove(channel, number));

	/** Stores a message with the files that are new in it, removes those that they replace, and tells pages. */
	async #save(
		message: StoredMessage,
		added: StoredFile[] = [],
		replaced: readonly StoredFile[] = [],
		more: Put[] = [],
	) {
		const { bounds, space, publish } = this.#options;
		const put = { key: entryName(message.room, message.number), value: message, ttlMs: bounds.retentionMs };
		await space.commit({ put: [put, ...more], index: indexOf(added) });
		publish({ name: 'message', data: viewOf(message), onlyFor: audienceOf(message) });
		await this.removeFiles(replaced);
		if (added.length > 0) await this.#dropOldestFiles();
	}

	async #remove(channel: string, number: number): Promise<void> {
		const message = await this.get(channel, number);
		if (!message) return;
		const { space, publish } = this.#options;
		await space.commit({ remove: [entryName(channel, number), `key:${message.key}`] });
		publish({ name: 'removed', data: { channel, number }, onlyFor: audienceOf(message) });
		await this.removeFiles(message.files);
	}

	/** Returns the last `limit` messages before number `before` that this person may see, oldest first, and whether there are more. */
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

	/** Starts a thread on a message, or returns the one that exists. Threads that exceed the bound now are removed with their messages. */
	async startThread(channel: string, number: number, title: string, onlyFor = CHANNELS.get(channel)?.onlyFor) {
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
		return { ...DEFAULTS, ...(await this.#read<SandboxSettings>('settings')) };
	}

	changeSettings(change: (settings: SandboxSettings) => Partial<SandboxSettings>): Promise<SandboxSettings> {
		return this.#write(async () => {
			const settings = await this.settings();
			const changed = { ...settings, ...change(settings) };
			await this.#options.space.keyv.set('settings', changed);
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

	async readFile(id: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
		const bytes = await this.#options.space.files.get(id);
		return bytes && new Uint8Array(bytes);
	}

	/** Stores files that belong to no message yet: their bytes are there before it, and expire where it was never stored. */
	async putFiles(files: readonly NewFile[] = [], keptMs = this.#options.bounds.retentionMs): Promise<StoredFile[]> {
		const { now, space } = this.#options;
		const stored: StoredFile[] = [];
		for (const { bytes, name, alt = '', spoiler, number } of files) {
			const id = timeText(now().getTime()) + randomBytes(16).toString('base64url');
			await space.files.put(id, bytes, keptMs);
			const described = { type: mediaTypeOf(bytes), size: bytes.length, ...pngSizeOf(bytes) };
			stored.push({ id, name: cleanName(name), alt, spoiler, number, ...described });
		}
		return stored;
	}

	/** Removes files of a message or a command, unless they were dropped before. */
	async removeFiles(files: readonly FileId[]): Promise<void> {
		const { space } = this.#options;
		for (const { id } of files) await space.files.delete(id);
		if (files.length > 0) await space.commit({ unindex: indexOf(files) });
	}

	/** Drops the files of messages that have expired, and the oldest ones until the others are within the bounds. */
	async #dropOldestFiles(): Promise<void> {
		const { now, bounds, space } = this.#options;
		const oldestKept = timeText(now().getTime() - bounds.retentionMs);
		const members = await space.members(FILES, { limit: 2 * MAX_FILES, descending: true });
		const files = members.map((member) => member.split(':')).map(([id = '', size]) => ({ id, size: Number(size) }));
		let bytes = 0;
		const dropped = files.filter(({ id, size }, index) => {
			bytes += size;
			return id < oldestKept || index >= MAX_FILES || bytes > bounds.fileBytes;
		});
		await this.removeFiles(dropped);
	}

	/** Returns the file as the core reads it. Reading rejects when the file is gone by then. @param poster whose message shows it */
	upload({ id, name, type, size }: StoredFile, poster?: Poster): Upload {
		return {
			...{ name, type, size },
			...(poster && { poster: async () => poster }),
			// The address at the sandbox's own origin, which the page knows. Markdown ends an address at a parenthesis.
			link: async () => `/sandbox/files/${id}/${encodeURIComponent(name).replace(/[()]/g, '_')}?download`,
			read: async (signal) => {
				signal.throwIfAborted();
				const bytes = await this.readFile(id);
				signal.throwIfAborted();
				if (!bytes) throw new Error('The picture was deleted meanwhile.');
				return bytes;
			},
		};
	}

	#read<Value>(key: string): Promise<Value | undefined> {
		return this.#options.space.keyv.get<Value>(key);
	}

	#write<Result>(task: () => Promise<Result>): Promise<Result> {
		return this.#queue.run('writes', task);
	}
}

const audienceOf = ({ onlyFor, roomOf }: StoredMessage): string | undefined => onlyFor ?? roomOf;

export const isVisibleTo = (message: StoredMessage, person: string): boolean =>
	(audienceOf(message) ?? person) === person;

/** Returns the number of the message that a thread was started on. */
export const originOf = ({ id }: { id: string }): number => Number(id.split('.').at(-1));

export function placeOf({ id, server, channel, thread, direct }: SandboxChannel): Place {
	return { platform: 'sandbox', server, channel, ...(thread && { thread: id }), ...(direct && { direct }) };
}

const parentOf = (room: string): string => room.split('.')[0] ?? room;

const entryName = (channel: string, number: number) => `message:${channel}:${number}`;
const threadsKey = (channel: string) => `threads:${channel}`;

const FILES = 'files';

/** Returns the part of a commit by which files belong to a message. */
const indexOf = (files: readonly FileId[]) => files.map(({ id, size }) => ({ index: FILES, member: `${id}:${size}` }));

/** Returns a text for a time, such that texts are in the order of their times. */
const timeText = (at: number): string => at.toString(36).padStart(9, '0');

/** Returns the last part of a path without control characters, at most 100 characters. */
function cleanName(name: string): string {
	const last = name.toWellFormed().split(/[/\\]/).at(-1) ?? '';
	const clean = last.replaceAll(/[\p{Cc}\p{Cf}]/gu, '').trim();
	return [...clean].slice(-100).join('') || 'file';
}

/** Returns the type of a picture that browsers show; everything else is bytes to download. */
export function mediaTypeOf(bytes: Uint8Array): string {
	const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
	if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
	if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg';
	if (/^GIF8[79]a/.test(head)) return 'image/gif';
	if (/^RIFF.{4}WEBP/s.test(head)) return 'image/webp';
	return 'application/octet-stream';
}

/** Returns width and height from the header chunk of a PNG. https://www.w3.org/TR/png-3/#11IHDR */
function pngSizeOf(bytes: Uint8Array): { width: number; height: number } | undefined {
	if (mediaTypeOf(bytes) !== 'image/png' || bytes.length < 24) return undefined;
	const view = new DataView(bytes.buffer, bytes.byteOffset);
	return { width: view.getUint32(16), height: view.getUint32(20) };
}
