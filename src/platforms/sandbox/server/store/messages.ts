import type { Keyv } from 'keyv';
import { KeyedQueue } from '../../../shared/keyed-queue.ts';
import type { FileStore } from './files.ts';
import { isVisibleTo, type MessageDraft, type MessageEdit, type StoredMessage } from './message.ts';

/** The number of the last message of a channel, and of the last that each person may see, for unread marks. */
type Tally = { last: number; shown: number; shownTo: Record<string, number> };

type MessageStoreOptions = {
	keyv: Keyv;
	files: FileStore;
	now: () => Date;
	onChange: (message: StoredMessage) => void;
	onRemove: (message: StoredMessage) => void;
};

const READ_AT_ONCE = 100;

/** One queue for all writes: they read first, keyv has no compare-and-set, and one process uses the sandbox's store. */
const WRITES = 'writes';

/**
 * Messages in keyv, each an entry `message:CHANNEL:NUMBER`, with `key:KEY` pointing to it and `tally:CHANNEL` counting. The tally is
 * written first and the message last: a crash between leaves a gap or a pointer to nothing, and both read as no message.
 */
export class MessageStore {
	readonly #options: MessageStoreOptions;
	readonly #keyv: Keyv;
	readonly #queue = new KeyedQueue();

	constructor(options: MessageStoreOptions) {
		this.#options = options;
		this.#keyv = options.keyv;
	}

	get(channel: string, number: number): Promise<StoredMessage | undefined> {
		return this.#keyv.get<StoredMessage>(entryName(channel, number));
	}

	async find(key: string): Promise<StoredMessage | undefined> {
		const pointer = await this.#keyv.get<{ room: string; number: number }>(`key:${key}`);
		return pointer && this.get(pointer.room, pointer.number);
	}

	/** Returns the existing message, with `created: false`, when one was posted under this key before. */
	post(draft: MessageDraft, key: string): Promise<{ message: StoredMessage; created: boolean }> {
		return this.#queue.run(WRITES, async () => {
			const existing = await this.find(key);
			if (existing) return { message: existing, created: false };
			const number = await this.#count(draft);
			await this.#keyv.set(`key:${key}`, { room: draft.room, number });
			const at = this.#options.now().toISOString();
			const message: StoredMessage = { ...draft, number, key, revision: 0, at };
			await this.#keyv.set(entryName(message.room, number), message);
			this.#options.onChange(message);
			return { message, created: true };
		});
	}

	/** Removes the files that the edit replaces. Returns undefined when the message is gone. */
	edit(channel: string, number: number, edit: MessageEdit): Promise<StoredMessage | undefined> {
		return this.#queue.run(WRITES, async () => {
			const message = await this.get(channel, number);
			if (!message) return undefined;
			const edited = { ...message, ...edit, revision: message.revision + 1 };
			// A thread that is started on a message does not change what its author wrote.
			if (edit.text !== undefined) edited.edited = this.#options.now().toISOString();
			await this.#keyv.set(entryName(channel, number), edited);
			this.#options.onChange(edited);
			if (edit.files) for (const file of message.files) await this.#options.files.remove(file);
			return edited;
		});
	}

	remove(channel: string, number: number): Promise<void> {
		return this.#queue.run(WRITES, async () => {
			const message = await this.get(channel, number);
			if (!message) return;
			await this.#keyv.delete(entryName(channel, number));
			await this.#keyv.delete(`key:${message.key}`);
			this.#options.onRemove(message);
			for (const file of message.files) await this.#options.files.remove(file);
		});
	}

	/** Returns the last `limit` messages before number `before` that this person may see, oldest first. */
	async page(channel: string, person: string, limit: number, before = Number.POSITIVE_INFINITY) {
		const messages: StoredMessage[] = [];
		let next = Math.min((await this.#tallyOf(channel)).last, before - 1);
		while (next > 0 && messages.length < limit) {
			const count = Math.min(next, READ_AT_ONCE);
			const names = Array.from({ length: count }, (_, index) => entryName(channel, next - index));
			for (const message of await this.#keyv.getMany<StoredMessage>(names)) {
				next -= 1;
				if (message && isVisibleTo(message, person)) messages.push(message);
				if (messages.length === limit) break;
			}
		}
		return { messages: messages.reverse(), more: next > 0 };
	}

	/** Returns the number of the last message that this person may see; 0 when there is none. */
	async latest(channel: string, person: string): Promise<number> {
		const tally = await this.#tallyOf(channel);
		return Math.max(tally.shown, tally.shownTo[person] ?? 0);
	}

	/** Returns the number of the new message. */
	async #count({ room, onlyFor }: MessageDraft): Promise<number> {
		const tally = await this.#tallyOf(room);
		tally.last += 1;
		if (onlyFor === undefined) tally.shown = tally.last;
		else tally.shownTo[onlyFor] = tally.last;
		await this.#keyv.set(`tally:${room}`, tally);
		return tally.last;
	}

	async #tallyOf(channel: string): Promise<Tally> {
		return (await this.#keyv.get<Tally>(`tally:${channel}`)) ?? { last: 0, shown: 0, shownTo: {} };
	}
}

const entryName = (channel: string, number: number) => `message:${channel}:${number}`;
