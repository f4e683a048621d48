import type { Upload } from '../../domain/reply.ts';
import type { IncomingMessage } from '../../domain/requests.ts';

/** What a message in a thread asks for by itself: a command and its options. */
export type Drawing = { command: string; options: Record<string, unknown> };

/** The most pictures that a composition takes. */
const MOST = 3;

/**
 * The two ways to a picture in a thread: a message that begins with the word "draw", and pictures that come with an instruction.
 * Undefined when it is neither; `instruction` is missing where only pictures came.
 */
export function drawingIn({
	text,
	uploads,
}: Pick<IncomingMessage, 'text' | 'uploads'>): Drawing | 'no instruction' | undefined {
	const pictures = uploads.filter(isPicture).slice(0, MOST);
	const words = text.trim();
	const [first, ...others] = pictures;
	if (!first) {
		const prompt = /^draw[\s:,]+(\S.*)$/is.exec(words)?.[1];
		return prompt === undefined ? undefined : { command: 'imagine', options: { prompt } };
	}
	if (words === '') return 'no instruction';
	if (others.length === 0) return { command: 'edit', options: { image: first, prompt: words } };
	const images = Object.fromEntries(pictures.map((picture, index) => [`image${index + 1}`, picture]));
	return { command: 'compose', options: { ...images, prompt: words } };
}

/** By what the platform says of it; whether it is one is found out from its bytes later. */
const isPicture = ({ type, name }: Upload) =>
	type === undefined ? /\.(png|jpe?g|webp|gif|avif|tiff?)$/i.test(name) : type.startsWith('image/');
