import type { Change } from '../../scene/change.ts';
import { isWorn, type Target } from '../../scene/find-subjects.ts';
import type { Relation, Side } from '../../scene/names.ts';
import type { Hex, Subject } from '../../scene/scene.ts';
import type { Surroundings } from '../../scene/surroundings.ts';
import { colourIn, colourOf, endingColour } from '../colour-words.ts';
import { type Phrases, readPhrases } from '../read-phrases.ts';
import { NUMBER, numberOf } from './numbers.ts';
import phrases from './phrases.json' with { type: 'json' };
import { DETERMINERS, targetsOf } from './targets.ts';

/** What a clause asks for. */
export type Read = { changes: Change[]; notUnderstood: string[] };

export const done = (...changes: Change[]): Read => ({ changes, notUnderstood: [] });

/** What the words ask for that phrases were read from. */
const asked = ({ notUnderstood }: Pick<Phrases, 'notUnderstood'>, ...changes: Change[]): Read => ({
	changes,
	notUnderstood,
});

const isEmpty = (surroundings: Surroundings) =>
	Object.values(surroundings).every((value) => value === undefined || (Array.isArray(value) && value.length === 0));

/** Other surroundings, if these say anything. */
const around = (by: Surroundings): Change[] => (isEmpty(by) ? [] : [{ do: 'surround', by }]);

/** All that a phrase names is added, and its place, time and weather become the picture's. */
export function surrounding(phrases: Phrases, verb: 'add' | 'put' = 'add'): Read {
	const { subjects, surroundings, notUnderstood } = phrases;
	// The colour of something unknown is not the colour of the whole.
	const by = notUnderstood.length > 0 ? { ...surroundings, tint: undefined } : surroundings;
	return asked(phrases, ...(subjects.length > 0 ? [{ do: verb, subjects }] : []), ...around(by));
}

/** All that a phrase names is added. "A dragon in the sky" flies, and the picture stays where it is. */
export function adding(text: string): Read {
	const phrases = readPhrases(text);
	if (phrases.subjects.length === 0) return surrounding(phrases);
	const { place: _, ...surroundings } = phrases.surroundings;
	const flies = /in the (?:sky|air)|am himmel|in der luft|dans le ciel|en el cielo/u.test(text);
	const subjects = phrases.subjects.map((subject, index) =>
		flies && index === 0 ? { ...subject, aloft: true } : subject,
	);
	return surrounding({ ...phrases, subjects, surroundings });
}

const SIDES: readonly (readonly [RegExp, Side])[] = [
	[/left|links|gauche|izquierda/u, 'left'],
	[/right|rechts|droite|derecha/u, 'right'],
	[/cent(?:er|re)|middle|mitte|milieu|centro/u, 'centre'],
];
const { bigger: BIGGER, smaller: SMALLER, how: HOW, side: SIDE_WORDS } = phrases;
const sideOf = (text: string) => SIDES.find(([pattern]) => pattern.test(text))?.[1] ?? 'centre';

function factorOf(text: string): number {
	const isBig = new RegExp(BIGGER, 'u').test(text) && !/más pequeñ|plus petit/u.test(text);
	const step =
		/huge|giant|enormous|gigantic|tiny|miniature|much|a lot|way|riesig|winzig|énorme|viel|beaucoup|mucho/u.test(text)
			? 2
			: /bit|little|slightly|etwas|un peu|un poco/u.test(text)
				? 1.2
				: 1.5;
	return isBig ? step : 1 / step;
}

const PLACES_OF_TEXT = [
	[/\b(?:top|upper|above)\b|oben|haut|arriba/u, 'top'],
	[/middle|cent(?:er|re)|mitte|milieu|centro/u, 'centre'],
	[/bottom|lower|below|unten|\bbas\b|abajo/u, 'bottom'],
] as const;

/** A text, and where and in which colour the words around it want it. */
export function writing(text: string, around: string): Read {
	const place = PLACES_OF_TEXT.find(([pattern]) => pattern.test(around))?.[1];
	const colour = colourIn(around);
	return done({ do: 'write', text, place, colour });
}

/** Changes for each of the targets, or a note that the words name nothing. */
export function each(text: string, change: (what: Target) => Change): Read | undefined {
	const { targets } = targetsOf(text);
	return targets.length > 0 ? done(...targets.map(change)) : undefined;
}

const CLOTHES =
	/(?:clothes|clothing|dress|shirt|coat|raincoat|jacket|suit|outfit|robe|sweater|hoodie|kleid|jacke|mantel|robe|manteau|veste|ropa|vestido|abrigo|chaqueta)$/u;
