import type { Easel } from '../../easel.ts';
import { sniff } from '../../pictures/sniff.ts';
import type { ChatMessage, InputImage } from '../../service/service.ts';
import type { TranscriptEntry, Utterance } from './transcript.ts';

/** The part of a thread that is sent to the model: enough for a long conversation, and within the context of current models. */
const BOUNDS = { characters: 24_000, messages: 60 } as const;

/** The most pictures that a model gets with one request: the newest ones of the thread. Each has at most 1 MB. */
export const MAX_PICTURES = 4;

/** The pictures that a model gets, by their names. Undefined when it takes none. */
export type SeenPictures = ReadonlyMap<string, InputImage> | undefined;

type Bounds = { characters: number; messages: number };

/** Returns how many of the oldest entries to drop, so that the rest is within the bounds. The newest entry is always kept. */
export function excess(entries: readonly TranscriptEntry[], { characters, messages }: Bounds = BOUNDS): number {
	let size = 0;
	let count = 0;
	for (let index = entries.length - 1; index >= 0; index--) {
		const length = sizeOf(entries[index]);
		size += length;
		count += length > 0 ? 1 : 0;
		if ((size > characters || count > messages) && index < entries.length - 1) return index + 1;
	}
	return 0;
}

/** The characters that an entry adds to the history. */
const sizeOf = (entry: TranscriptEntry | undefined) => (entry && entry.kind !== 'gone' ? entry.text.length : 0);

/** Clips a message that is longer than the whole history may be. */
export const clipped = (text: string, { characters }: Bounds = BOUNDS) => text.slice(0, characters).toWellFormed();

/**
 * Returns a thread as messages for the model: the system prompt, then the conversation, with each person's name before their
 * messages. Consecutive messages of people are joined into one, because many models expect both sides to take turns.
 *
 * @param seen the pictures that the model gets; it is told of the others
 */
export function historyOf(entries: readonly TranscriptEntry[], seen?: SeenPictures): ChatMessage[] {
	const messages: ChatMessage[] = [{ role: 'system', content: systemPrompt(seen !== undefined) }];
	for (const entry of entries) {
		if (entry.kind === 'gone' || entry.text.trim() === '') continue;
		const role = entry.kind === 'said' ? 'user' : 'assistant';
		const images = entry.kind === 'said' ? imagesOf(entry, seen) : [];
		const content =
			entry.kind === 'said'
				? `${nameOf(entry.person.name)}: ${entry.text}${unseenNote(entry, images.length)}`
				: entry.text;
		const last = messages.at(-1);
		if (last?.role !== role) messages.push({ role, content, ...(images.length > 0 && { images }) });
		else {
			last.content += `\n\n${content}`;
			if (images.length > 0) last.images = [...(last.images ?? []), ...images];
		}
	}
	return messages;
}

/** Returns the newest pictures of a thread that are still kept. */
export async function picturesSeen(
	{ service, temporaryUploads }: Easel,
	model: string | undefined,
	entries: readonly TranscriptEntry[],
): Promise<SeenPictures> {
	const names = entries.flatMap((entry) => (entry.kind === 'said' && entry.pictures?.names) || []);
	const isPosted = entries.some((entry) => entry.kind === 'said' && entry.pictures);
	if (!isPosted || !(await service.takesPictures(model))) return undefined;
	const seen = new Map<string, InputImage>();
	for (const name of [...new Set(names)].slice(-MAX_PICTURES)) {
		const bytes = await temporaryUploads.read(name);
		if (bytes) seen.set(name, { type: sniff(bytes)?.type ?? 'image/jpeg', bytes });
	}
	return seen;
}

const imagesOf = ({ pictures }: Utterance, seen: SeenPictures): InputImage[] =>
	(pictures?.names ?? []).flatMap((name) => seen?.get(name) ?? []);

/** Tells the model of pictures that it does not get, so that it does not make up what they show. */
function unseenNote({ pictures }: Utterance, seen: number): string {
	const unseen = (pictures?.count ?? 0) - seen;
	return unseen > 0 ? ` (with ${unseen === 1 ? 'a picture' : `${unseen} pictures`} that you do not see)` : '';
}

/** Returns a name as one short line that the model cannot mistake for more than a name. */
const nameOf = (name: string) =>
	name
		.replace(/[\s:\p{C}]+/gu, ' ')
		.trim()
		.slice(0, 80)
		.toWellFormed() || 'Somebody';

/** @param sees whether the model takes pictures */
const systemPrompt = (
	sees: boolean,
) => `You are Easel, a bot that takes part in a chat thread. Each message of a person begins with that person's name and a \
colon; your own answers have no name before them. Answer what was said last, in its language, in Markdown, and no longer than it takes.

${sees ? 'You see pictures that people ask about. You can neither draw nor change' : 'You can neither draw, see nor change'} pictures, and you \
never say that you did or will. To get a picture, people write a message that \
begins with "draw", such as: draw a red fox in the snow. To have a picture changed, they post it together with an instruction. Point \
to that when somebody asks you for a picture.`;
