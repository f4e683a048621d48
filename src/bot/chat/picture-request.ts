import type { Upload } from '../../domain/reply.ts';
import type { IncomingMessage } from '../../domain/requests.ts';

/** A command that a message asks for, with its options. */
type PictureCommand = { command: string; options: Record<string, unknown> };

/** The pictures that a message asks a question about. */
type PictureQuestion = { about: readonly Upload[] };

/** A composition takes at most three pictures. */
const MAX_PICTURES = 3;

/**
 * Returns the picture command that a chat message stands for: one that begins with the word "draw", or that brings pictures and an
 * instruction. Returns `'no instruction'` for pictures alone, the pictures of a question about them, and undefined for any other message.
 */
export function pictureCommandOf({
	text,
	uploads,
}: Pick<IncomingMessage, 'text' | 'uploads'>): PictureCommand | PictureQuestion | 'no instruction' | undefined {
	const all = uploads.filter(isPicture);
	const pictures = all.slice(0, MAX_PICTURES);
	const instruction = text.trim();
	const [first, ...others] = pictures;
	if (!first) {
		const prompt = /^draw[\s:,]+(\S.*)$/is.exec(instruction)?.[1];
		return prompt === undefined ? undefined : { command: 'imagine', options: { prompt } };
	}
	if (instruction === '') return 'no instruction';
	if (isQuestion(instruction)) return { about: all };
	if (others.length === 0) return { command: 'edit', options: { image: first, prompt: instruction } };
	const images = Object.fromEntries(pictures.map((picture, index) => [`image${index + 1}`, picture]));
	return { command: 'compose', options: { ...images, prompt: instruction } };
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
