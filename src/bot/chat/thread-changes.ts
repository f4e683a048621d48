import type { MessageHandle, Person, Place, PlaceScope, ServerId } from '../../domain/channel.ts';
import type { MessageChange } from '../../domain/platform.ts';
import type { Easel } from '../../easel.ts';
import { translatorFor } from '../../i18n/translator.ts';
import type { ActionResult } from '../declaration/actions.ts';
import type { IsPerson } from './conversations.ts';
import { clipped, type TranscriptEntry, threadKey, type Utterance } from './transcript.ts';

/** Applies an edited or deleted message to the transcript of its thread. */
export async function applyChange(easel: Easel, change: MessageChange): Promise<void> {
	const { conversations } = easel;
	if (!(await conversations.find(change.place))) return;
	for (const entry of await conversations.read(change.place)) {
		const changed = await changedEntry(easel, entry, change);
		if (changed) await conversations.replace(change.place, { ...changed, number: entry.number });
	}
}

async function changedEntry(
	easel: Easel,
	entry: TranscriptEntry,
	{ id, place, text }: MessageChange,
): Promise<TranscriptEntry | undefined> {
	if (entry.kind === 'said' && entry.id === id) {
		const isAllowed = text !== undefined && (await isTextAllowed(easel, place, entry.person, text));
		return isAllowed ? { ...entry, text: clipped(text.trim()), unscreened: true } : { kind: 'gone' };
	}
	// A deleted answer loses its text alone: the messages before it stay answered.
	if (entry.kind === 'answer' && text === undefined && entry.posts.some(({ key }) => key === id))
		return { ...entry, text: '' };
	return undefined;
}

/** Tells whether the server's rules allow the new text of a message. One that breaks them is no longer sent to the model. */
async function isTextAllowed({ policy, platforms }: Easel, place: Place, person: Utterance['person'], text: string) {
	const channel = (await platforms.open(place).catch(() => undefined)) ?? {
		place,
		refer: (_: string, id: string) => id,
		when: String,
	};
	return (await policy.check('message', { channel, person: { ...person, moderator: false }, text })) === undefined;
}

/** Forgets what was said in a thread. The bot still takes part in it. */
export async function forgetThread(easel: Easel, place: Place, { locale }: Person): Promise<ActionResult> {
	const isHere = (other: Place) => threadKey(other) === threadKey(place);
	await eraseChats(easel, isHere, () => easel.conversations.drop(place));
	return { reply: { text: translatorFor(locale)('thread.forgotten') } };
}

/** Deletes everything that is kept of the threads of a place. */
export const forgetChats = (easel: Easel, where: PlaceScope): Promise<void> =>
	eraseChats(easel, isWithin(where), () => easel.conversations.purge(where));

/** Carries the threads of a channel on to its new id. Answers that are being written there end. */
export async function moveChats(
	{ turns, conversations }: Easel,
	from: ServerId & { channel: string },
	to: string,
): Promise<void> {
	await turns.stopWhere(isWithin(from));
	await conversations.move(from, to);
}

const isWithin =
	(where: PlaceScope) =>
	({ platform, server, channel, thread }: Place): boolean =>
		platform === where.platform &&
		server === where.server &&
		(where.channel === undefined || channel === where.channel) &&
		(where.thread === undefined || thread === where.thread);

/**
 * Erases people's messages, the answers to them, and the threads that they have begun; see `Conversations.erasePeople`.
 * @returns the messages in which the answers were posted
 */
export async function eraseChatsOf(easel: Easel, is: IsPerson): Promise<MessageHandle[]> {
	const posts: MessageHandle[] = [];
	const threads = new Set<string>();
	const isTheirs = (place: Place) => threads.has(threadKey(place));
	await eraseChats(easel, isTheirs, async () => {
		const { places, answers } = await easel.conversations.erasePeople(is);
		for (const place of places) threads.add(threadKey(place));
		posts.push(...answers.flatMap((answer) => answer.posts));
	});
	return posts;
}

/**
 * Erases chats for good: stops the answers that are being written there, which would otherwise be saved afterwards.
 *
 * @param matches tells whether a thread is erased
 * @param erase called twice
 */
async function eraseChats({ turns }: Easel, matches: (place: Place) => boolean, erase: () => Promise<void>) {
	// First, so that no message is left to be answered.
	await erase();
	await turns.stopWhere(matches);
	await erase();
}
