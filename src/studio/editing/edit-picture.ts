import { apply } from './apply.ts';
import { readPicture, writePicture } from './picture.ts';
import { readInstruction } from './read-instruction.ts';

export type EditJob = { image: Uint8Array; instruction: string; variation: number; sharp: boolean };

/** Does what the instruction says to the picture, in the thread that it is called in. */
export async function editPicture(
	{ image, instruction, variation, sharp }: EditJob,
	signal: AbortSignal,
): Promise<Uint8Array> {
	const picture = await readPicture(image);
	return writePicture(
		await apply(picture, readInstruction(instruction), { seed: instruction, variation, sharp, signal }),
	);
}
