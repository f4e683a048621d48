import { colourName, withoutColour } from './colour-names.ts';
import { describeOperation } from './describe-operation.ts';
import { findSubjects, isCreature, mainSubjects, type Target } from './find-subjects.ts';
import type { Relation, Side } from './names.ts';
import type { Operation } from './operation.ts';
import type { Hex, Scene, Subject } from './scene.ts';
import { subjectPhrase, theSubject } from './subject-phrase.ts';
import { type Surroundings, withoutSurroundings, withSurroundings } from './surroundings.ts';
import { list } from './wording.ts';

/** One change of a scene, as plain data. The ids of `subjects` are their own; relations among them use these. */
export type Change =
	| { do: 'remove'; what: Target; one?: boolean }
	/** Keeps these subjects alone. */
	| { do: 'only'; what: Target; also: readonly Target[] }
	/** `add` always adds the first subject; `put` moves it when the picture has it already. */
	| { do: 'add' | 'put'; subjects: readonly Subject[] }
	| { do: 'give'; to: Target; kind: Relation; subjects: readonly Subject[] }
	| { do: 'replace'; what: Target; by: readonly Subject[] }
	| { do: 'recolour'; what: Target; colour: Hex; clothes?: boolean; one?: boolean }
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

/** The most subjects, texts and operations of a scene. */
const [MAX_SUBJECTS, MAX_COUNT, MAX_TEXTS, MAX_OPERATIONS] = [12, 12, 3, 12];

/** Applies changes in their order. Subjects that no change names stay exactly as they are. */
export function applyChanges(scene: Scene, changes: readonly Change[]): Changed {
	const result: Changed = { scene, said: [], missing: [] };
	for (const change of changes) {
		const { scene: changed, said, missing } = applyOne(result.scene, change);
		if (missing) result.missing.push(missing);
		else if (said && JSON.stringify(changed) !== JSON.stringify(result.scene)) result.said.push(said);
		result.scene = changed;
	}
	return result;
}

/** A scene, and what is said about its change, or about why it was not possible. */
type Applied = { scene: Scene; said?: string; missing?: string };

function applyOne(scene: Scene, change: Change): Applied {
	switch (change.do) {
		case 'surround':
			return { scene: withSurroundings(scene, change.by), said: '' };
		case 'clear':
			return clear(scene, change.of);
		case 'write':
			return {
				scene: { ...scene, texts: (change.instead ? [change.text] : [...scene.texts, change.text]).slice(-MAX_TEXTS) },
				said: `Wrote “${change.text}”`,
			};
		case 'unwrite':
			return unwrite(scene);
		case 'vary':
			return { scene: { ...scene, variation: scene.variation + 1 }, said: 'Varied the picture' };
		case 'zoom': {
			const zoom = Math.min(4, Math.max(0.25, scene.zoom * change.factor));
			return { scene: { ...scene, zoom }, said: zoom > scene.zoom ? 'Zoomed in' : 'Zoomed out' };
		}
		case 'operate':
			return operate(scene, change.operation);
		case 'undo': {
			const operations = scene.operations.filter((one) => !change.kinds.includes(one.do));
			const name = change.kinds[0] === 'look' ? 'tone' : change.kinds[0];
			if (operations.length === scene.operations.length)
				return { scene, missing: `There is no ${name} in the picture` };
			return { scene: { ...scene, operations }, said: `Removed the ${name}` };
		}
		case 'add':
		case 'put':
			return add(scene, change.subjects, change.do === 'put');
		default:
			return changeFound(scene, change);
	}
}

type OfSubjects = Extract<Change, { what: Target } | { to: Target }>;

