/** Reads one clause of an instruction, in English, by a table of rules: what a clause may look like, and what it asks for then. */
import type { Change } from '../../scene/change.ts';
import { isWorn, type Target } from '../../scene/find-subjects.ts';
import type { Relation, Side } from '../../scene/names.ts';
import type { Subject } from '../../scene/scene.ts';
import type { Surroundings } from '../../scene/surroundings.ts';
import { colourOf, coloursIn } from '../colour-words.ts';
import { relationIn } from '../english.ts';
import { type Phrases, readPhrases } from '../read-phrases.ts';
import operations from './operations.json' with { type: 'json' };
import { chooser, reader, type Slots, whole } from './patterns.ts';
import table from './rules.json' with { type: 'json' };

/** What a clause asks for, and its words that mean nothing here. */
export type Read = { changes: Change[]; notUnderstood: string[] };

/** Returns what the words ask for; undefined when they name nothing, which leaves the clause to the rules after it. */
type Reader = (slots: Slots, argument: string) => Read | undefined;

const done = (...changes: Change[]): Read => ({ changes, notUnderstood: [] });

const isEmpty = (surroundings: Surroundings) =>
	Object.values(surroundings).every((value) => value === undefined || (Array.isArray(value) && value.length === 0));

/** Other surroundings, if these say anything. */
const around = (by: Surroundings): Change[] => (isEmpty(by) ? [] : [{ do: 'surround', by }]);

/** All that a phrase names is added, and its place, time and weather become the picture's. */
function surrounding({ subjects, surroundings, notUnderstood }: Phrases, verb: 'add' | 'put' = 'add'): Read {
	// The colour of something unknown is not the colour of the whole.
	const by = notUnderstood.length > 0 ? { ...surroundings, tint: undefined } : surroundings;
	return { changes: [...(subjects.length > 0 ? [{ do: verb, subjects }] : []), ...around(by)], notUnderstood };
}

const sideOf = (text = ''): Side => (text === 'left' || text === 'right' ? text : 'centre');

const NUMBERS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
const numberOf = (text = '') => (NUMBERS.includes(text) ? NUMBERS.indexOf(text) : Number(text));

/** Changes for each of the targets, or a note that the words name nothing. */
function each(text: string, change: (what: Target) => Change): Read | undefined {
	const { targets } = targetsOf(text);
	return targets.length > 0 ? done(...targets.map(change)) : undefined;
}

/** "The dress of the woman": a part has the colour of the whole. */
const PART = /^the \S+ of (?=the )/u;
/** The beginning of a phrase that means one of several. */
const ONE = /^one (?:of )?/u;
const WHOLE = whole('{whole}|it|this|');
const BIGGER = whole('{bigger}');

/** "Remove the rain", "no people". */
function removal(what: string): Read {
	const { targets, phrases } = targetsOf(what);
	const changes: Change[] = targets.map((target) => ({ do: 'remove', what: target }));
	const { place: _, time: __, ...gone } = phrases.surroundings;
	const { sky = [], weather = [] } = gone;
	const of = targets.length > 0 ? { sky, weather } : gone;
	if (!isEmpty(of)) changes.push({ do: 'clear', of });
	return { changes, notUnderstood: changes.length > 0 ? phrases.notUnderstood : [what.replace(DETERMINERS, '')] };
}

function give(who: string, things: string, kind: Relation): Read | undefined {
	const what = targetsOf(who).targets[0];
	const { subjects, notUnderstood } = readPhrases(things);
	return what && subjects.length > 0 ? { changes: [{ do: 'give', what, kind, subjects }], notUnderstood } : undefined;
}

const placeOf = chooser(operations.places);
const strengthOf = chooser(operations.strengths);

