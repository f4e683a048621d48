import type { Place } from '../../domain/place.ts';
import type { MessageChange } from '../../domain/platform.ts';
import type { BotServices } from '../services.ts';
import type { Conversations } from './conversations.ts';
import { clipped } from './history.ts';
import type { TranscriptEntry, Utterance } from './transcript.ts';

type ChangeServices = Pick<BotServices, 'policy' | 'open'>;

/** Applies an edited or deleted message to the transcript of its thread. */
export async function applyChange(
	services: ChangeServices,
	conversations: Pick<Conversations, 'find' | 'read' | 'replace'>,
	{ id, place, text }: MessageChange,
): Promise<void> {
	if (!(await conversations.find(place))) return;
	const { first, entries } = await conversations.read(place);
	for (const [index, entry] of entries.entries()) {
		const changed = await changedEntry(services, entry, { id, place, text });
		if (changed) await conversations.replace(place, first + index, changed);
	}
}

async function changedEntry(
	services: ChangeServices,
	entry: TranscriptEntry,
	{ id, place, text }: { id: string; place: Place; text: string | undefined },
): Promise<TranscriptEntry | undefined> {
	if (entry.kind === 'said' && entry.id === id) {
		const isAllowed = text !== undefined && (await isTextAllowed(services, place, entry.person, text));
		return isAllowed ? { ...entry, text: clipped(text.trim()), unscreened: true } : { kind: 'gone' };
	}
	// A deleted answer loses its text alone: the messages before it stay answered.
	if (entry.kind === 'answer' && text === undefined && entry.posts.some(({ key }) => key === id))
		return { ...entry, text: '' };
	return undefined;
}

/** Tells whether the server's rules allow the new text of a message. One that breaks them is no longer sent to the model. */
async function isTextAllowed(
	{ policy, open }: ChangeServices,
	place: Place,
	person: Utterance['person'],
	text: string,
): Promise<boolean> {
	const channel = (await open(place).catch(() => undefined)) ?? { place, refer: (_: string, id: string) => id };
	return (await policy.checkMessage({ channel, person: { ...person, moderator: false }, text })) === undefined;
}
