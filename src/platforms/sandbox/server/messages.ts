import type { Keyv } from 'keyv';
import type { Button } from '../../../domain/reply.ts';
import type { SandboxFiles, StoredFile } from './files.ts';
import type { Thread } from './rooms.ts';
import { createSerial } from './serial.ts';

export type StoredMessage = {
	room: string;
	/** Counts up within a room; gaps are deleted messages. */
	number: number;
	/** What it was posted under; unique within the sandbox. */
	key: string;
	/** Counts edits, so that a page knows which of two versions is newer. */
	revision: number;
	/** A person's id, or `EASEL`. */
	author: string;
	text: string;
	/** ISO 8601. */
	at: string;
	edited?: string;
	files: readonly StoredFile[];
	buttons: readonly Button[];
	/** Only this person sees it. */
	onlyFor?: string;
	/** It is in this person's private thread. */
	roomOf?: string;
	/** The person's command that the bot answers. */
	about?: { person: string; command: string };
	replyTo?: { number: number; author: string; excerpt: string };
	thread?: Pick<Thread, 'id' | 'title'>;
};

/** What a new message is made of; the rest is given to it. */
export type MessageDraft = Pick<StoredMessage, 'room' | 'author' | 'text' | 'files' | 'buttons'> &
	Partial<Pick<StoredMessage, 'onlyFor' | 'roomOf' | 'about' | 'replyTo'>>;

export type Edit = Partial<Pick<StoredMessage, 'text' | 'files' | 'buttons' | 'thread'>>;

/** The number of a room's last message, and of the last that each person may see: for unread marks. */
type Tally = { last: number; shown: number; shownTo: Record<string, number> };

export type Messages = ReturnType<typeof createMessages>;

const READ_AT_ONCE = 100;

/** The one person who sees a message; undefined when everybody does. */
export const audienceOf = ({ onlyFor, roomOf }: StoredMessage): string | undefined => onlyFor ?? roomOf;

export const visibleTo = (message: StoredMessage, person: string): boolean =>
	(audienceOf(message) ?? person) === person;

/**
 * Messages in keyv, one entry each: `message:ROOM:NUMBER`, found by `key:KEY` and bounded by `tally:ROOM`. The tally is
 * written first and the message last, so a crash between leaves a gap or a pointer to nothing, and both read as absent.
 */
export function createMessages(options: {
	keyv: Keyv;
	files: SandboxFiles;
	now: () => Date;
	changed: (message: StoredMessage) => void;
	removed: (message: StoredMessage) => void;
}) {
	const { keyv, files, now } = options;
	const serial = createSerial();

	const nameOf = (room: string, number: number) => `message:${room}:${number}`;
	const get = (room: string, number: number) => keyv.get<StoredMessage>(nameOf(room, number));
	const tallyOf = async (room: string): Promise<Tally> =>
		(await keyv.get<Tally>(`tally:${room}`)) ?? { last: 0, shown: 0, shownTo: {} };

	async function find(key: string): Promise<StoredMessage | undefined> {
		const pointer = await keyv.get<{ room: string; number: number }>(`key:${key}`);
		return pointer && get(pointer.room, pointer.number);
	}

	return {
		get,
		find,

		/** With a key that is there already: that message as it is, `created: false`. */
		post(draft: MessageDraft, key: string): Promise<{ message: StoredMessage; created: boolean }> {
			return serial(async () => {
				const existing = await find(key);
				if (existing) return { message: existing, created: false };
				const tally = await tallyOf(draft.room);
				const number = tally.last + 1;
				tally.last = number;
				if (draft.onlyFor === undefined) tally.shown = number;
				else tally.shownTo[draft.onlyFor] = number;
				await keyv.set(`tally:${draft.room}`, tally);
				await keyv.set(`key:${key}`, { room: draft.room, number });
				const message: StoredMessage = { ...draft, number, key, revision: 0, at: now().toISOString() };
				await keyv.set(nameOf(message.room, number), message);
				options.changed(message);
				return { message, created: true };
			});
		},

		/** Undefined when the message is gone. Files that the edit replaces are removed. */
		edit(room: string, number: number, edit: Edit): Promise<StoredMessage | undefined> {
			return serial(async () => {
				const message = await get(room, number);
				if (!message) return undefined;
				const edited = { ...message, ...edit, revision: message.revision + 1 };
				// A thread that hangs on it is no change of what its author wrote.
				if (edit.text !== undefined) edited.edited = now().toISOString();
				await keyv.set(nameOf(room, number), edited);
				options.changed(edited);
				if (edit.files) for (const file of message.files) await files.remove(file);
				return edited;
			});
		},

		remove(room: string, number: number): Promise<void> {
			return serial(async () => {
				const message = await get(room, number);
				if (!message) return;
				await keyv.delete(nameOf(room, number));
				await keyv.delete(`key:${message.key}`);
				options.removed(message);
				for (const file of message.files) await files.remove(file);
			});
		},

		/** The last `limit` messages before number `before` that this person may see, oldest first. */
		async page(room: string, person: string, limit: number, before = Number.POSITIVE_INFINITY) {
			const messages: StoredMessage[] = [];
			let next = Math.min((await tallyOf(room)).last, before - 1);
			while (next > 0 && messages.length < limit) {
				const count = Math.min(next, READ_AT_ONCE);
				const names = Array.from({ length: count }, (_, index) => nameOf(room, next - index));
				for (const message of await keyv.getMany<StoredMessage>(names)) {
					next -= 1;
					if (message && visibleTo(message, person)) messages.push(message);
					if (messages.length === limit) break;
				}
			}
			return { messages: messages.reverse(), more: next > 0 };
		},

		/** The number of the last message that this person may see; 0 when there is none. */
		async latest(room: string, person: string): Promise<number> {
			const tally = await tallyOf(room);
			return Math.max(tally.shown, tally.shownTo[person] ?? 0);
		},
	};
}
