import { applyChanges } from '../scene/change.ts';
import { describeLayout, describeOperation } from '../scene/describe-operation.ts';
import { mergeScenes } from '../scene/merge.ts';
import { onPixels } from '../scene/on-pixels.ts';
import type { Artist, Size } from './artist.ts';
import { notPossible } from './editing.ts';
import { drawPicture, type Making, revisedPrompt } from './making.ts';
import { marked, sourceOfEdit } from './marks.ts';
import type { Picture } from './references.ts';

/** Makes one picture of two or three: of their scenes when all have one and the words do not ask for an arrangement. */
export async function composing(
	artist: Artist,
	pictures: readonly Picture[],
	prompt: string,
	size: Size,
	sharpText: boolean,
	signal: AbortSignal,
): Promise<Making> {
	const { merge, layout, own, changes, notUnderstood } = await artist.read(
		'composition',
		[prompt, pictures.length],
		signal,
	);
	const scenes = pictures.flatMap(({ drawn }) => (drawn ? [drawn.scene] : []));
	if (merge && scenes.length === pictures.length) {
		const merged = mergeScenes(scenes, merge);
		const { scene, said, missing } = applyChanges(merged.scene, changes);
		return async (variation, signal) => {
			const varied = { ...scene, sharpText, variation: scene.variation + variation };
			const png = await drawPicture(artist, { scene: varied, ...size }, signal);
			const all = { said: [...merged.said, ...said], missing: [...merged.missing, ...missing] };
			return { png, revisedPrompt: revisedPrompt({ ...all, scene: varied, notUnderstood }) };
		};
	}
	const whole = onPixels(changes);
	const each = own.map((one) => onPixels(one).operations);
	const request = {
		pictures: pictures.map(({ bytes }) => bytes),
		layout,
		each,
		afterwards: whole.operations,
		...size,
	};
	const source = sourceOfEdit(pictures.map(({ source }) => source));
	const isCutOut = merge && (merge.empty || merge.take.some(({ what }) => what) || merge.look?.parts.includes('place'));
	const impossible = isCutOut ? ['taking a subject out of a picture', ...whole.impossible] : whole.impossible;
	const ofEach = each.flatMap((operations, index) =>
		operations.map(
			(operation) =>
				`Image ${index + 1}: ${describeOperation(operation).replace(/^./u, (letter) => letter.toLowerCase())}`,
		),
	);
	const said = [...ofEach, describeLayout(layout), ...whole.operations.map(describeOperation)];
	return async (variation, signal) => {
		const png = await artist.layOut(request, { seed: prompt, variation, sharpText }, signal);
		return {
			png: marked(png, source),
			revisedPrompt: revisedPrompt({ said, missing: notPossible(impossible), notUnderstood }),
		};
	};
}
