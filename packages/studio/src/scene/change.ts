import { figures } from '../drawing/subjects/figures.ts';
import { describeOperation } from './captions/describe.ts';
import { colourName, list, subjectPhrase, theSubject, withoutColour } from './captions/wording.ts';
import { findSubjects, isCreature, isWorn, mainSubjects, type Target } from './find-subjects.ts';
import type { Relation, Side } from './names.ts';
import type { Hex, Operation, Scene, Subject } from './scene.ts';
import { joining, MAX_SUBJECTS, nextId, renumbered, withCarried } from './scene.ts';
import { type Surroundings, withoutSurroundings, withSurroundings } from './surroundings.ts';

/** One change of a scene, as plain data. The ids of `subjects` are their own; relations among them use these. */
export type Change =
	| { do: 'remove'; what: Target }
	/** Keeps these subjects alone. */
	| { do: 'only'; what: Target; also: readonly Target[] }
	/** `add` always adds the first subject; `put` moves it when the picture has it already. */
	| { do: 'add' | 'put'; subjects: readonly Subject[] }
	| { do: 'give'; what: Target; kind: Relation; subjects: readonly Subject[] }
	| { do: 'replace'; what: Target; by: readonly Subject[] }
	| { do: 'recolour'; what: Target; colour: Hex; one?: boolean }
	/** `otherwise` is added when the picture has none of them. */
	| { do: 'count'; what: Target; count: number; more?: boolean; otherwise?: readonly Subject[] }
	| { do: 'scale'; what: Target; factor: number }
	| { do: 'move'; what: Target; side: Side }
	| { do: 'fly'; what: Target; aloft: boolean }
	| { do: 'surround'; by: Surroundings }
	| { do: 'clear'; of: Surroundings }
	/** Written in addition to what is written there, or in its place. */
	/** `place` and `colour` matter only where a text is written on pixels. */
	| { do: 'write'; text: string; instead?: boolean; place?: 'top' | 'centre' | 'bottom'; colour?: Hex }
	| { do: 'unwrite' }
	/** Draws the same scene in another arrangement. */
	| { do: 'vary' }
	| { do: 'zoom'; factor: number }
	| { do: 'operate'; operation: Operation }
	/** Takes operations of these kinds back. */
	| { do: 'undo'; kinds: readonly Operation['do'][] };

/** `said` has a sentence for each change that was made, `missing` for each that found nothing to change. */
export type Changed = { scene: Scene; said: string[]; missing: string[] };

/** The most of one subject, and the most texts and operations of a scene. */
const [MAX_COUNT, MAX_TEXTS, MAX_OPERATIONS] = [12, 3, 12];

/** Applies changes in their order. Subjects that no change names stay exactly as they are. */
export function applyChanges(scene: Scene, changes: readonly Change[]): Changed {
	const result: Changed = { scene, said: [], missing: [] };
	for (const change of changes) {
		const apply = CHANGES[change.do] as (scene: Scene, change: Change) => Applied;
		const { scene: changed = result.scene, said, missing = excess(changed) } = apply(result.scene, change);
		if (missing) result.missing.push(missing);
		else if (said && JSON.stringify(changed) !== JSON.stringify(result.scene)) result.said.push(said);
		if (!missing) result.scene = changed;
	}
	return result;
}

/** Says of what a scene would have too much. */
function excess({ subjects, operations }: Scene): string | undefined {
	if (subjects.length > MAX_SUBJECTS) return 'There are too many things in the picture to add more';
	return operations.length > MAX_OPERATIONS ? 'Too much was done with this picture to do more' : undefined;
}

/** The changed scene and what is said about it, or why that was not possible. */
type Applied = { scene?: Scene; said?: string; missing?: string };
type Some = readonly [Subject, ...Subject[]];

type Named<Name> = Extract<Change, { do: Name }>;
type OfSubjects = Extract<Change, { what: Target }>;