/** Applies a change of subjects that the picture has. */
function changeFound(scene: Scene, change: OfSubjects): Applied {
	const target = change.do === 'give' ? change.to : change.what;
	const also = change.do === 'only' ? change.also.flatMap((one) => findSubjects(scene, one)) : [];
	const found = [...findSubjects(scene, target), ...also];
	const [first] = found;
	if (!first && change.do === 'count' && change.otherwise) return add(scene, change.otherwise, false);
	if (!first) return { scene, missing: `There is no ${target.name} in the picture` };
	const the = list(found.map(theSubject));
	const each = (edit: (subject: Subject) => Subject) => withEach(scene, found, edit);
	switch (change.do) {
		case 'remove': {
			const one = change.one && first.count > 1;
			if (one)
				return {
					scene: withEach(scene, [first], (subject) => ({ ...subject, count: subject.count - 1 })),
					said: `Removed one of ${the}`,
				};
			const gone = change.one ? [first] : found;
			return { scene: withoutSubjects(scene, gone), said: `Removed ${list(gone.map(theSubject))}` };
		}
		case 'only':
			return {
				scene: withoutSubjects(
					scene,
					scene.subjects.filter((subject) => !found.includes(subject) && !isRelated(subject, found)),
				),
				said: `Left only ${the}`,
			};
		case 'give':
			return give(scene, first, change.subjects, change.kind);
		case 'replace':
			return replace(scene, found, change.by);
		case 'recolour':
			return recolour(scene, change.one ? [first] : found, change);
		case 'count':
			return count(scene, found, change.count, change.more ?? false);
		case 'scale':
			return {
				scene: each((subject) => ({ ...subject, scale: Math.min(3, Math.max(0.2, subject.scale * change.factor)) })),
				said: `Made ${the} ${change.factor > 1 ? 'bigger' : 'smaller'}`,
			};
		case 'move':
			return {
				scene: each(({ relation: _, ...subject }) => ({ ...subject, side: change.side })),
				said: `Moved ${the} to the ${change.side}`,
			};
		case 'fly':
			return {
				scene: each((subject) => ({ ...subject, aloft: change.aloft })),
				said: change.aloft ? `Let ${the} fly` : `Let ${the} land`,
			};
	}
}

const isRelated = ({ relation }: Subject, to: readonly Subject[]) => to.some(({ id }) => id === relation?.to);

function withEach(scene: Scene, found: readonly Subject[], edit: (subject: Subject) => Subject): Scene {
	const ids = new Set(found.map(({ id }) => id));
	return { ...scene, subjects: scene.subjects.map((subject) => (ids.has(subject.id) ? edit(subject) : subject)) };
}

/** What is held or worn goes with its person; what stood on something takes its place, which goes by the id. */
function withoutSubjects(scene: Scene, gone: readonly Subject[]): Scene {
	const ids = new Set(gone.map(({ id }) => id));
	for (let size = -1; size !== ids.size; ) {
		size = ids.size;
		for (const { id, relation } of scene.subjects) {
			if (relation && ids.has(relation.to) && relation.kind.endsWith(' by')) ids.add(id);
		}
	}
	const left = scene.subjects.filter(({ id }) => !ids.has(id));
	const heirs = new Map<number, number>();
	for (const { id } of gone) {
		const heir = left.find(({ relation }) => relation?.to === id && (relation.kind === 'on' || relation.kind === 'in'));
		if (heir) heirs.set(heir.id, id);
	}
	const newId = (id: number) => heirs.get(id) ?? id;
	const subjects = left.map((subject) => {
		const { relation, ...alone } = subject;
		const to = relation && !ids.has(relation.to) ? newId(relation.to) : undefined;
		if (newId(subject.id) === subject.id && to === relation?.to) return subject;
		return { ...alone, id: newId(subject.id), ...(relation && to && { relation: { ...relation, to } }) };
	});
	return { ...scene, subjects };
}

const nextId = ({ subjects }: Scene) => Math.max(0, ...subjects.map(({ id }) => id)) + 1;

const WORN = new Set<string>(['hat', 'crown', 'scarf', 'glasses']);

