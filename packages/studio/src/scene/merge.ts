import { list, subjectPhrase, theSubject } from './captions/wording.ts';
import { findSubjects, type Target } from './find-subjects.ts';
import type { Relation } from './names.ts';
import type { Scene, Subject } from './scene.ts';
import { joining, MAX_SUBJECTS } from './subject.ts';

/** How scenes become one. Pictures are named by their index from 0. */
export type Merge = {
	/** The picture that the others come into: its place, time and weather stay. */
	base: number;
	/** What is taken from others, in this order; all their subjects when `what` is missing. */
	take: readonly { from: number; what?: Target; to?: { kind: Relation; what?: Target } }[];
	/** Leaves out what the base shows, as for a new background. */
	empty?: boolean;
	/** What the base takes of another picture's look. */
	look?: { from: number; parts: readonly LookPart[] };
};

export type LookPart = 'style' | 'colours' | 'light' | 'weather' | 'season' | 'mood' | 'place';

export type Merged = { scene: Scene; said: string[]; missing: string[] };

/** Merges scenes into one. It keeps the seed of the base, so that what the base shows stays where it is. */
export function mergeScenes(scenes: readonly Scene[], { base, take, empty = false, look }: Merge): Merged {
	const ground = scenes[base];
	if (!ground) throw new RangeError(`There is no scene ${base} among ${scenes.length}`);
	const result: Merged = { scene: empty ? { ...ground, subjects: [] } : ground, said: [], missing: [] };
	for (const { from, what, to } of take) {
		const source = scenes[from];
		if (!source) continue;
		const found = what ? withRelated(source, findSubjects(source, what)) : source.subjects;
		if (found.length === 0) {
			result.missing.push(
				what ? `There is no ${what.name} in image ${from + 1}` : `There is nothing to take from image ${from + 1}`,
			);
			continue;
		}
		const onto = to?.what ? findSubjects(result.scene, to.what)[0] : to && result.scene.subjects[0];
		if (to?.what && !onto) result.missing.push(`There is no ${to.what.name} in image ${base + 1}`);
		const taken = joining(found, result.scene.subjects);
		const [first] = taken;
		if (to && onto && first) taken[0] = { ...first, side: undefined, relation: { kind: to.kind, to: onto.id } };
		result.scene = { ...result.scene, subjects: [...result.scene.subjects, ...taken].slice(0, MAX_SUBJECTS) };
		const names = what ? found.slice(0, 1).map(theSubject) : found.filter((one) => !one.relation).map(subjectPhrase);
		const where = to && onto ? `${to.kind} ${theSubject(onto)} of` : 'into';
		result.said.push(`Put ${list(names)} of image ${from + 1} ${where} image ${base + 1}`);
	}
	const lookOf = look && scenes[look.from];
	if (lookOf) {
		result.scene = withLook(result.scene, lookOf, look.parts);
		result.said.push(`Gave image ${base + 1} the ${list([...look.parts])} of image ${look.from + 1}`);
	}
	return result;
}

/** Whom a subject rides or what it wears comes along. */
function withRelated({ subjects }: Scene, found: readonly Subject[]): readonly Subject[] {
	const ids = new Set(found.map(({ id }) => id));
	const isAlong = ({ id, relation }: Subject) =>
		!ids.has(id) && relation && ids.has(relation.to) && relation.kind.endsWith(' by');
	return [...found, ...subjects.filter(isAlong)];
}

function withLook(scene: Scene, of: Scene, parts: readonly LookPart[]): Scene {
	const from = (...names: LookPart[]) => (names.some((name) => parts.includes(name)) ? of : scene);
	return {
		...scene,
		style: from('style').style,
		tint: from('colours').tint,
		mood: from('mood').mood,
		season: from('season').season,
		// Light makes most of a scene's colours.
		time: from('light', 'colours').time,
		sky: from('light', 'colours').sky,
		weather: from('weather', 'light').weather,
		place: from('place').place,
	};
}