/** What each change does. */
const CHANGES: { [Name in Change['do']]: (scene: Scene, change: Named<Name>) => Applied } = {
	surround: (scene, { by }) => ({ scene: withSurroundings(scene, by) }),
	clear: (scene, { of }) => clear(scene, of),
	write(scene, { text, instead }) {
		const texts = instead ? [text] : [...scene.texts, text].slice(-MAX_TEXTS);
		return { scene: { ...scene, texts }, said: `Wrote “${text}”` };
	},
	unwrite,
	vary: (scene) => ({ scene: { ...scene, variation: scene.variation + 1 }, said: 'Varied the picture' }),
	zoom(scene, { factor }) {
		const zoom = Math.min(4, Math.max(0.25, scene.zoom * factor));
		return { scene: { ...scene, zoom }, said: zoom > scene.zoom ? 'Zoomed in' : 'Zoomed out' };
	},
	operate: (scene, { operation }) => operate(scene, operation),
	undo(scene, { kinds }) {
		const operations = scene.operations.filter((one) => !kinds.includes(one.do));
		const name = kinds[0] === 'look' ? 'tone' : kinds[0];
		if (operations.length === scene.operations.length) return { missing: `There is no ${name} in the picture` };
		return { scene: { ...scene, operations }, said: `Removed the ${name}` };
	},
	add: (scene, { subjects }) => add(scene, subjects, false),
	put: (scene, { subjects }) => add(scene, subjects, true),
	remove: withFound((scene, found) => ({ scene: withoutSubjects(scene, found), said: `Removed ${the(found)}` })),
	only: withFound((scene, found, { also }) => {
		const kept = [...found, ...also.flatMap((one) => findSubjects(scene, one))];
		const isKept = (one: Subject) => kept.includes(one) || kept.some(({ id }) => id === one.relation?.to);
		const gone = scene.subjects.filter((one) => !isKept(one));
		return { scene: withoutSubjects(scene, gone), said: `Left only ${the(kept)}` };
	}),
	give: withFound((scene, [to], { subjects, kind }) => give(scene, to, subjects, kind)),
	replace: withFound((scene, found, { by }) => replace(scene, found, by)),
	recolour: withFound(recolour),
	count: withFound(count),
	scale: withFound((scene, found, { factor }) => ({
		scene: edited(scene, found, ({ scale }) => ({ scale: Math.min(3, Math.max(0.2, scale * factor)) })),
		said: `Made ${the(found)} ${factor > 1 ? 'bigger' : 'smaller'}`,
	})),
	move: withFound((scene, found, { side }) => ({
		scene: edited(scene, found, () => ({ relation: undefined, side })),
		said: `Moved ${the(found)} to the ${side}`,
	})),
	fly: withFound((scene, found, { aloft }) => ({
		scene: edited(scene, found, () => ({ aloft })),
		said: `Let ${the(found)} ${aloft ? 'fly' : 'land'}`,
	})),
};

const the = (found: readonly Subject[]) => list(found.map(theSubject));

/** Returns what a change does with the subjects that it names, if the picture has any. */
function withFound<One extends OfSubjects>(apply: (scene: Scene, found: Some, change: One) => Applied) {
	return (scene: Scene, change: One): Applied => {
		const [first, ...others] = findSubjects(scene, change.what);
		if (first) return apply(scene, [first, ...others], change);
		if (change.do === 'count' && change.otherwise) return add(scene, change.otherwise, false);
		return { missing: `There is no ${change.what.name} in the picture` };
	};
}

function edited(scene: Scene, found: readonly Subject[], edit: (subject: Subject) => Partial<Subject>): Scene {
	const ids = new Set(found.map(({ id }) => id));
	return { ...scene, subjects: scene.subjects.map((one) => (ids.has(one.id) ? { ...one, ...edit(one) } : one)) };
}

/** What is held or worn goes with its person; what stood on something takes its place, which goes by the id. */
function withoutSubjects(scene: Scene, gone: readonly Subject[]): Scene {
	const ids = new Set(withCarried(gone, scene.subjects).map(({ id }) => id));
	const left = scene.subjects.filter(({ id }) => !ids.has(id));
	const heirs = new Map<number, number>();
	for (const { id } of gone) {
		const heir = left.find(({ relation }) => relation?.to === id && (relation.kind === 'on' || relation.kind === 'in'));
		if (heir) heirs.set(heir.id, id);
	}
	return { ...scene, subjects: renumbered(left, (id) => (ids.has(id) ? undefined : (heirs.get(id) ?? id))) };
}

/** Adds subjects, or moves the first. Those that they are related to are the picture's own where it has them. */
function add(scene: Scene, subjects: readonly Subject[], mayMove: boolean): Applied {
	const heads = new Set(subjects.map(({ relation }) => relation?.to));
	const own = new Map<number, Subject>();
	const added = subjects.filter((subject, index) => {
		const [found] = heads.has(subject.id) || (mayMove && index === 0) ? findSubjects(scene, subject) : [];
		if (found) own.set(subject.id, found);
		return !found;
	});
	const next = nextId(scene.subjects);
	const idOf = (id: number) => own.get(id)?.id ?? next + added.findIndex((one) => one.id === id);
	const [placed] = renumbered(subjects, idOf);
	if (!placed) return {};
	const { id, relation, side } = placed;
	const moved = heads.has(subjects[0]?.id) ? undefined : scene.subjects.find((one) => one.id === id);
	const news = renumbered(added, idOf).map((subject) => dressed(subject, scene));
	// In its new place: on, under, beside something, or on a side.
	const there = edited(scene, moved ? [moved] : [], ({ aloft }) => ({ relation, side, aloft: aloft || placed.aloft }));
	const result = { ...there, subjects: [...there.subjects, ...news] };
	if (!moved) return { scene: result, said: `Added ${list(news.map(subjectPhrase))}` };
	const target = result.subjects.find((subject) => subject.id === relation?.to);
	const where = relation && target ? `${relation.kind} ${theSubject(target)}` : side && `to the ${side}`;
	return { scene: result, said: where ? `Put ${theSubject(moved)} ${where}` : '' };
}

