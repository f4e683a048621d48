import { isOnPlain } from '../operations/cut-out.ts';
import { describeLayout, describeOperation } from '../scene/captions/describe.ts';
import { applyChanges } from '../scene/change.ts';
import type { Inset, Layout } from '../scene/layout.ts';
import { mergeScenes } from '../scene/merge.ts';
import { onPixels } from '../scene/on-pixels.ts';
import type { Operation } from '../scene/scene.ts';
import { type Making, redrawing, retouching, type Wish } from './making.ts';
import type { Picture } from './references.ts';

/** Makes one picture of two or three: of their scenes when all have one and the words do not ask for an arrangement. */
export async function composing(wish: Wish, pictures: readonly Picture[]): Promise<Making> {
	const { artist, prompt, size, sharpText } = wish;
	const read = await artist.read('composition', [prompt, pictures.length], wish.signal);
	const { merge, layout, own, changes, notUnderstood } = read;
	const scenes = pictures.flatMap(({ drawn }) => (drawn ? [drawn.scene] : []));
	if (merge && scenes.length === pictures.length) {
		const merged = mergeScenes(scenes, merge);
		const { scene, said, missing } = applyChanges(merged.scene, changes);
		const all = { said: [...merged.said, ...said], missing: [...merged.missing, ...missing], notUnderstood };
		return redrawing(artist, { scene: { ...scene, sharpText }, ...size }, all);
	}
	const isPlain = await Promise.all(pictures.map(({ bytes }) => isOnPlain(bytes)));
	const isLaid = !layout && pictures.length === 2 && LAID.test(prompt) && isPlain[0] !== isPlain[1];
	const image = isPlain.indexOf(true);
	const each = own.map((one) => onPixels(one).operations);
	const scattered: Layout = { layout: 'prints', order: [...pictures.keys()] };
	const laid = withCutOuts(isLaid ? onOther(image) : (layout ?? scattered), isPlain, each);
	// Where one picture is laid on another, a place says where.
	const whole = onPixels(changes.filter((change) => !isLaid || change.do === 'operate' || change.do === 'write'));
	const isCutOut = merge && (merge.empty || merge.take.some(({ what }) => what) || merge.look?.parts.includes('place'));
	const impossible =
		isCutOut && each.every((all) => all[0]?.do !== 'cutOut')
			? ['taking a subject out of a picture', ...whole.impossible]
			: whole.impossible;
	const inSentence = (operation: Operation) => describeOperation(operation).replace(/^./u, (one) => one.toLowerCase());
	const ofEach = each.map((all, index) => all.map((one) => `Image ${index + 1}: ${inSentence(one)}`));
	const said = [...ofEach.flat(), describeLayout(laid), ...whole.operations.map(describeOperation)];
	const edit = { each, arranged: { layout: laid, ...size }, operations: whole.operations };
	return retouching(wish, pictures, edit, { said, impossible, notUnderstood });
}

/** "Put the mug on the beach": words that lay one picture on another without naming them by number. */
const LAID =
	/(?:^|\s)(?:put|place|set|print|lay|stick|add|setze?|lege|stelle|mets|pon|on|onto|over|auf|sur|sobre)(?:\s|$)/iu;

/** Lays one of two pictures on the other. */
const onOther = (image: number): Layout => ({
	layout: 'inset',
	ground: 1 - image,
	insets: [{ image, spot: { x: 0.5, y: 1 }, size: 0.4, shape: 'plain' }],
});

/** Lays pictures whose background has one colour over the other one without it, where the words ask for that. */
function withCutOuts(layout: Layout, isPlain: readonly boolean[], each: Operation[][]): Layout {
	if (layout.layout !== 'inset') return layout;
	const insets = layout.insets.map((inset): Inset => {
		if (inset.shape === 'circle' || !isPlain[inset.image]) return inset;
		each[inset.image] = [{ do: 'cutOut' }, ...(each[inset.image] ?? [])];
		return { ...inset, shape: 'plain' };
	});
	return { ...layout, insets };
}
