import { ApiError } from '../http/api-error.ts';
import { describe, describeOperation } from '../scene/captions/describe.ts';
import { applyChanges } from '../scene/change.ts';
import { onPixels } from '../scene/on-pixels.ts';
import type { DrawnScene } from '../scene/picture-scene.ts';
import { type Making, redrawing, retouching, type Wish } from './making.ts';
import type { Picture } from './references.ts';

/**
 * Edits a picture: one of the studio's own is drawn again with its scene changed, any other one gets operations on its pixels.
 * @throws ApiError 400 `nothing_to_do` when the instruction changes nothing
 */
export async function editing(wish: Wish, picture: Picture): Promise<Making> {
	const { artist, prompt, sharpText, signal } = wish;
	const { changes, notUnderstood } = await artist.read('instruction', [prompt], signal);
	const { drawn } = picture;
	if (drawn) {
		const { scene, said, missing } = applyChanges(drawn.scene, changes);
		if (JSON.stringify(scene) === JSON.stringify(drawn.scene)) throw nothingToDo(drawn, missing[0], notUnderstood);
		const changed = { ...scene, sharpText: sharpText || scene.sharpText };
		return redrawing(artist, { ...drawn, scene: changed }, { said, missing, notUnderstood });
	}
	const { operations, impossible } = onPixels(changes);
	if (operations.length === 0) throw nothingToDoWithPixels(impossible);
	return retouching(
		wish,
		[picture],
		{ operations },
		{ said: operations.map(describeOperation), impossible, notUnderstood },
	);
}

/** The bot shows at most 300 characters of an error. */
const MAX_SHOWN = 110;

function nothingToDo({ scene }: DrawnScene, missing: string | undefined, [word]: readonly string[]): ApiError {
	const shown = describe(scene);
	const clipped = shown.length > MAX_SHOWN ? `${shown.slice(0, MAX_SHOWN - 1)}…` : shown;
	const unknown = word && `“${word.slice(0, 40).toWellFormed()}” was not understood`;
	const reason = missing ?? unknown ?? 'The picture is like that already';
	return refusal(
		`${reason}: it shows ${clipped}; say what to remove, add, replace, recolour or move, or another place, time, weather or style`,
	);
}

const CAN =
	'be toned, cropped, rotated, flipped, framed, blurred, sharpened or written on, get drawings laid over it, and lose a background of one colour';
const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function nothingToDoWithPixels(impossible: readonly string[]): ApiError {
	const [first] = impossible;
	return refusal(
		first
			? `${capitalised(first)} is only possible in a scene that was drawn here; this picture can ${CAN}`
			: `Nothing of this can be done with the picture, which can ${CAN}`,
	);
}

const refusal = (sentence: string) => new ApiError(400, `${sentence}.`, { param: 'prompt', code: 'nothing_to_do' });
