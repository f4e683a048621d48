import { KeyedQueue } from '../../../../domain/queues.ts';
import type { SandboxBounds } from './bounds.ts';
import type { SandboxChannels } from './channels.ts';
import type { FileStore } from './files.ts';
import { isVisibleTo, type MessageDraft, type MessageEdit, type StoredMessage } from './message.ts';
import type { SandboxSpace } from './space.ts';

/** The number of the last message of a channel, and of the last that each person may see, for unread marks. */
type Tally = { last: number; shown: number; shownTo: Record<string, number> };

type MessageStoreOptions = {
	space: SandboxSpace;
	channels: SandboxChannels;
	files: FileStore;
	bounds: SandboxBounds;
	now: () => Date;
	onChange: (message: StoredMessage) => void;
	onRemove: (message: StoredMessage) => void;
};

const READ_AT_ONCE = 100;

/** One queue for all writes: they read first, and one process uses the sandbox's store. */
const WRITES = 'writes';

/**
 * The newest messages of channels and threads, each an entry `message:CHANNEL:NUMBER`, with `key:KEY` pointing to it and
 * a tally that counts them. The commit that posts a message removes the one that exceeds the bound.
 */
export class MessageStore {
	readonly #options: MessageStoreOptions;
	readonly #space: SandboxSpace;
	readonly #queue = new KeyedQueue();

	constructor(options: MessageStoreOptions) {
		this.#options = options;
		this.#space = options.space;
	}

	get(channel: string, number: number): Promise<StoredMessage | undefined> {
		return this.#space.keyv.get<StoredMessage>(entryName(channel, number));
	}

	async find(key: string): Promise<StoredMessage | undefined> {
		const pointer = await this.#space.keyv.get<{ room: string; number: number }>(`key:${key}`);
		const message = pointer && (await this.get(pointer.room, pointer.number));
		// A thread that is started again after it has expired counts from 1 again.
		return message?.key === key ? message : undefined;
	}

	/** Returns the existing message, with `created: false`, when one was posted under this key before. */
	post(draft: MessageDraft, key: string): Promise<{ message: StoredMessage; created: boolean }> {
		return this.#queue.run(WRITES, async () => {
			const existing = await this.find(key);
			if (existing) return { message: existing, created: false };
			const { channels, files, bounds, now, onChange } = this.#options;
			const { room } = draft;
			const tally = counted(await this.#tallyOf(room), draft);
			const number = tally.last;
			const message: StoredMessage = { ...draft, number, key, revision: 0, at: now().toISOString() };
			const ttlMs = bounds.retentionMs;
			const dropped = await this.get(room, number - bounds.messages);
			await this.#space.commit({
				put: [
					{ key: entryName(room, number), value: message, ttlMs },
					{ key: `key:${key}`, value: { room, number }, ttlMs },
					...(await channels.renewal(room, { key: tallyKey(room), value: tally })),
				],
				remove: dropped ? namesOf(dropped) : [],
				...files.attachment(draft.files),
			});
			onChange(message);
			if (dropped) await this.#forget(dropped);
			return { message, created: true };
		});
	}

	/** Removes the files that the edit replaces. Returns undefined when the message is gone. */
	edit(channel: string, number: number, edit: MessageEdit): Promise<StoredMessage | undefined> {
		return this.#queue.run(WRITES, async () => {
			const message = await this.get(channel, number);
			if (!message) return undefined;
			const { files, bounds, now, onChange } = this.#options;
			const { thread, expected, ...replaced } = { ...message, ...edit };
			const optional = { ...(thread && { thread }), ...(expected && { expected }) };
			const edited: StoredMessage = { ...replaced, ...optional, revision: message.revision + 1 };
			// A thread that is started on a message does not change what its author wrote.
			if (edit.text !== undefined) edited.edited = now().toISOString();
			await this.#space.commit({
				put: [{ key: entryName(channel, number), value: edited, ttlMs: bounds.retentionMs }],
				...files.attachment(edit.files ?? []),
			});
			onChange(edited);
			if (edit.files) for (const file of message.files) await files.remove(file);
			return edited;
		});
	}

	remove(channel: string, number: number): Promise<void> {
		return this.#queue.run(WRITES, async () => {
			const message = await this.get(channel, number);
			if (!message) return;
			await this.#space.commit({ remove: namesOf(message) });
			await this.#forget(message);
		});
	}

	/** Removes a thread's messages. */
	async clear(thread: string): Promise<void> {
		const { last } = await this.#tallyOf(thread);
		for (let number = this.#first(last); number <= last; number += 1) await this.remove(thread, number);
		await this.#space.keyv.delete(tallyKey(thread));
	}

	/** Returns the last `limit` messages before number `before` that this person may see, oldest first. */
	async page(channel: string, person: string, limit: number, before = Number.POSITIVE_INFINITY) {
		const messages: StoredMessage[] = [];
		const { last } = await this.#tallyOf(channel);
		const first = this.#first(last);
		let next = Math.min(last, before - 1);
		while (next >= first && messages.length < limit) {
			const count = Math.min(next - first + 1, READ_AT_ONCE);
			const names = Array.from({ length: count }, (_, index) => entryName(channel, next - index));
			for (const message of await this.#space.keyv.getMany<StoredMessage>(names)) {
				next -= 1;
				if (message && isVisibleTo(message, person)) messages.push(message);
				if (messages.length === limit) break;
			}
		}
		return { messages: messages.reverse(), more: next >= first };
	}

	/** Returns the number of the last message that this person may see; 0 when there is none. */
	async latest(channel: string, person: string): Promise<number> {
		const tally = await this.#tallyOf(channel);
		return Math.max(tally.shown, tally.shownTo[person] ?? 0);
	}

	/** Returns the number of the oldest message that is kept. */
	#first(last: number): number {
		return Math.max(1, last - this.#options.bounds.messages + 1);
	}

	/** Reports a message that was removed, and removes its files. */
	async #forget(message: StoredMessage): Promise<void> {
		this.#options.onRemove(message);
		for (const file of message.files) await this.#options.files.remove(file);
	}

	async #tallyOf(channel: string): Promise<Tally> {
		return (await this.#space.keyv.get<Tally>(tallyKey(channel))) ?? { last: 0, shown: 0, shownTo: {} };
	}
}

/** Tallies of threads expire, those of channels do not. Only ids of threads have a dot. */
const tallyKey = (room: string) => (room.includes('.') ? `thread-tally:${room}` : `tally:${room}`);

const entryName = (channel: string, number: number) => `message:${channel}:${number}`;
const namesOf = ({ room, number, key }: StoredMessage) => [entryName(room, number), `key:${key}`];

/** Returns the tally with one more message. */
function counted({ last, shown, shownTo }: Tally, { onlyFor }: MessageDraft): Tally {
	const next = last + 1;
	if (onlyFor === undefined) return { last: next, shown: next, shownTo };
	return { last: next, shown, shownTo: { ...shownTo, [onlyFor]: next } };
}