const READERS = {
	/** "Five sheep", "three more dogs", "fewer clouds": subjects are counted, and what else is named comes or goes. */
	count({ what = '', number }, more) {
		const { targets, phrases } = targetsOf(what);
		const { subjects, surroundings, notUnderstood } = phrases;
		const count = numberOf(number ?? more.replace('more ', ''));
		if (targets.length === 0) {
			if (!more || isEmpty(surroundings)) return undefined;
			return count > 0 ? surrounding(phrases) : done({ do: 'clear', of: surroundings });
		}
		const otherwise = !number && count > 0 ? subjects : undefined;
		// A count does not name the colour of what is counted.
		const changes = targets
			.slice(0, more ? targets.length : 1)
			.map(({ colour: _, ...one }): Change => ({ do: 'count', what: one, count, more: more !== '', otherwise }));
		return { changes, notUnderstood: count > 0 ? notUnderstood : [] };
	},
	/** Another clause says the same. */
	again: (slots, clause) => readRules(clause.replace(/<(\w+)>/gu, (_, name: string) => slots[name] ?? '')),
	/** A text, and where and in which colour the words around it want it. */
	write({ quote = '', before = '', after = '' }, how) {
		if (how) return done({ do: 'write', text: quote, instead: true });
		const around = `${before} ${after}`;
		return done({ do: 'write', text: quote, place: placeOf(around), colour: coloursIn(around)[0]?.colour });
	},
	only({ what = '' }) {
		const [target, ...also] = targetsOf(what).targets;
		return target && done({ do: 'only', what: target, also });
	},
	/** "The car light blue": a colour at the end. */
	colouring({ coloured = '' }) {
		const ending = coloursIn(coloured.replace(/ (?:in|into|to|as)(?: a)? (?=\S+(?: \S+)?$)| of (?=\S+$)/u, ' ')).at(-1);
		if (ending?.after !== '') return undefined;
		const { before, colour } = ending;
		if (WHOLE.test(before)) return done({ do: 'surround', by: { tint: colour } });
		const one = ONE.test(before);
		const read = each(before.replace(PART, ''), (what) => ({ do: 'recolour', what, colour, one }));
		if (read) return read;
		// A thing that no drawing knows is not the whole picture.
		const thing = before.replace(DETERMINERS, '');
		const isThing = thing !== before && !/picture|image|photo|scene|sky|background|\ball$/u.test(thing);
		return isThing ? { changes: [], notUnderstood: [thing] } : undefined;
	},
	/** A place, a time or a colour for the whole. Who is there already is not added: "make the dog happy". */
	surround({ things = '' }) {
		const phrases = readPhrases(things);
		const isThere = THERE.test(things) && readPhrases(things.split(' ', 3).join(' ')).subjects.length > 0;
		return surrounding(isThere ? { ...phrases, subjects: [] } : phrases);
	},
	unknown: (_, word) => ({ changes: [], notUnderstood: [word] }),
	replace({ from = '', things = '' }) {
		// Another rule reads colours at the end.
		if (colourOf(things.replace(DETERMINERS, ''))) return undefined;
		const [what, ...others] = targetsOf(from).targets;
		const by = readPhrases(things);
		if (what && by.subjects.length > 0) {
			const gone = others.map((other): Change => ({ do: 'remove', what: other }));
			const changes: Change[] = [{ do: 'replace', what, by: by.subjects }, ...gone, ...around(by.surroundings)];
			return { changes, notUnderstood: by.notUnderstood };
		}
		// "Replace the rain with snow", "change the forest to a beach", "turn day into night".
		const { changes, notUnderstood } = surrounding(by);
		if (changes.length === 0) return undefined;
		const before = what && /^(?:it|everything)$/u.test(what.name) ? [] : removal(from).changes;
		return { changes: [...before, ...changes], notUnderstood };
	},
	/** "Make it a dog". */
	become({ things = '' }) {
		const { subjects, surroundings, notUnderstood } = readPhrases(things);
		if (subjects.length === 0 || !isEmpty(surroundings)) return undefined;
		return { changes: [{ do: 'replace', what: { name: 'it' }, by: subjects }], notUnderstood };
	},
	give: ({ to = '', things = '' }, kind) => give(to, things, kind as Relation),
	/** "Add a hat to the fox": what can be worn is, everything else is simply put there. */
	wear({ to = '', things = '' }) {
		const [thing] = readPhrases(things).subjects;
		return thing && isWorn(thing) ? give(to, things, 'worn by') : undefined;
	},
	remove: ({ what = '' }) => removal(what),
	/** "A dragon in the sky" flies, and the picture stays where it is. */
	add({ things = '' }) {
		const phrases = readPhrases(things);
		if (phrases.subjects.length === 0) return surrounding(phrases);
		const { place: _, ...surroundings } = phrases.surroundings;
		const flies = /in the (?:sky|air|heaven)/u.test(things);
		const subjects = phrases.subjects.map((one, index) => (flies && index === 0 ? { ...one, aloft: true } : one));
		return surrounding({ ...phrases, subjects, surroundings });
	},
	/** What is new may come with more: "a cat wearing a hat on the left". */
	move({ what = '', side }) {
		const isMore = /^(?:an?|two|three|some) .* /u.test(what) && readPhrases(what).subjects.length > 1;
		return isMore ? undefined : each(what, (target) => ({ do: 'move', what: target, side: sideOf(side) }));
	},
	/** "It" goes somewhere: to a place, or on, under or beside a thing, which reads as a noun phrase of its own. */
	relocate({ where = '' }) {
		const phrases = readPhrases(where);
		const [thing] = phrases.subjects;
		if (!thing) return surrounding(phrases);
		const it = { ...thing, id: 99, name: 'it', relation: { kind: relationIn(where) ?? 'beside', to: thing.id } };
		return surrounding({ ...phrases, subjects: [it, ...phrases.subjects] }, 'put');
	},
	put({ things = '' }) {
		const phrases = readPhrases(things);
		if (phrases.subjects.length === 0 && isEmpty(phrases.surroundings)) return undefined;
		return surrounding(phrases, 'put');
	},
	scale({ what = '', how = '', size = '' }) {
		const strength = Number(strengthOf(how + size) ?? 1.5);
		const factor = BIGGER.test(size) ? strength : 1 / strength;
		return each(what, (target) => ({ do: 'scale', what: target, factor }));
	},
} satisfies Record<string, Reader>;

