import type { Button, Reply } from '../../../../domain/channel.ts';
import type { Thread } from './channels.ts';
import type { StoredFile } from './files.ts';

/** A message as it is stored. */
export type StoredMessage = {
	/** The id of the channel or thread. */
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
	/** ISO 8601. */
	at: string;
	edited?: string;
	files: readonly StoredFile[];
	buttons: readonly Button[];
	/** The pictures that it waits for. */
	expected?: NonNullable<Reply['expected']>;
	/** The only person who sees it. */
	onlyFor?: string;
	/** The person whose private thread it is in. */
	roomOf?: string;
	/** The command that the bot answers, and its person. */
	about?: { person: string; command: string };
	replyTo?: { number: number; author: string; excerpt: string };
	thread?: Pick<Thread, 'id' | 'title'>;
};

/** A message to post. */
export type MessageDraft = Pick<StoredMessage, 'room' | 'author' | 'text' | 'files' | 'buttons'> &
	Partial<Pick<StoredMessage, 'expected' | 'onlyFor' | 'roomOf' | 'about' | 'replyTo'>>;

/** `thread` is undefined when the thread of a message is gone, and `expected` when it waits for no pictures. */
export type MessageEdit = Partial<Pick<StoredMessage, 'text' | 'files' | 'buttons'>> & {
	expected?: StoredMessage['expected'] | undefined;
	thread?: StoredMessage['thread'] | undefined;
};

/** Returns the only person who sees a message, or undefined when everybody does. */
export const audienceOf = ({ onlyFor, roomOf }: StoredMessage): string | undefined => onlyFor ?? roomOf;

export const isVisibleTo = (message: StoredMessage, person: string): boolean =>
	(audienceOf(message) ?? person) === person;
