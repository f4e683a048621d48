import type { Form } from '../../../domain/command.ts';
import type { StoredFile } from '../server/files.ts';
import type { snapshotFor } from '../server/snapshot.ts';
import type { MessageView, SandboxSettings } from '../server/store.ts';
import { type EventName, get, listen, persist } from './api.ts';
import { remember, remembered } from './storage.ts';

export type Message = MessageView;
type Snapshot = Awaited<ReturnType<typeof snapshotFor>>;
export type Server = Snapshot['servers'][number];
export type Channel = Server['channels'][number];
export type Thread = Channel['threads'][number];
export type Found = { server: Server; channel: Channel; thread?: Thread | undefined };
type Log = {
	messages: Map<number, Message>;
	removed: Set<number>;
	more: boolean;
	loaded: boolean;
	origin?: Message | undefined;
};
type Page = { messages: Message[]; more: boolean; origin?: Message };

/** The events of the server, and `loaded`, `online` and `read` of the state itself. */
export type Change =
	| { name: 'loaded' | 'settings' | 'thread' | 'read' }
	| { name: 'online'; isOnline: boolean }
	| { name: 'message'; message: Message; before: Message | undefined }
	| { name: 'removed'; channel: string; number: number }
	| { name: 'typing'; channel: string }
	| { name: 'notice'; text: string }
	| { name: 'form'; form: Form; press: string; channel: string; pictures: readonly StoredFile[] };

/** The server's snapshot, kept current by its events. */
export class PageState {
	readonly me: string;
	readonly #onChange: (change: Change) => void;
	readonly #logs = new Map<string, Log>();
	readonly #readKey: string;
	#loading: Promise<void> | undefined;
	/** Goes up with every change, so that what has not changed is not drawn again. */
	version = 0;
	/** There from the first connection on; nothing is drawn before. `latest` are the numbers of the last messages that this person may see. */
	snapshot!: Snapshot;
	/** The number of the last message of each channel that this person has seen. */
	readonly read: Record<string, number>;

	constructor(me: string, onChange: (change: Change) => void) {
		this.me = me;
		this.#onChange = (change) => {
			this.version += 1;
			onChange(change);
		};
		this.#readKey = `easel.read.${me}`;
		this.read = JSON.parse(remembered(this.#readKey) || '{}');
	}

	/** Keeps a connection to the server. Each begins with a snapshot, before which no event counts. Resolves with the first one. */
	connect(): Promise<void> {
		return new Promise((resolve) =>
			listen(this.me, {
				onOpen: () => {
					this.#loading = this.#load();
					resolve(this.#loading);
				},
				onEvent: async (name, data) => {
					await this.#loading;
					this.#receive(name, data);
				},
				onError: () => this.#onChange({ name: 'online', isOnline: false }),
			}),
		);
	}

	async #load(): Promise<void> {
		this.snapshot = await persist(() => get<Snapshot>('state', { as: this.me }));
		this.#logs.clear();
		// Numbers that were read in another store do not count in this one.
		for (const [channel, number] of Object.entries(this.read))
			this.read[channel] = Math.min(number, this.#latest(channel));
		this.#onChange({ name: 'online', isOnline: true });
		this.#onChange({ name: 'loaded' });
	}

	get limits() {
		return this.snapshot.limits[this.snapshot.settings.emulates];
	}

	#latest(channel: string): number {
		return this.snapshot.latest[channel] ?? 0;
	}

	log(channel: string): Log {
		const log = this.#logs.get(channel) ?? { messages: new Map(), removed: new Set(), more: true, loaded: false };
		this.#logs.set(channel, log);
		return log;
	}

	/** Fetches the messages before those that are loaded; the newest at first. */
	async loadOlder(channel: string, limit = 50): Promise<void> {
		const log = this.log(channel);
		const before = log.messages.size && log.loaded ? Math.min(...log.messages.keys()) : undefined;
		const path = `channels/${encodeURIComponent(channel)}/messages`;
		const answer = await get<Page>(path, { as: this.me, limit, ...(before && { before }) });
		for (const message of answer.messages) this.#upsert(message);
		Object.assign(log, { more: answer.more, loaded: true, origin: answer.origin });
		this.version += 1;
	}

	markRead(channel: string): void {
		const last = Math.max(this.#latest(channel), ...this.log(channel).messages.keys());
		if ((this.read[channel] ?? 0) >= last) return;
		this.read[channel] = last;
		remember(this.#readKey, JSON.stringify(this.read));
		this.#onChange({ name: 'read' });
	}

	isUnread(channel: string): boolean {
		return this.#latest(channel) > (this.read[channel] ?? 0);
	}

	add(message: Message): void {
		const before = this.log(message.channel).messages.get(message.number);
		if (this.#upsert(message)) this.#onChange({ name: 'message', message, before });
	}

	/** Returns the server and channel of the id of a channel or thread, and the thread. */
	find(id: string): Found | undefined {
		for (const server of this.snapshot.servers)
			for (const channel of server.channels) {
				if (channel.id === id) return { server, channel };
				const thread = channel.threads.find((each) => each.id === id);
				if (thread) return { server, channel, thread };
			}
		return undefined;
	}

	addThread(thread: Thread): void {
		if (!this.find(thread.id)) this.find(thread.channel)?.channel.threads.unshift(thread);
		this.#onChange({ name: 'thread' });
	}

	threadOn({ channel, number }: Message): Thread | undefined {
		return this.find(`${channel}.${number}`)?.thread;
	}

	nameOf(id: string): string {
		return id === 'easel' ? 'Easel' : (this.snapshot.people.find((person) => person.id === id)?.name ?? id);
	}

	isModerator(server: string, person = this.me): boolean {
		return Boolean(this.snapshot.settings.moderators[server]?.includes(person));
	}

	/** Returns false for a version that is already known. */
	#upsert(message: Message): boolean {
		const { messages, removed } = this.log(message.channel);
		if (removed.has(message.number)) return false;
		const existing = messages.get(message.number);
		if (existing && existing.revision >= message.revision) return false;
		messages.set(message.number, message);
		this.snapshot.latest[message.channel] = Math.max(this.#latest(message.channel), message.number);
		return true;
	}

	#receive(name: EventName, data: unknown): void {
		if (name === 'message') this.add(data as Message);
		else if (name === 'thread') this.addThread(data as Thread);
		else {
			if (name === 'settings') this.snapshot.settings = data as SandboxSettings;
			if (name === 'removed') this.#forget(data as { channel: string; number: number });
			this.#onChange({ ...(data as object), name } as Change);
		}
	}

	/** Remembers that a message was removed, since a page of the history that is being loaded may still include it. */
	#forget({ channel, number }: { channel: string; number: number }): void {
		this.log(channel).removed.add(number);
		this.log(channel).messages.delete(number);
	}
}
