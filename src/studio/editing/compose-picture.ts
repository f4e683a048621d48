import { apply, inAnotherLight } from './apply.ts';
import { lay, recoloured } from './layouts.ts';
import { LONGEST_SIDE, layered, type Picture, pipeline, plain, readPicture, settle, writePicture } from './picture.ts';
import { randomOf } from './random.ts';
import { readComposition } from './read-composition.ts';

export type ComposeJob = {
	images: readonly Uint8Array[];
	prompt: string;
	width: number;
	height: number;
	variation: number;
};

/** Puts pictures together as the prompt says, in the thread that it is called in. */
export async function composePicture(job: ComposeJob, signal: AbortSignal): Promise<Uint8Array> {
	const { prompt, variation } = job;
	const manner = { seed: prompt, variation: 0, sharp: false, signal };
	const { layout, palette, own, edits } = readComposition(prompt, job.images.length);
	const pictures: Picture[] = [];
	for (const [index, image] of job.images.entries()) {
		pictures.push(await apply(await readPicture(image), own[index] ?? [], { ...manner, seed: `${prompt} ${index}` }));
	}
	signal.throwIfAborted();
	const [on, of] = [pictures[palette?.on ?? -1], pictures[palette?.of ?? -1]];
	if (palette && on && of) pictures[palette.on] = recoloured(on, of, 0.92);
	// Layouts are made within `LONGEST_SIDE`; a larger result is scaled up at the end.
	const scale = Math.min(1, LONGEST_SIDE / Math.max(job.width, job.height));
	const [width, height] = [Math.max(1, Math.round(job.width * scale)), Math.max(1, Math.round(job.height * scale))];
	const random = randomOf(`${prompt} ${variation} layout`);
	const laid = await lay(pictures, layout, { width, height, random });
	const edited = await apply(laid, edits, manner);
	const result = variation === 0 ? edited : inAnotherLight(edited, randomOf(`${prompt} ${variation}`));
	return writePicture(await fitted(result, job.width, job.height));
}

/** Edits may change the size (“with a frame”); the result has the one that was asked for, without being stretched. */
async function fitted(picture: Picture, width: number, height: number): Promise<Picture> {
	if (picture.width === width && picture.height === height) return picture;
	const off = Math.abs(Math.log(picture.width / picture.height / (width / height)));
	if (off < 0.12) return settle(pipeline(picture).resize(width, height, { fit: 'fill' }));
	const inside = await settle(pipeline(picture).resize(width, height, { fit: 'inside' }));
	const ground = plain(width, height, [250, 250, 248]);
	return layered(ground, [{ picture: inside, left: (width - inside.width) / 2, top: (height - inside.height) / 2 }]);
}