/** What a whole clause may look like, and its change or its reader, with an argument after a space. */
const readRules: (text: string) => Read | undefined = reader(
	Object.entries(table).map(([pattern, action]) => {
		if (typeof action !== 'string') return [whole(pattern), (slots: Slots) => asTold(slots, action)] as const;
		const [name = '', ...argument] = action.split(' ');
		const read: Reader = READERS[name as keyof typeof READERS];
		return [whole(pattern), (slots: Slots) => read(slots, argument.join(' '))] as const;
	}),
);

const asTold = ({ what = '' }: Slots, change: object): Read | undefined =>
	'what' in change ? each(what, (target) => ({ ...change, what: target }) as Change) : done(change as Change);

/** @param verb the verb of the clause before, for one that has none: "put the cat on the chair, and the dog behind it" */
export function readClause(text: string, verb: string): Read {
	const read = readRules(text) ?? readRules(`${verb || 'make'} ${text}`) ?? readRules(`make ${text}`) ?? done();
	const isRead = read.changes.length + read.notUnderstood.length > 0 || SAYS_NOTHING.test(text);
	return isRead ? read : { changes: [], notUnderstood: [text] };
}

/** Clauses that are not worth a word. */
const SAYS_NOTHING = /^(?:it|this|the|a|and|or|so|thanks|thank you|please|hello)?$/u;

/** What begins with these words is in the picture. */
const THERE = /^(?:the|this|that|these|those|its|his|her|their|my|our) /u;

/** Words before a noun that say nothing about which one is meant. */
const DETERMINERS = /^(?:(?:the|this|that|these|those|its|his|her|their|my|our|all|any|every|of|an?|one of)\s+)+/u;

/** What stands for subjects without naming a drawing. */
const PRONOUN =
	/^(?:it|he|she|him|her|them|they|everything|all|everyone|everybody|people|persons?|animals?|creatures?|humans?|rider|driver|owner|(?:main )?(?:subject|character)s?|)$/u;

const asTarget = ({ name, figure, colour }: Subject): Target => ({ name, figure, colour });

/** Returns the subjects that a noun phrase names; none when it names none. */
export function targetsOf(text: string): { targets: Target[]; phrases: Phrases } {
	const [said = '\0', left, middle] =
		/\b(?:on|at|to) the (left|right)\b|\bin the (centre|center|middle)\b/u.exec(text) ?? [];
	const phrase = text.replace(said, '').trim();
	const bare = phrase.replace(DETERMINERS, '').trim();
	const side = (left ?? (middle && 'centre')) as Side | undefined;
	const phrases = readPhrases(PRONOUN.test(bare) ? '' : phrase);
	if (PRONOUN.test(bare)) return { targets: [{ name: bare || 'it', ...(side && { side }) }], phrases };
	const [first, ...others] = phrases.subjects;
	if (!first) return { targets: [], phrases };
	const related = new Set(phrases.subjects.map(({ relation }) => relation?.to));
	const free = others.filter(({ id, relation }) => !relation && !related.has(id));
	return { targets: [{ ...asTarget(first), ...(side && { side }) }, ...free.map(asTarget)], phrases };
}