/** The beginning of a phrase that means one of several. */
const ONE = /^one of |^one |^eine[nrs]? der |^un[oa]? de /u;
const SKY =
	/^(?:the )?(?:whole |entire )?(?:sky|background|backdrop|picture|image|scene|whole thing|everything|light|lighting|colou?rs?|himmel|hintergrund|ciel|fond|cielo|fondo)$/u;

export function recolour(text: string, colour: Hex): Read | undefined {
	if (SKY.test(text)) return done({ do: 'surround', by: { tint: colour } });
	const bare = text.replace(DETERMINERS, '').trim();
	if (CLOTHES.test(bare) || /[’']s /u.test(bare)) {
		const [owner = '', thing = bare] =
			bare.includes('’s ') || bare.includes("'s ")
				? bare.split(/[’']s /u)
				: (/^(\S+) of (?:the )?(.*)$/u.exec(bare)?.slice(1).reverse() ?? ['', bare]);
		const what = (owner && targetsOf(owner).targets[0]) || { name: 'it' };
		if (CLOTHES.test(thing)) return done({ do: 'recolour', what, colour, clothes: true });
	}
	if (/^(?:it|this|es|ça|todo|lo)?$/u.test(bare)) return done({ do: 'surround', by: { tint: colour } });
	return each(text, (what) => ({ do: 'recolour', what, colour, one: ONE.test(text) }));
}

/** "Remove the rain", "no people", "take the hat off". */
export function removing(text: string): Read | undefined {
	if (
		/^(?:the |all |any |das |le |el |la )*(?:text|words?|writing|lettering|letters|caption|title|sign|schrift|texte|texto|letras|palabras)$/u.test(
			text,
		)
	)
		return done({ do: 'unwrite' });
	if (/(?:background|backdrop|hintergrund|fond|fondo)$/u.test(text))
		return done({ do: 'operate', operation: { do: 'cutOut' } });
	if (/(?:frame|border|rahmen|cadre|bordure|marco|borde)$/u.test(text)) return done({ do: 'undo', kinds: ['frame'] });
	const [effect] = /(?:blur|vignette|grain)(?=$)/u.exec(text) ?? [];
	if (effect) return done({ do: 'undo', kinds: [effect as 'blur' | 'vignette' | 'grain'] });
	if (/(?:tint|filter)$/u.test(text)) return done({ do: 'undo', kinds: ['look'] });
	const isOne = ONE.test(text);
	const { targets, phrases } = targetsOf(text.replace(/^one of |^one /u, ''));
	const changes: Change[] = targets.map((what) => ({ do: 'remove', what, one: isOne }));
	const { place: _, time: __, ...gone } = phrases.surroundings;
	if (targets.length === 0 && !isEmpty(gone)) changes.push({ do: 'clear', of: gone });
	else if (targets.length > 0 && (gone.sky?.length || gone.weather?.length))
		changes.push({ do: 'clear', of: { sky: gone.sky ?? [], weather: gone.weather ?? [] } });
	return changes.length > 0
		? asked(phrases, ...changes)
		: { changes: [], notUnderstood: [text.replace(DETERMINERS, '')] };
}

export function replacing(from: string, to: string): Read | undefined {
	const colour = colourOf(to.replace(DETERMINERS, ''));
	if (colour) return recolour(from.replace(/^(?:the )?colou?r of /u, ''), colour);
	const { targets, phrases } = targetsOf(from);
	const by = readPhrases(to);
	const [what, ...others] = targets;
	if (what && by.subjects.length > 0) {
		const gone = others.map((other): Change => ({ do: 'remove', what: other }));
		return asked(by, { do: 'replace', what, by: by.subjects }, ...gone, ...around(by.surroundings));
	}
	// "Replace the rain with snow", "change the forest to a beach", "turn day into night".
	const read = surrounding(by);
	if (read.changes.length === 0) return undefined;
	const { place: _, time: __, ...gone } = phrases.surroundings;
	const isNamed = what && !/^(?:it|everything)$/u.test(what.name);
	const before: Change[] = isNamed ? [{ do: 'remove', what }] : isEmpty(gone) ? [] : [{ do: 'clear', of: gone }];
	return asked(read, ...before, ...read.changes);
}

/** "Move the fox to the left", "put the cat on a chair", "put it in a jungle". */
export function putting(text: string): Read | undefined {
	const aside = new RegExp(
		`^(?<what>.+?)(?: (?:further|more|over))?(?: (?:to|on|in|at|into|nach|auf|in|à|au|sur|a|en|hacia))? ?(?:the |der |die |das |dem |la |le |el )?(?<side>${SIDE_WORDS})$`,
		'u',
	).exec(text);
	// What is new may come with more: "a cat wearing a hat on the left".
	const isMore = /^(?:an?|two|three|some|eine?n?|une?|una?) .* /u.test(aside?.groups?.['what'] ?? '');
	if (aside?.groups && !(isMore && readPhrases(text).subjects.length > 1))
		return each(aside.groups['what'] ?? '', (what) => ({
			do: 'move',
			what,
			side: sideOf(aside.groups?.['side'] ?? ''),
		}));
	const phrases = readPhrases(text);
	const [first] = phrases.subjects;
	const pronoun =
		/^(?:it|him|her|them|the (?:scene|picture|subject|whole thing)|everything|es|alles|ihn|sie|le|la|lo|todo|tout)\s+(?<where>(?:in|on|at|into|onto|to|under|under|by|beside|next to|behind|above|near|inside|auf|an|unter|neben|dans|sur|à|au|en|bajo|sobre|junto)\b.*)$/u.exec(
			text,
		);
	if (pronoun?.groups) return relocating(pronoun.groups['where'] ?? '');
	if (!first && isEmpty(phrases.surroundings)) return undefined;
	return surrounding({ ...phrases, subjects: withRelation(phrases.subjects, text) }, 'put');
}

const PREPOSITIONS = Object.entries(phrases.prepositions) as [kind: Relation, pattern: string][];

/** Relates the first subject to the second where the words between them do and the reader of phrases did not see it. */
function withRelation(subjects: Subject[], text: string): Subject[] {
	const [first, second, ...others] = subjects;
	if (!first || !second || first.relation || second.relation) return subjects;
	const kind = PREPOSITIONS.find(([, pattern]) =>
		new RegExp(`(?<!\\p{L})(?:${pattern})(?!\\p{L})`, 'u').test(text),
	)?.[0];
	return kind ? [{ ...first, relation: { kind, to: second.id } }, second, ...others] : subjects;
}

/** "It" goes somewhere: to a place, or to a thing. */
function relocating(where: string): Read | undefined {
	const phrases = readPhrases(where);
	if (phrases.subjects.length === 0) return surrounding(phrases);
	// The main subject goes on, under or beside the thing: that reads as a noun phrase of its own.
	const thing = phrases.subjects[0];
	const kind = PREPOSITIONS.find(([, pattern]) => new RegExp(`^(?:${pattern})\\b`, 'u').test(where))?.[0] ?? 'beside';
	if (!thing) return undefined;
	const it = { ...thing, id: 99, name: 'it', relation: { kind, to: thing.id } } as const;
	return asked(phrases, { do: 'put', subjects: [it, ...phrases.subjects] }, ...around(phrases.surroundings));
}

/** "Let it rain" in other languages. */
const FALLING: readonly (readonly [RegExp, string])[] = [
	[/(?:es |qu[’']il |que )?(?<!\p{L})(?:schneien|schneit|schnein|neiger|neige|nevar|nieve|nieva)(?!\p{L})/u, 'it snow'],
	[
		/(?:es |qu[’']il |que )?(?<!\p{L})(?:regnen|regnet|pleuvoir|pleuve|pleut|llover|llueva|llueve)(?!\p{L})/u,
		'it rain',
	],
];
const SUBJUNCTIVE = /^(?:que |qu[’'])?(?:il |es |ello )?(?:sea|soit|fasse|haga|haya|fait|ist|soll|wird)\s+(?:de\s+)?/u;

/** "Make the car blue", "make the fox bigger", "make it a dog", "make it winter". */
export function making(clause: string): Read | undefined {
	const text = FALLING.reduce((rest, [pattern, english]) => rest.replace(pattern, english), clause).replace(
		SUBJUNCTIVE,
		'',
	);
	const size = new RegExp(`^(?<what>.+?) ${HOW}(?<size>${BIGGER}|${SMALLER})$`, 'u').exec(text);
	if (size?.groups && targetsOf(size.groups['what'] ?? '').targets.length > 0)
		return each(size.groups['what'] ?? '', (what) => ({ do: 'scale', what, factor: factorOf(text) }));
	// Bounded: at most 240 characters.
	const fly = /^(?<what>.+?) (?<fly>fly|float|hover|land)(?: .*)?$/u.exec(text);
	if (fly?.groups)
		return each(fly.groups['what'] ?? '', (what) => ({ do: 'fly', what, aloft: fly.groups?.['fly'] !== 'land' }));
	const ending = endingColour(text.replace(/ (?:en|in|de color|als) (?=\S+(?: \S+)?$)/u, ' '));
	if (ending) {
		const read = recolour(ending.before, ending.colour);
		if (read) return read;
		// A thing that no drawing knows is not the whole picture.
		const thing = ending.before.replace(DETERMINERS, '');
		if (thing !== ending.before && !/picture|image|photo|scene|sky|background|\ball$/u.test(thing))
			return { changes: [], notUnderstood: [thing] };
	}
	// Bounded: at most 240 characters.
	const wear =
		/^(?<who>.+?) (?<verb>wear|hold|carry|read|ride|have|tragen|halten|porter|tenir|llevar)s? (?<what>.+)$/u.exec(text);
	if (wear?.groups) return giving(wear.groups['who'] ?? '', wear.groups['what'] ?? '', wear.groups['verb'] ?? '');
	const number = new RegExp(`^(?:it |that |sure there are |there be )*${NUMBER} (?<what>.+)$`, 'u').exec(text);
	if (number?.groups && numberOf(number.groups['number'] ?? '') > 1)
		return counting(number.groups['what'] ?? '', numberOf(number.groups['number'] ?? ''));
	// "Make the cat a dog", "make the fox into a wolf". Bounded: at most 240 characters.
	const into =
		/^(?<from>(?:the|my|le|la|el|den|die|das) .+?) (?:(?:in)?to )?(?<to>(?:an?|ein|eine|einen|un|une|una) .+)$/u.exec(
			text,
		);
	if (into?.groups) {
		const read = replacing(into.groups['from'] ?? '', into.groups['to'] ?? '');
		if (read) return read;
	}
	const phrases = readPhrases(
		text.replace(
			/^(?:it|this|that|es|the (?:scene|picture|image|whole thing)|everything|la scène|l[’']image|das bild|la escena|la imagen|ça|all)(?: (?:be|look|look like|seem|feel|into|in|like|zu|zur|zum|regnen)(?= ))*\s*/u,
			'',
		),
	);
	if (
		/^(?:it|this|that|es) (?:into |to )?(?:a|an|ein|eine)\s/u.test(text) &&
		phrases.subjects.length > 0 &&
		isEmpty(phrases.surroundings)
	)
		return asked(phrases, { do: 'replace', what: { name: 'it' }, by: phrases.subjects });
	return surrounding(phrases);
}

export function only(text: string): Read | undefined {
	const [what, ...also] = targetsOf(text).targets;
	return what && done({ do: 'only', what, also });
}

export function counting(text: string, count: number): Read | undefined {
	const { targets, phrases } = targetsOf(text);
	const [what] = targets;
	return what && asked(phrases, { do: 'count', what: plain(what), count });
}

/** A count does not name the colour of what is counted. */
export const plain = ({ colour: _, ...what }: Target): Target => what;

export function giving(who: string, what: string, verb = 'hold'): Read | undefined {
	const to = targetsOf(who).targets[0];
	const phrases = readPhrases(what);
	if (!to || phrases.subjects.length === 0) return undefined;
	const kind = /wear|trag|port|llev/u.test(verb) ? 'worn by' : 'held by';
	return asked(phrases, { do: 'give', to, kind, subjects: phrases.subjects });
}

/** "Add a hat to the fox": something worn or held, if the thing is not simply put there. */
export function wearing(what: string, who: string): Read | undefined {
	const thing = readPhrases(what).subjects[0];
	const to = targetsOf(who).targets[0];
	if (!thing || !to) return undefined;
	return isWorn(thing) ? giving(who, what, 'wear') : undefined;
}

export function more(text: string): Read | undefined {
	const phrases = readPhrases(text);
	const more = targetsOf(text).targets.map(
		(what): Change => ({ do: 'count', what: plain(what), count: 2, more: true, otherwise: phrases.subjects }),
	);
	if (more.length > 0) return asked(phrases, ...more);
	return isEmpty(phrases.surroundings) ? undefined : surrounding(phrases);
}

export function fewer(text: string): Read | undefined {
	const phrases = readPhrases(text);
	const fewer = targetsOf(text).targets.map(
		(what): Change => ({ do: 'count', what: plain(what), count: -1, more: true }),
	);
	if (fewer.length > 0) return done(...fewer);
	return isEmpty(phrases.surroundings) ? undefined : done({ do: 'clear', of: phrases.surroundings });
}
