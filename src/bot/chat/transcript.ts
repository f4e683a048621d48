import type { MessageHandle, Person, Place } from '../../domain/place.ts';
import type { AnswerState } from '../../domain/platform.ts';

/** The pictures of a message. `names` are those of the ones that are kept for the model. */
export type PostedPictures = { count: number; names: readonly string[] };

/** A person's message. */
export type Utterance = {
	kind: 'said';
	/** The message's id. */
	id: string;
	person: Pick<Person, 'id' | 'name' | 'roles' | 'locale'>;
	text: string;
	/** Pictures that it asks about. Those to edit are not part of the conversation. */
	pictures?: PostedPictures;
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
	posts: readonly MessageHandle[];
};

/** Takes the place of a deleted message, so that the numbers of the others stay. */
type DeletedMessage = { kind: 'gone' };

export type TranscriptEntry = Utterance | ChatAnswer | DeletedMessage;

/** The kept messages of a thread, oldest first. `first` is the number of the first entry. */
export type Transcript = { first: number; entries: readonly TranscriptEntry[] };

/** The settings of a thread. */
export type Conversation = {
	place: Place;
	/** When the bot joined it, in Unix milliseconds. */
	since: number;
	model?: string;
	/** Answer only messages that mention the bot. */
	mentionsOnly: boolean;
	/** People have been told that the oldest messages are no longer sent. */
	told?: boolean;
};

/** No id of any platform contains a colon. */
export const threadKey = ({ platform, server, channel, thread = '' }: Place): string =>
	[platform, server, channel, thread].join(':');

/** @param more see `Utterance` */
export const utterance = (
	id: string,
	{ id: by, name, roles, locale }: Person,
	text: string,
	{ aside, unscreened, pictures }: { aside?: boolean; unscreened?: boolean; pictures?: PostedPictures } = {},
): Utterance => ({
	kind: 'said',
	id,
	person: { id: by, name, roles, locale },
	text,
	pictures,
	aside: aside || undefined,
	unscreened: unscreened || undefined,
});

export const newAnswer = (key: string, process: string, people: readonly Utterance['person'][]): ChatAnswer => ({
	kind: 'answer',
	key,
	state: 'running',
	process,
	attempt: 1,
	text: '',
	posts: [],
	to: people.map(({ id }) => id),
});

export const isAnswer = (entry: TranscriptEntry): entry is ChatAnswer => entry.kind === 'answer';

/** Tells whether a person may stop an answer or have it written again. */
export const mayControl = ({ to }: ChatAnswer, { id, moderator }: Person): boolean => moderator || to.includes(id);

/** Returns the people who wait for an answer to these entries, each once, in the order of their first messages. */
export function peopleWaiting(entries: readonly TranscriptEntry[]): Utterance['person'][] {
	const people = new Map<string, Utterance['person']>();
	for (const entry of entries)
		if (entry.kind === 'said' && !entry.aside && !people.has(entry.person.id))
			people.set(entry.person.id, entry.person);
	return [...people.values()];
}
