import type { MessageHandle, Person, Place, Upload } from '../../domain/channel.ts';
import type { AnswerState } from '../../domain/platform.ts';
import type { ToolCall } from '../../service/service.ts';
import { itemIn } from '../words/numbered.ts';

/** The pictures of a message. `names` are those of the ones that are kept for the model. */
export type PostedPictures = { count: number; names: readonly string[] };

/** The text of a file that came with a message. `whole` is its length where it was cut. */
export type TextFile = { name: string; text: string; whole?: number };

/** A file of a message that was not read, and why; `said` is a further sentence about that. */
export type UnreadFile = {
	name: string;
	why: NonNullable<Upload['unreadable']> | 'voice' | 'kind' | 'many' | 'large' | 'binary' | 'failed' | 'unused';
	said?: string;
};

export type Utterance = {
	kind: 'said';
	id: string;
	person: Pick<Person, 'id' | 'name' | 'roles' | 'locale'>;
	text: string;
	/** Pictures that it asks about. Those to edit are not part of the conversation. */
	pictures?: PostedPictures;
	files?: readonly TextFile[];
	unread?: readonly UnreadFile[];
	/** Context for later answers; it is not answered itself. */
	aside?: boolean;
	/** The moderation model has not been asked about the text: it goes to no service before a chat model is about to get it. */
	unscreened?: boolean;
};

/** The bot's answer to the messages before it. It is added before it is written; `text` may lag behind while it is running. */
export type ChatAnswer = {
	kind: 'answer';
	/** The key that its first message is posted under. */
	key: string;
	state: AnswerState;
	/** See `Lease.processId`. */
	process: string;
	/** 1, and one more for each retry. */
	attempt: number;
	/** The ids of the people it answers. */
	to: readonly string[];
	text: string;
	/** How many pictures the model has drawn with it. They are in its posts, and nowhere else. */
	pictures?: number;
	calls?: readonly PlannedCall[];
	posts: readonly MessageHandle[];
};

/** A call of a tool, with arguments that are valid. `isMade`: it has become a request of the person. */
export type PlannedCall = ToolCall & { isMade?: true };

/** Takes the place of a deleted message, so that the numbers of the others stay. */
type DeletedMessage = { kind: 'gone' };

export type TranscriptEntry = Utterance | ChatAnswer | DeletedMessage;

export type Numbered<Entry = TranscriptEntry> = Entry & { number: number };

export type Conversation = {
	place: Place;
	/** When it was saved last, in Unix milliseconds. */
	since?: number;
	model?: string;
	/** Answer only messages that mention the bot. */
	mentionsOnly: boolean;
	/** People have been told that the oldest messages are no longer sent. */
	told?: boolean;
};

/** No id of any platform contains a colon. */
export const threadKey = ({ platform, server, channel, thread = '' }: Place): string =>
	[platform, server, channel, thread].join(':');

/** What a message brings besides its words, as its thread keeps it. */
export type Material = Partial<Pick<Utterance, 'pictures' | 'files' | 'unread' | 'aside' | 'unscreened'>>;

export const utterance = (
	id: string,
	{ id: by, name, roles, locale }: Person,
	text: string,
	more: Material = {},
): Utterance => ({ kind: 'said', id, person: { id: by, name, roles, locale }, text, ...more });

export const newAnswer = (key: string, process: string, to: readonly string[]): ChatAnswer => ({
	kind: 'answer',
	key,
	state: 'running',
	process,
	attempt: 1,
	to,
	text: '',
	posts: [],
});

/** Returns the id of the job that an answer's call has. Each retry is a call of its own. */
export const jobIdOf = ({ key, attempt }: ChatAnswer): string => (attempt === 1 ? key : `${key}.${attempt}`);

export const isAnswer = <Entry extends TranscriptEntry>(entry: Entry): entry is Entry & ChatAnswer =>
	entry.kind === 'answer';

/** Returns an item of the last answer that has a numbered list; the last one for -1. */
export function lastItem(entries: readonly TranscriptEntry[], number: number): string | undefined {
	const numbered = entries.filter(isAnswer).findLast(({ text }) => itemIn(text, -1) !== undefined);
	return numbered && itemIn(numbered.text, number);
}

/** Tells whether a person may stop an answer or have it written again. */
export const mayControl = ({ to }: ChatAnswer, { id, moderator }: Person): boolean => moderator || to.includes(id);

/** Returns the messages that ask for an answer after another one. */
export const askedAfter = (answer: TranscriptEntry | undefined, entries: readonly TranscriptEntry[]): Utterance[] =>
	entries
		.slice(answer ? entries.indexOf(answer) + 1 : 0)
		.filter((entry) => entry.kind === 'said')
		.filter(({ aside }) => !aside);

/** Returns the messages that wait for an answer after the last one. */
export const askedIn = (entries: readonly TranscriptEntry[]) => askedAfter(entries.findLast(isAnswer), entries);

/** The part of a thread that is sent to the model: enough for a long conversation, and within the context of current models. */
const BOUNDS = { characters: 24_000, messages: 60 } as const;

type ThreadBounds = { characters: number; messages: number };

/** Returns how many of the oldest entries to drop, so that the rest is within the bounds. The newest entry is always kept. */
export function excess(entries: readonly TranscriptEntry[], bounds: ThreadBounds = BOUNDS): number {
	let { characters, messages } = bounds;
	return (
		entries.findLastIndex((entry, index) => {
			const size = sizeOf(entry);
			characters -= size;
			messages -= size > 0 ? 1 : 0;
			return index < entries.length - 1 && (characters < 0 || messages < 0);
		}) + 1
	);
}

/** Returns the newest items whose lengths are within a bound together. */
export function newestWithin<Item>(items: readonly Item[], most: number, lengthOf: (item: Item) => number): Item[] {
	let left = most;
	const tooMuch = items.findLastIndex((item) => {
		left -= lengthOf(item);
		return left < 0;
	});
	return items.slice(tooMuch + 1);
}

function sizeOf(entry: TranscriptEntry): number {
	if (entry.kind === 'gone') return 0;
	const more =
		entry.kind === 'said' ? entry.files?.map(({ text }) => text) : entry.calls?.map((call) => call.arguments);
	return (more ?? []).reduce((sum, { length }) => sum + length, entry.text.length);
}

/** Clips a message that is longer than the whole history may be. */
export const clipped = (text: string, { characters }: ThreadBounds = BOUNDS) =>
	text.slice(0, characters).toWellFormed();

/** Returns a name as one short line that the model cannot mistake for more than a name. */
export const nameOf = (name: string) =>
	name
		.replace(/[\s:\p{C}]+/gu, ' ')
		.trim()
		.slice(0, 80)
		.toWellFormed() || 'Somebody';
