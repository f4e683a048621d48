import type { Button } from '../../domain/channel.ts';
import type { Review } from '../../domain/job.ts';
import type { MessageHandle, Place, Requester } from '../../domain/place.ts';
import type { Easel } from '../../easel.ts';
import type { MessageId, Values } from '../../i18n/translator.ts';
import { Collection } from '../../store/collection.ts';
import type { ActionName } from '../declaration/actions.ts';

/** A message of a result, with everything that is needed to post it again with its pictures hidden. */
export type SentMessage = {
	handle: MessageHandle;
	/** Markdown. */
	text: string;
	buttons: readonly Button[];
	/** The number of the result's pictures that it shows. */
	count: number;
	/** See `Post.link`. */
	link?: string;
};

/** A result in the moderation log. */
export type LogEntry = {
	job: string;
	command: string;
	prompt: string;
	person: Requester;
	/** The channel or thread of the request. */
	place: Place;
	/** Only the person who asked sees it. */
	private: boolean;
	/** Empty when it could not be posted. */
	sent: readonly SentMessage[];
	/** The number of pictures that the entry shows. */
	pictures: number;
	/** Why the entry shows no pictures. */
	without?: 'too many' | 'not posted' | 'visible to everyone';
};

/** The actions that a moderator can take on an entry. */
export const LOG_ACTIONS = ['remove', 'block', 'hide'] as const satisfies readonly ActionName[];
export type LogAction = (typeof LOG_ACTIONS)[number];

/** An action that a moderator took, whether it succeeded, else why not, and who has undone it since. */
export type Note = {
	by: { id: string };
	done: boolean;
	reason?: { id: MessageId; values?: Values | undefined };
	undoneBy?: { id: string };
};

/** Tells whether an action has been taken and not been undone. */
export const isInEffect = (note: Note | undefined): boolean => note?.done === true && !note.undoneBy;
export type Notes = Partial<Record<LogAction, Note>> & { review?: Review };

export const logEntries = new Collection<LogEntry>('log/entry:', {
	owner: 'person',
	holds: 'an entry of the moderation log, with its prompt',
	lifetime: 'retention',
	with: ({ job }) => LOG_ACTIONS.map((action) => logNotes.key({ job, action })),
	erasure: 'deleted',
	group: 'log',
	ofCall: ({ id }) => id,
	peopleOf: (_, { place: { platform, server }, person: { id } }) => [{ platform, server, id }],
});

/** Each action has an entry of its own, so that two at the same time are both kept. */
export const logNotes = new Collection<Note, { job: string; action: LogAction }>('log/note:', {
	owner: 'server',
	holds: 'what a moderator did',
	lifetime: 'retention',
	key: ({ job, action }) => `${action}:${job}`,
});

/** Returns the actions that were taken on an entry, and its review. */
export async function notesOf(easel: Easel, job: string): Promise<Notes> {
	const ids = LOG_ACTIONS.map((action) => ({ job, action }));
	const notes = await logNotes.getMany(easel, ids);
	return {
		...Object.fromEntries(LOG_ACTIONS.flatMap((action, index) => (notes[index] ? [[action, notes[index]]] : []))),
		review: (await easel.ledger.find(job))?.review,
	};
}
