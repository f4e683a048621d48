import { type Background, cutOut } from '../pictures/cut-out.ts';
import type { ImageResult, OutputImage } from './service.ts';

/** Services read the language of the prompt; the instruction is in the one that they all know best. */
const INSTRUCTION =
	'The subject stands alone, whole and with a margin, on a plain flat background of one single bright colour that does not occur in the ' +
	'subject, such as pure magenta or pure green: no scenery, no floor, no shadow, no gradient, no texture, no border.';

/** Returns a prompt for a picture whose background can be cut out. */
export const onFlatBackground = (prompt: string): string => `${prompt}\n\n${INSTRUCTION}`;

/** Cuts the backgrounds out of the pictures of a result that have none of transparency yet, one at a time. */
export async function withoutBackground(
	result: ImageResult,
	prompt: string,
	signal: AbortSignal,
): Promise<ImageResult> {
	const images: OutputImage[] = [];
	// Pictures that are fetched later are not seen here.
	const found = new Set<Background | 'unseen'>(result.unfetched ? ['unseen'] : []);
	for (const image of result.images) {
		// A picture that cannot be decoded is delivered as it came: it has been paid for.
		const kept = { bytes: image.bytes, background: 'kept' as const };
		const { bytes, background } = await cutOut(image.bytes, signal).catch(() => kept);
		images.push({ ...image, bytes });
		found.add(background);
	}
	const [first = 'kept', ...others] = found;
	const background = others.length > 0 || first === 'unseen' ? 'mixed' : first;
	const revised = result.revisedPrompt === onFlatBackground(prompt) ? undefined : result.revisedPrompt;
	return { ...result, images, background, ...(result.revisedPrompt && { revisedPrompt: revised ?? prompt }) };
}
