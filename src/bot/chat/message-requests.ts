import type { Upload } from '../../domain/channel.ts';
import type { IncomingMessage } from '../../domain/platform.ts';
import { oneLine } from '../../domain/text.ts';
import { hasUnreadablePictures, sortFiles, unreadFile } from './message-files.ts';
import type { UnreadFile } from './transcript.ts';
import { itemNumberOf, pictureNumberIn } from './words/numbered.ts';
import { isQuestion, promptIn } from './words/plain-words.ts';

/** A command that a message asks for, with its options. `unused` are files of the message that it has no use for. */
type PictureCommand = { command: string; options: Record<string, unknown>; unused?: readonly UnreadFile[] };

/** The pictures that a message asks a question about. */
export type PictureQuestion = { about: readonly Upload[] };

/** An item of the last numbered answer to draw; -1 for its last one. */
type ItemRequest = { item: number };

/** A reply to several pictures that does not say which one is meant. */
type UnclearReply = { pictures: number };

/** Nothing that a message is about can be read. */
type UnreadRequest = { unread: readonly UnreadFile[] };

/** The pictures that a message asks for, or asks about; `'no instruction'` for pictures alone. */
export type MessageRequest =
	| PictureCommand
	| PictureQuestion
	| ItemRequest
	| UnclearReply
	| UnreadRequest
	| 'no instruction';

type MessageContent = Pick<IncomingMessage, 'text' | 'uploads' | 'repliedTo'>;

/**
 * Returns the picture command that a chat message stands for: one that asks for a picture in plain words, or that brings pictures and an
 * instruction, or replies to a message with pictures. Returns `'no instruction'` for pictures alone, the pictures of a question about
 * them, what cannot be read where there is nothing else, and undefined for any other message.
 *
 * @param maxReferences how many pictures a composition takes
 */
export function pictureCommandOf(
	{ text, uploads, repliedTo }: MessageContent,
	maxReferences = 3,
): MessageRequest | undefined {
	const { pictures: brought, texts, unread } = sortFiles(uploads);
	const shown = sortFiles(repliedTo?.uploads ?? []).pictures;
	const instruction = oneLine(text) && text.trim();
	const unused = [...unread, ...texts.map((upload) => unreadFile(upload, 'unused'))];
	if (brought.length + shown.length === 0) {
		const draws = drawRequestOf(instruction);
		if (draws) return { ...draws, ...(unused.length > 0 && 'command' in draws && { unused }) };
		return unreadRequestOf({ text: instruction, uploads, repliedTo });
	}
	if (instruction === '' && texts.length === 0) return 'no instruction';
	if (instruction === '' || isQuestion(instruction)) return { about: [...shown, ...brought] };
	const number = shown.length > 1 ? pictureNumberIn(instruction, shown.length) : 1;
	if (number === undefined) return { pictures: shown.length };
	const all = [...shown.slice(number - 1, number), ...brought];
	const pictures = all.slice(0, maxReferences);
	unused.push(...all.slice(maxReferences).map((upload) => unreadFile(upload, 'unused')));
	const options = { prompt: instruction, ...(repliedTo?.private && { private: true }) };
	const images = pictures.map((picture, index) => [`image${index + 1}`, picture]);
	const request =
		pictures.length === 1
			? { command: 'edit', options: { image: pictures[0], ...options } }
			: { command: 'compose', options: { ...Object.fromEntries(images), ...options } };
	return unused.length > 0 ? { ...request, unused } : request;
}

/** A message of files that cannot be read, or an instruction about pictures that cannot, must not cost a turn. */
function unreadRequestOf({ text, uploads, repliedTo }: MessageContent): UnreadRequest | undefined {
	const { texts, unread } = sortFiles(uploads);
	if (text === '') return texts.length === 0 && unread.length > 0 ? { unread } : undefined;
	if (hasUnreadablePictures(uploads)) return { unread };
	const shown = repliedTo?.uploads ?? [];
	return hasUnreadablePictures(shown) && !isQuestion(text) ? { unread: sortFiles(shown).unread } : undefined;
}

function drawRequestOf(instruction: string): PictureCommand | ItemRequest | undefined {
	const prompt = promptIn(instruction);
	if (prompt === undefined) return undefined;
	const item = itemNumberOf(prompt);
	return item === undefined ? { command: 'imagine', options: { prompt } } : { item };
}

/** A message that makes the bot forget a thread. */
const FORGET = /^forget( everything)?[.!]?$/i;

/** Tells whether a message asks the bot to forget the thread. */
export const asksToForget = (text: string) => FORGET.test(text.trim());

/** Tells whether a message that the bot answers is answered by a chat model. */
export const asksModel = ({ text, uploads }: MessageContent, command: MessageRequest | undefined): boolean =>
	(text.trim() !== '' || sortFiles(uploads).texts.length > 0) &&
	!asksToForget(text) &&
	(command === undefined || (typeof command === 'object' && 'about' in command));