/** Adds subjects, or moves the first. Those that they are related to are the picture's own where it has them. */
function add(scene: Scene, subjects: readonly Subject[], mayMove: boolean): Applied {
	const [first] = subjects;
	if (!first) return { scene, said: '' };
	let id = nextId(scene);
	const ids = new Map<number, number>();
	const heads = new Set(subjects.map(({ relation }) => relation?.to));
	const added: Subject[] = [];
	let moved: Subject | undefined;
	for (const subject of subjects) {
		const isHead = heads.has(subject.id);
		const [own] = isHead || (mayMove && subject === first) ? findSubjects(scene, subject) : [];
		if (own && !isHead) moved = own;
		if (!own) added.push(subject);
		ids.set(subject.id, own?.id ?? id++);
	}
	const placed = (subject: Subject): Subject => {
		const { relation, ...alone } = subject;
		const to = relation && ids.get(relation.to);
		return { ...alone, id: ids.get(subject.id) ?? subject.id, ...(to && { relation: { kind: relation.kind, to } }) };
	};
	const news = added.map(placed).map((subject) => dressed(subject, scene));
	const there = moved ? withEach(scene, [moved], (subject) => rehoused(subject, placed(first))) : scene;
	if (there.subjects.length + news.length > MAX_SUBJECTS)
		return { scene, missing: 'There are too many things in the picture to add more' };
	const result = { ...there, subjects: [...there.subjects, ...news] };
	const names = list(news.filter((subject) => !moved || !heads.has(subject.id)).map(subjectPhrase));
	const target = result.subjects.find((subject) => subject.id === placed(first).relation?.to);
	const where =
		first.relation && target
			? ` ${first.relation.kind} ${theSubject(target)}`
			: first.side
				? ` to the ${first.side}`
				: '';
	const saidOfMoved = moved && where ? `Put ${theSubject(moved)}${where}` : '';
	return { scene: result, said: moved ? saidOfMoved : `Added ${names}` };
}

/** A subject in its new place: on, under, beside something, or on a side. */
function rehoused({ relation: _, side: __, ...subject }: Subject, { relation, side, aloft }: Subject): Subject {
	return { ...subject, aloft: subject.aloft || aloft, ...(relation && { relation }), ...(side && { side }) };
}

/** A hat that is added without saying where is worn by who the picture is about. */
function dressed(subject: Subject, scene: Scene): Subject {
	const [wearer] = mainSubjects(scene.subjects);
	if (!WORN.has(subject.figure)) return subject;
	if (subject.relation)
		return subject.relation.kind === 'on'
			? { ...subject, relation: { ...subject.relation, kind: 'worn by' } }
			: subject;
	return wearer && isCreature(wearer) ? { ...subject, relation: { kind: 'worn by', to: wearer.id } } : subject;
}

function give(scene: Scene, to: Subject, subjects: readonly Subject[], kind: Relation): Applied {
	const id = nextId(scene);
	const [first, ...others] = subjects;
	if (!first || scene.subjects.length + subjects.length > MAX_SUBJECTS)
		return { scene, missing: 'There are too many things in the picture to add more' };
	const { side: _, ...thing } = first;
	const given: Subject[] = [{ ...thing, id, relation: { kind: WORN.has(first.figure) ? 'worn by' : kind, to: to.id } }];
	for (const [index, other] of others.entries()) {
		given.push({
			...other,
			id: id + index + 1,
			relation: { kind: WORN.has(other.figure) ? 'worn by' : kind, to: to.id },
		});
	}
	return {
		scene: { ...scene, subjects: [...scene.subjects, ...given] },
		said: `Gave ${theSubject(to)} ${list(subjects.map(subjectPhrase))}`,
	};
}

/** The new subject takes the old one's place, side and relations; its number too unless one is named. */
function replace(scene: Scene, found: readonly Subject[], by: readonly Subject[]): Applied {
	const [first, ...others] = found;
	const [substitute, ...companions] = by;
	if (!first || !substitute) return { scene, said: '' };
	const { accent: _, colour: __, ...kept } = first;
	const { relation: ___, ...fresh } = substitute;
	const now: Subject = {
		...kept,
		...fresh,
		id: first.id,
		count: fresh.count > 1 ? fresh.count : first.count,
		...(first.side && !fresh.side && { side: first.side }),
	};
	const id = nextId(scene);
	const extra = companions.map((one, index) => ({
		...one,
		id: id + index,
		...(one.relation && {
			relation: { ...one.relation, to: one.relation.to === substitute.id ? first.id : one.relation.to },
		}),
	}));
	const alone = withoutSubjects(scene, others);
	const subjects = [...alone.subjects.map((subject) => (subject.id === first.id ? now : subject)), ...extra].slice(
		0,
		MAX_SUBJECTS,
	);
	return {
		scene: { ...alone, subjects },
		said: `Replaced ${list(found.map(theSubject))} with ${list(by.map((one) => subjectPhrase(one.id === substitute.id ? { ...one, count: now.count } : one)))}`,
	};
}