/** A hat that is added without saying where is worn by who the picture is about. */
function dressed(subject: Subject, scene: Scene): Subject {
	const [wearer] = mainSubjects(scene.subjects);
	if (!isWorn(subject)) return subject;
	if (subject.relation?.kind === 'on') return { ...subject, relation: { ...subject.relation, kind: 'worn by' } };
	if (subject.relation || !wearer || !isCreature(wearer)) return subject;
	return { ...subject, relation: { kind: 'worn by', to: wearer.id } };
}

function give(scene: Scene, to: Subject, subjects: readonly Subject[], kind: Relation): Applied {
	const given = joining(subjects, scene.subjects).map((thing): Subject => {
		const relation = { kind: isWorn(thing) ? 'worn by' : kind, to: to.id } as const;
		return { ...thing, side: undefined, relation };
	});
	const said = `Gave ${theSubject(to)} ${list(subjects.map(subjectPhrase))}`;
	return { scene: { ...scene, subjects: [...scene.subjects, ...given] }, said };
}

/** The new subject takes the old one's place, side and relations; its number too unless one is named. */
function replace(scene: Scene, found: Some, by: readonly Subject[]): Applied {
	const [{ id, relation, side, count }, ...others] = found;
	const next = nextId(scene.subjects);
	const ids = new Map(by.map((one, index) => [one.id, index === 0 ? id : next + index]));
	const [substitute, ...companions] = renumbered(by, (own) => ids.get(own));
	if (!substitute) return {};
	const now = { ...substitute, relation, side: substitute.side ?? side };
	if (now.count === 1) now.count = count;
	const alone = withoutSubjects(scene, others);
	const subjects = [...alone.subjects.map((subject) => (subject.id === id ? now : subject)), ...companions];
	const names = by.map((one, index) => subjectPhrase(index === 0 ? { ...one, count: now.count } : one));
	return { scene: { ...alone, subjects }, said: `Replaced ${the(found)} with ${list(names)}` };
}

/** The colour of people is the one of their clothes. When one of a group is meant, it becomes a subject of its own, in the same place. */
function recolour(scene: Scene, found: Some, { colour, one }: Named<'recolour'>): Applied {
	const paint = ({ figure, name }: Subject): Partial<Subject> =>
		figures[figure].clothed ? { accent: colour } : { name: withoutColour(name), colour };
	const [group] = found;
	if (!one || group.count < 2) {
		const some = one ? [group] : found;
		const said = figures[group.figure].clothed ? `Dressed ${the(some)} in` : `Made ${the(some)}`;
		return { scene: edited(scene, some, paint), said: `${said} ${colourName(colour)}` };
	}
	const single = { ...group, id: nextId(scene.subjects), count: 1, ...paint(group) };
	const split = [{ ...group, count: group.count - 1 }, single];
	const subjects = scene.subjects.flatMap((subject) => (subject.id === group.id ? split : [subject]));
	return { scene: { ...scene, subjects }, said: `Made one of ${the([group])} ${colourName(colour)}` };
}

/** Sets the number of a subject, whether it is one entry of the scene or several. */
function count(scene: Scene, [first, ...others]: Some, { count: number, more = false }: Named<'count'>): Applied {
	const before = [first, ...others].reduce((sum, one) => sum + one.count, 0);
	const wanted = Math.min(MAX_COUNT, Math.max(0, more ? before + number : number));
	if (wanted === 0) return { scene: withoutSubjects(scene, [first, ...others]), said: `Removed ${theSubject(first)}` };
	const single = more ? scene : withoutSubjects(scene, others);
	const now = Math.max(1, more ? first.count + wanted - before : wanted);
	return {
		scene: edited(single, [first], () => ({ count: now })),
		said: `There ${wanted > 1 ? 'are' : 'is'} now ${subjectPhrase({ ...first, side: undefined, count: wanted })}`,
	};
}

function clear(scene: Scene, of: Surroundings): Applied {
	const { weather = [], sky = [], season = [], mood = [], style = [], tint } = of;
	const names = [weather, sky, season, mood, style, tint ? colourName(tint) : []].flat();
	const result = withoutSurroundings(scene, of);
	if (JSON.stringify(result) === JSON.stringify(scene))
		return { missing: `There is no ${names[0] ?? 'such thing'} in the picture` };
	return { scene: result, said: `Removed the ${list(names)}` };
}

/** Texts are on boards, or were written over the picture. */
function unwrite(scene: Scene): Applied {
	const operations = scene.operations.filter((one) => one.do !== 'text');
	const isWritten = scene.texts.length > 0 || operations.length < scene.operations.length;
	if (!isWritten) return { missing: 'There is no text in the picture' };
	return { scene: { ...scene, texts: [], operations }, said: 'Removed the text' };
}

/** A second frame takes the place of the first; everything else is done after what was done before. */
function operate(scene: Scene, operation: Operation): Applied {
	if (operation.do === 'cutOut')
		return { scene: { ...scene, place: 'backdrop', weather: [], sky: [] }, said: 'Removed the background' };
	const before = operation.do === 'frame' ? scene.operations.filter((one) => one.do !== 'frame') : scene.operations;
	return { scene: { ...scene, operations: [...before, operation] }, said: describeOperation(operation) };
}
