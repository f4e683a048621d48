import type { Person } from '../../domain/person.ts';
import type { MessageHandle, Place } from '../../domain/place.ts';
import type { Button } from '../../domain/reply.ts';
import type { Space } from '../../store/store.ts';
import type { ActionName } from '../declaration/actions.ts';

/** As long as the buttons under a result work. */
const ENTRY_TTL_MS = 366 * 24 * 3600_000;

/** A message that a result was posted as: what is needed to post it once more with its pictures covered. */
export type SentMessage = {
	handle: MessageHandle;
	/** Markdown. */
	text: string;
	buttons: readonly Button[];
	/** How many of the result's pictures it shows. */
	count: number;
	/** See `Post.link`. */
	link?: string | undefined;
};

/** A picture that was made, as the moderators' log tells of it. */
export type LogEntry = {
	job: string;
	command: string;
	prompt: string;
	person: Pick<Person, 'id' | 'name' | 'locale'>;
	/** Where it was asked for. */
	place: Place;
	/** Only who asked sees it. */
	private: boolean;
	/** Empty when it could not be posted. */
	sent: readonly SentMessage[];
	/** How many pictures the entry shows. */
	pictures: number;
	/** Why it shows none. */
	without?: 'too many' | 'not posted';
};

/** The actions that a moderator can take on an entry. */
export const LOG_ACTIONS = ['remove', 'block', 'hide'] as const satisfies readonly ActionName[];
export type LogAction = (typeof LOG_ACTIONS)[number];

/** What a moderator did, and whether it could be done. */
export type Note = { by: Pick<Person, 'id'>; done: boolean };
export type Notes = Partial<Record<LogAction, Note>>;

/** What the buttons under an entry stand for, and what was done by them. */
export type LogEntries = {
	save(entry: LogEntry): Promise<void>;
	find(job: string): Promise<LogEntry | undefined>;
	/** Two at once are both kept. */
	note(job: string, action: LogAction, note: Note): Promise<void>;
	notes(job: string): Promise<Notes>;
};

export function createLogEntries({ keyv }: Space): LogEntries {
	const noteKey = (job: string, action: LogAction) => `note:${action}:${job}`;
	return {
		async save(entry) {
			await keyv.set(`entry:${entry.job}`, entry, ENTRY_TTL_MS);
		},
		find: (job) => keyv.get<LogEntry>(`entry:${job}`),
		async note(job, action, note) {
			await keyv.set(noteKey(job, action), note, ENTRY_TTL_MS);
		},
		async notes(job) {
			const notes = await keyv.getMany<Note>(LOG_ACTIONS.map((action) => noteKey(job, action)));
			return Object.fromEntries(LOG_ACTIONS.flatMap((action, index) => (notes[index] ? [[action, notes[index]]] : [])));
		},
	};
}
