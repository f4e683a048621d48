import { ApiError } from '../http/api-error.ts';
import { describe, describeOperation } from '../scene/captions/describe.ts';
import { clipped } from '../scene/captions/wording.ts';
import { applyChanges } from '../scene/change.ts';
import { onPixels } from '../scene/on-pixels.ts';
import { type Making, ONLY_IN_SCENE, redrawing, retouching, type Wish } from './making.ts';
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
		if (JSON.stringify(scene) === JSON.stringify(drawn.scene)) {
			const [word] = notUnderstood;
			const unknown = word && `“${clipped(word, 40)}” was not understood`;
			const reason = missing[0] ?? unknown ?? 'The picture is like that already';
			const can = 'say what to remove, add, replace, recolour or move, or another place, time, weather or style';
			throw nothingToDo(`${reason}: it shows ${clipped(describe(scene), 110)}; ${can}`);
		}
		const changed = { ...scene, sharpText: sharpText || scene.sharpText };
		return redrawing(artist, { ...drawn, scene: changed }, { said, missing, notUnderstood });
	}
	const { operations, impossible } = onPixels(changes);
	if (operations.length === 0) {
		const reason = impossible[0]
			? `${ONLY_IN_SCENE}: ${impossible[0]}`
			: 'Nothing of this can be done with the picture';
		throw nothingToDo(`${reason}; it can ${CAN}`);
	}
	const said = operations.map(describeOperation);
	return retouching(wish, [picture], { operations }, { said, impossible, notUnderstood });
}

const CAN =
	'be toned, cropped, rotated, flipped, framed, blurred, sharpened or written on, get drawings laid over it, and lose a background of one colour';

/** The bot shows at most 300 characters of an error. */
const nothingToDo = (sentence: string) => new ApiError(400, `${sentence}.`, { param: 'prompt', code: 'nothing_to_do' });
