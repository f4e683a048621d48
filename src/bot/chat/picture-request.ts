import type { Upload } from '../../domain/channel.ts';
import type { IncomingMessage } from '../../domain/platform.ts';
import { oneLine } from '../../domain/text.ts';
import { itemNumberOf, pictureNumberIn } from './numbered.ts';

/** A command that a message asks for, with its options. */
type PictureCommand = { command: string; options: Record<string, unknown> };

/** The pictures that a message asks a question about. */
export type PictureQuestion = { about: readonly Upload[] };

/** An item of the last numbered answer to draw; -1 for its last one. */
type ItemRequest = { item: number };

/** A reply to several pictures that does not say which one is meant. */
type UnclearReply = { pictures: number };

/** The pictures that a message asks for, or asks about; `'no instruction'` for pictures alone. */
export type MessageRequest = PictureCommand | PictureQuestion | ItemRequest | UnclearReply | 'no instruction';

/** A composition takes at most three pictures. */
const MAX_PICTURES = 3;

/**
 * Returns the picture command that a chat message stands for: one that begins with the word "draw", or that brings pictures and an
 * instruction, or replies to a message with pictures. Returns `'no instruction'` for pictures alone, the pictures of a question about
 * them, and undefined for any other message.
 */
export function pictureCommandOf({
	text,
	uploads,
	repliedTo,
}: Pick<IncomingMessage, 'text' | 'uploads' | 'repliedTo'>): MessageRequest | undefined {
	const brought = uploads.filter(isPicture);
	const shown = repliedTo?.pictures ?? [];
	const instruction = oneLine(text) && text.trim();
	if (brought.length + shown.length === 0) return drawRequestOf(instruction);
	if (instruction === '') return 'no instruction';
	if (isQuestion(instruction)) return { about: [...shown, ...brought] };
	const number = shown.length > 1 ? pictureNumberIn(instruction, shown.length) : 1;
	if (number === undefined) return { pictures: shown.length };
	const pictures = [...shown.slice(number - 1, number), ...brought].slice(0, MAX_PICTURES);
	const options = { prompt: instruction, ...(repliedTo?.private && { private: true }) };
	if (pictures.length === 1) return { command: 'edit', options: { image: pictures[0], ...options } };
	const images = Object.fromEntries(pictures.map((picture, index) => [`image${index + 1}`, picture]));
	return { command: 'compose', options: { ...images, ...options } };
}

function drawRequestOf(instruction: string): PictureCommand | ItemRequest | undefined {
	const prompt = /^draw[\s:,]+(\S.*)$/is.exec(instruction)?.[1];
	if (prompt === undefined) return undefined;
	const item = itemNumberOf(prompt);
	return item === undefined ? { command: 'imagine', options: { prompt } } : { item };
}

/**
 * Tells a question about pictures, which the chat model answers, from an instruction. "Can you make it night?" is an instruction; in other
 * languages, a polite instruction must not end with a question mark.
 */
const isQuestion = (text: string) => /[?？؟]\s*$/.test(text) && !REQUEST.test(text);

const REQUEST =
	/^(please\b|(can|could|would|will) (you|we|i)\b(?!.*\b(see|tell|describe|read|explain|say|recogni[sz]e|identify|translate|count)\b))/is;

/** Trusts the platform's claim for now; whether it is a picture is decided from its bytes later. */
const isPicture = ({ type, name }: Upload) =>
	type === undefined ? /\.(png|jpe?g|webp|gif|avif|tiff?)$/i.test(name) : type.startsWith('image/');
