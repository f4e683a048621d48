import { findSubjects, type Target } from './find-subjects.ts';
import type { Relation } from './names.ts';
import type { Scene, Subject } from './scene.ts';
import { subjectPhrase, theSubject } from './subject-phrase.ts';
import { list } from './wording.ts';

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

const MAX_SUBJECTS = 12;

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
		const taken = renumbered(found, result.scene);
		const relation = to && onto && { kind: to.kind, to: onto.id };
		const placed = taken.map((subject, index) => (index === 0 && relation ? related(subject, relation) : subject));
		result.scene = { ...result.scene, subjects: [...result.scene.subjects, ...placed].slice(0, MAX_SUBJECTS) };
		const where = to && onto ? `${to.kind} ${theSubject(onto)}` : 'in';
		result.said.push(
			`Put ${what ? list(found.slice(0, 1).map(theSubject)) : list(found.filter((one) => !one.relation).map(subjectPhrase))} of image ${from + 1} ${where} of image ${base + 1}`.replace(
				' in of ',
				' into ',
			),
		);
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
	const first = found.slice(0, 1);
	const ids = new Set(found.map(({ id }) => id));
	const along = subjects.filter(
		({ id, relation }) => !ids.has(id) && relation && ids.has(relation.to) && relation.kind.endsWith(' by'),
	);
	return [...first, ...found.slice(1), ...along];
}

function related({ side: _, ...subject }: Subject, relation: NonNullable<Subject['relation']>): Subject {
	return { ...subject, relation };
}

/** Gives subjects ids that the scene does not have yet, and keeps the relations among them. */
function renumbered(subjects: readonly Subject[], { subjects: there }: Scene): Subject[] {
	const next = Math.max(0, ...there.map(({ id }) => id)) + 1;
	const ids = new Map(subjects.map(({ id }, index) => [id, next + index]));
	return subjects.map(({ relation, ...subject }) => {
		const to = relation && ids.get(relation.to);
		return { ...subject, id: ids.get(subject.id) ?? next, ...(to && { relation: { kind: relation.kind, to } }) };
	});
}

function withLook(scene: Scene, of: Scene, parts: readonly LookPart[]): Scene {
	const has = (part: LookPart) => parts.includes(part);
	const { style, tint, mood, season, ...rest } = scene;
	const pick = <Key extends 'style' | 'tint' | 'mood' | 'season'>(
		key: Key,
		taken: boolean,
	): Partial<Pick<Scene, Key>> => {
		const value = taken ? of[key] : scene[key];
		return value === undefined ? {} : ({ [key]: value } as Partial<Pick<Scene, Key>>);
	};
	return {
		...rest,
		...pick('style', has('style')),
		...pick('tint', has('colours')),
		...pick('mood', has('mood')),
		...pick('season', has('season')),
		// Light makes most of a scene's colours.
		...((has('light') || has('colours')) && { time: of.time, sky: of.sky }),
		...((has('weather') || has('light')) && { weather: of.weather }),
		...(has('place') && { place: of.place }),
	};
}
