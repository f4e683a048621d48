import type { snapshotFor } from '../server/snapshot.ts';
import type { MessageView } from '../server/store.ts';
import { get, persist } from './api.ts';
import { remember, remembered } from './storage.ts';

export type Message = MessageView;
type Snapshot = Awaited<ReturnType<typeof snapshotFor>>;
export type Server = Snapshot['servers'][number];
export type Channel = Server['channels'][number];
export type Thread = Channel['threads'][number];
export type Found = { server: Server; channel: Channel; thread?: Thread };
type Log = {
	messages: Map<number, Message>;
	removed: Set<number>;
	more: boolean;
	loaded: boolean;
	origin?: Message;
};
type LogPage = { messages: Message[]; more: boolean; origin?: Message };

/** The server's snapshot and messages, kept current by its events, and what this person has read. */
export class PageState {
	readonly me: string;
	readonly #logs = new Map<string, Log>();
	readonly #readKey: string;
	/** There from the first connection on; nothing is drawn before. `latest` are the numbers of the last messages that this person may see. */
	snapshot!: Snapshot;
	/** The number of the last message of each channel that this person has seen. */
	readonly read: Record<string, number>;

	constructor(me: string) {
		this.me = me;
		this.#readKey = `easel.read.${me}`;
		this.read = JSON.parse(remembered(this.#readKey) || '{}');
	}

	async load(): Promise<void> {
		this.snapshot = await persist(() => get<Snapshot>('state', { as: this.me }));
		this.#logs.clear();
		// Numbers that were read in another store do not count in this one.
		for (const [channel, number] of Object.entries(this.read))
			this.read[channel] = Math.min(number, this.#latest(channel));
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
		const answer = await get<LogPage>(path, { as: this.me, limit, ...(before && { before }) });
		for (const message of answer.messages) this.take(message);
		Object.assign(log, { more: answer.more, loaded: true, origin: answer.origin });
	}

	/** Returns whether something is read now that was not. */
	markRead(channel: string): boolean {
		const last = Math.max(this.#latest(channel), ...this.log(channel).messages.keys());
		if ((this.read[channel] ?? 0) >= last) return false;
		this.read[channel] = last;
		remember(this.#readKey, JSON.stringify(this.read));
		return true;
	}

	isUnread(channel: string): boolean {
		return this.#latest(channel) > (this.read[channel] ?? 0);
	}

	/** Returns false for a version of a message that is already known. */
	take(message: Message): boolean {
		const { messages, removed } = this.log(message.channel);
		const known = messages.get(message.number);
		if (removed.has(message.number) || (known && known.revision >= message.revision)) return false;
		messages.set(message.number, message);
		this.snapshot.latest[message.channel] = Math.max(this.#latest(message.channel), message.number);
		return true;
	}

	/** Remembers that a message was removed, since a page of the history that is being loaded may still include it. */
	forget({ channel, number }: { channel: string; number: number }): void {
		this.log(channel).removed.add(number);
		this.log(channel).messages.delete(number);
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
}