/** When one of a group is meant, it becomes a subject of its own, in the same place. */
function recolour(scene: Scene, found: readonly Subject[], change: Extract<Change, { do: 'recolour' }>): Applied {
	const { colour, clothes, one } = change;
	const the = list(found.map(theSubject));
	const paint = (subject: Subject): Subject =>
		clothes ? { ...subject, accent: colour } : { ...subject, name: withoutColour(subject.name), colour };
	const [group] = found;
	if (!one || !group || group.count < 2) {
		const said = `Made ${clothes ? 'the clothes of ' : ''}${the} ${colourName(colour)}`;
		return { scene: withEach(scene, found, paint), said };
	}
	if (scene.subjects.length >= MAX_SUBJECTS)
		return { scene, missing: 'There are too many things in the picture to change one of them' };
	const split = [{ ...group, count: group.count - 1 }, paint({ ...group, id: nextId(scene), count: 1 })];
	const subjects = scene.subjects.flatMap((subject) => (subject.id === group.id ? split : [subject]));
	return { scene: { ...scene, subjects }, said: `Made one of ${the} ${colourName(colour)}` };
}

/** Sets the number of a subject, whether it is one entry of the scene or several. */
function count(scene: Scene, found: readonly Subject[], number: number, more: boolean): Applied {
	const [first, ...others] = found;
	if (!first) return { scene, said: '' };
	const before = found.reduce((sum, one) => sum + one.count, 0);
	const wanted = Math.min(MAX_COUNT, Math.max(0, more ? before + number : number));
	if (wanted === 0) return { scene: withoutSubjects(scene, found), said: `Removed ${theSubject(first)}` };
	const single = more ? scene : withoutSubjects(scene, others);
	const changed = more ? first.count + wanted - before : wanted;
	const now = { ...first, count: Math.max(1, changed) };
	const { side: _, ...unplaced } = now;
	return {
		scene: withEach(single, [first], () => now),
		said: `There ${wanted > 1 ? 'are' : 'is'} now ${subjectPhrase({ ...unplaced, count: wanted })}`,
	};
}

function clear(scene: Scene, of: Surroundings): Applied {
	const names = [
		...(of.weather ?? []),
		...(of.sky ?? []),
		of.season,
		of.mood,
		of.style,
		of.tint && colourName(of.tint),
	].filter((one) => one !== undefined);
	const result = withoutSurroundings(scene, of);
	const isSame = JSON.stringify(result) === JSON.stringify(scene);
	if (isSame) return { scene, missing: `There is no ${names[0] ?? 'such thing'} in the picture` };
	return { scene: result, said: `Removed the ${list(names)}` };
}

/** Texts are on boards, or were written over the picture. */
function unwrite(scene: Scene): Applied {
	const operations = scene.operations.filter((one) => one.do !== 'text');
	const isWritten = scene.texts.length > 0 || operations.length < scene.operations.length;
	return isWritten
		? { scene: { ...scene, texts: [], operations }, said: 'Removed the text' }
		: { scene, missing: 'There is no text in the picture' };
}

/** A second frame takes the place of the first; everything else is done after what was done before. */
function operate(scene: Scene, operation: Operation): Applied {
	if (operation.do === 'cutOut')
		return { scene: { ...scene, place: 'backdrop', weather: [], sky: [] }, said: 'Removed the background' };
	const before = operation.do === 'frame' ? scene.operations.filter((one) => one.do !== 'frame') : scene.operations;
	if (before.length >= MAX_OPERATIONS) return { scene, missing: 'Too much was done with this picture to do more' };
	return { scene: { ...scene, operations: [...before, operation] }, said: describeOperation(operation) };
}
