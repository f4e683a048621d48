import { list, subjectPhrase, theSubject } from './captions/wording.ts';
import type { Changed } from './change.ts';
import { findSubjects, type Target } from './find-subjects.ts';
import type { Relation } from './names.ts';
import type { Scene, Subject } from './scene.ts';
import { joining, MAX_SUBJECTS, withCarried } from './scene.ts';

/** How scenes become one. Pictures are named by their index from 0. */
export type Merge = {
	/** The picture that the others come into: its place, time and weather stay. */
	base: number;
	/** What is taken from others, in this order; all their subjects when `what` is missing. */
	take: readonly { from: number; what?: Target; to?: { kind: Relation; what?: Target } }[];
	/** Leaves out what the base shows, as for a new background. */
	empty?: boolean;
	/** What the base takes of another picture's look, and how the words call it: "light and colours". */
	look?: { from: number; name: string; parts: readonly (keyof Scene)[] };
};

/** Merges scenes into one. It keeps the seed of the base, so that what the base shows stays where it is. */
export function mergeScenes(scenes: readonly Scene[], { base, take, empty = false, look }: Merge): Changed {
	const ground = scenes[base];
	if (!ground) throw new RangeError(`There is no scene ${base} among ${scenes.length}`);
	let subjects = empty ? [] : ground.subjects;
	const [said, missing]: [string[], string[]] = [[], []];
	for (const { from, what, to } of take) {
		const source = scenes[from];
		if (!source) continue;
		const found = what ? withCarried(findSubjects(source, what), source.subjects) : source.subjects;
		if (found.length === 0) {
			missing.push(`There is ${what ? `no ${what.name} in` : 'nothing to take from'} image ${from + 1}`);
			continue;
		}
		const onto = to?.what ? findSubjects({ subjects }, to.what)[0] : to && subjects[0];
		if (to?.what && !onto) missing.push(`There is no ${to.what.name} in image ${base + 1}`);
		const [first, ...others] = joining(found, subjects);
		const relation = to && onto ? { kind: to.kind, to: onto.id } : undefined;
		if (relation) Object.assign(first as Subject, { side: undefined, relation });
		subjects = [...subjects, first as Subject, ...others].slice(0, MAX_SUBJECTS);
		const names = what ? found.slice(0, 1).map(theSubject) : found.filter((one) => !one.relation).map(subjectPhrase);
		const where = to && onto ? `${to.kind} ${theSubject(onto)} of` : 'into';
		said.push(`Put ${list(names)} of image ${from + 1} ${where} image ${base + 1}`);
	}
	const scene = { ...ground, subjects };
	const lookOf = look && scenes[look.from];
	if (!lookOf) return { scene, said, missing };
	const parts = Object.fromEntries(look.parts.map((key) => [key, lookOf[key]]));
	said.push(`Gave image ${base + 1} the ${look.name} of image ${look.from + 1}`);
	return { scene: { ...scene, ...parts }, said, missing };
}
