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
	const plain = layout.layout === 'any' && LAID.test(prompt) ? await layoutOnOther(pictures) : undefined;
	// Where one picture is laid on another, a place says where.
	const whole = onPixels(changes.filter((change) => !plain || change.do === 'operate' || change.do === 'write'));
	const each = own.map((one) => onPixels(one).operations);
	const laid = await cutOuts(pictures, plain ?? layout, each);
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

/** Returns the layout that lays the one of two pictures that has a background of one colour over the other one. */
async function layoutOnOther(pictures: readonly Picture[]): Promise<Layout | undefined> {
	const plain = await Promise.all(pictures.map(({ bytes }) => isOnPlain(bytes)));
	const image = plain.indexOf(true);
	if (pictures.length !== 2 || image < 0 || plain.every(Boolean)) return undefined;
	return { layout: 'inset', ground: 1 - image, insets: [{ image, spot: { x: 0.5, y: 1 }, size: 0.4, shape: 'plain' }] };
}

/** Lays pictures whose background has one colour over the other one without it, where the words ask for that. */
async function cutOuts(pictures: readonly Picture[], layout: Layout, each: Operation[][]): Promise<Layout> {
	if (layout.layout !== 'inset') return layout;
	const cut = async (inset: Inset): Promise<Inset> => {
		const bytes = pictures[inset.image]?.bytes;
		if (inset.shape === 'circle' || !bytes || !(await isOnPlain(bytes))) return inset;
		each[inset.image] = [{ do: 'cutOut' }, ...(each[inset.image] ?? [])];
		return { ...inset, shape: 'plain' };
	};
	return { ...layout, insets: await Promise.all(layout.insets.map(cut)) };
}
