import type { Change } from '../../scene/change.ts';
import type { Target } from '../../scene/find-subjects.ts';
import type { Side } from '../../scene/names.ts';
import type { Subject } from '../../scene/scene.ts';
import type { Surroundings } from '../../scene/surroundings.ts';
import { colourOf, endingColour } from '../colour-words.ts';
import { type Phrases, readPhrases } from '../interim-phrases.ts';
import { VERBS } from './verbs.ts';
import { clause } from './words.ts';

type Read = { changes: Change[]; notUnderstood: string[] };
type Context = { quoted: (placeholder: string) => string };
type Groups = Readonly<Record<string, string>>;
/** A pattern of a whole clause, and what it asks for; undefined leaves the clause to the rules after it. */
type Rule = readonly [pattern: RegExp, read: (groups: Groups, context: Context) => Read | undefined];

const V = VERBS;
const done = (...changes: Change[]): Read => ({ changes, notUnderstood: [] });
const THE = "(?:the|this|that|its|his|her|their|all|all the|any|every|der|die|das|den|dem|le|la|les|l[’']|el|los|las)";

/** Words before a noun that say nothing about which one is meant. */
const DETERMINERS =
	/^(?:(?:the|this|that|these|those|its|his|her|their|my|our|all|any|every|of|der|die|das|den|dem|des|le|la|les|el|los|las|du|un|une|una|ein|eine|einen|a|an|one of)\s+|l[’'])+/u;

/** Returns the subject that a noun phrase names; undefined when it names none. */
function targetOf(text: string): { target: Target; phrases: Phrases } | undefined {
	const side = /\b(?:on|at|to) the (left|right)\b|\bin the (centre|center|middle)\b/u.exec(text);
	const bare = text
		.replace(side?.[0] ?? '\u0000', '')
		.replace(DETERMINERS, '')
		.trim();
	const named = side && { side: (side[1] ?? 'centre') as Side };
	if (PRONOUN.test(bare)) return { target: { name: bare === '' ? 'it' : bare, ...named }, phrases: NOTHING };
	const phrases = readPhrases(text.replace(side?.[0] ?? '\u0000', '').trim());
	const [subject] = phrases.subjects;
	if (!subject) return undefined;
	return {
		target: { name: subject.name, figure: subject.figure, ...(subject.colour && { colour: subject.colour }), ...named },
		phrases,
	};
}

const NOTHING: Phrases = { subjects: [], surroundings: {}, notUnderstood: [] };
const PRONOUN =
	/^(?:it|he|she|him|her|them|they|everything|all|everyone|everybody|people|persons?|animals?|creatures?|humans?|(?:main )?(?:subject|character)s?|es|ihn|ihm|ihr|sie|alles|leute|menschen|tiere|gens|personnes|animaux|gente|personas|animales|lui|elle|todo|)$/u;

/** Names of the groups that other languages have words for. */
const PRONOUNS_IN_ENGLISH: readonly (readonly [RegExp, string])[] = [
	[/^(?:es|ihn|ihm|ihr|sie|lui|elle|)$/u, 'it'],
	[/^(?:alles|todo|all)$/u, 'everything'],
	[/^(?:leute|menschen|gens|personnes|gente|personas|everyone|everybody|humans?|persons?)$/u, 'people'],
	[/^(?:tiere|animaux|animales|creatures?)$/u, 'animals'],
];

function targetsOf(text: string): { targets: Target[]; phrases: Phrases } {
	const first = targetOf(text);
	if (!first) return { targets: [], phrases: readPhrases(text) };
	const english = PRONOUNS_IN_ENGLISH.find(([pattern]) => pattern.test(first.target.name))?.[1];
	if (english) return { targets: [{ ...first.target, name: english }], phrases: first.phrases };
	const related = new Set(first.phrases.subjects.map(({ relation }) => relation?.to));
	const others = first.phrases.subjects.slice(1).filter(({ id, relation }) => !relation && !related.has(id));
	const asTarget = ({ name, figure, colour }: Subject): Target => ({ name, figure, ...(colour && { colour }) });
	return { targets: [first.target, ...others.map(asTarget)], phrases: first.phrases };
}

const isEmpty = (surroundings: Surroundings) =>
	Object.values(surroundings).every((value) => value === undefined || (Array.isArray(value) && value.length === 0));

/** All that a phrase names is added, and its place, time and weather become the picture's. */
function adding(phrases: Phrases, verb: 'add' | 'put' = 'add'): Read {
	const { subjects, surroundings, notUnderstood } = phrases;
	const changes: Change[] = [];
	if (subjects.length > 0) changes.push({ do: verb, subjects });
	if (!isEmpty(surroundings)) changes.push({ do: 'surround', by: surroundings });
	return { changes, notUnderstood };
}

const SIDES: readonly (readonly [RegExp, Side])[] = [
	[/left|links|gauche|izquierda/u, 'left'],
	[/right|rechts|droite|derecha/u, 'right'],
	[/cent(?:er|re)|middle|mitte|milieu|centro/u, 'centre'],
];
const SIDE_WORDS =
	'(?:left|right|cent(?:er|re)|middle|links|rechts|mitte|gauche|droite|milieu|izquierda|derecha|centro)(?: (?:side|seite|half|edge))?';
const sideOf = (text: string) => SIDES.find(([pattern]) => pattern.test(text))?.[1] ?? 'centre';

const NUMBERS: Readonly<Record<string, number>> = {
	...{
		a: 1,
		an: 1,
		one: 1,
		two: 2,
		three: 3,
		four: 4,
		five: 5,
		six: 6,
		seven: 7,
		eight: 8,
		nine: 9,
		ten: 10,
		eleven: 11,
		twelve: 12,
	},
	...{
		ein: 1,
		eine: 1,
		einen: 1,
		zwei: 2,
		drei: 3,
		vier: 4,
		fünf: 5,
		un: 1,
		une: 1,
		deux: 2,
		trois: 3,
		quatre: 4,
		cinq: 5,
		una: 1,
		dos: 2,
		tres: 3,
		cuatro: 4,
		cinco: 5,
	},
};
const NUMBER = `(?<number>\\d{1,2}|${Object.keys(NUMBERS).join('|')})`;
const numberOf = (text: string) => NUMBERS[text] ?? Number(text);

const BIGGER =
	'bigger|larger|taller|big|large|huge|giant|enormous|gigantic|größer|groß|riesig|plus grande?|grande?|énorme|más grande|enorme|wider';
const SMALLER =
	'smaller|shorter|small|tiny|little|miniature|kleiner|klein|winzig|plus petite?|petite?|minuscule|más pequeñ[oa]|pequeñ[oa]|diminut[oa]';
const HOW = '(?:much |a lot |a bit |a little |slightly |very |way |etwas |viel |un peu |beaucoup |mucho |un poco )?';

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

/** Changes for each of the targets, or a note that the words name nothing. */
function each(text: string, change: (what: Target) => Change): Read | undefined {
	const { targets } = targetsOf(text);
	return targets.length > 0 ? done(...targets.map(change)) : undefined;
}

const CLOTHES =
	/(?:clothes|clothing|dress|shirt|coat|raincoat|jacket|suit|outfit|robe|sweater|hoodie|kleid|jacke|mantel|robe|manteau|veste|ropa|vestido|abrigo|chaqueta)$/u;
const SKY =
	/^(?:the )?(?:sky|background|backdrop|picture|image|scene|whole thing|everything|light|lighting|colou?rs?|himmel|hintergrund|ciel|fond|cielo|fondo)$/u;

function recolour(text: string, colour: NonNullable<ReturnType<typeof colourOf>>): Read | undefined {
	if (SKY.test(text)) return done({ do: 'surround', by: { tint: colour } });
	const bare = text.replace(DETERMINERS, '').trim();
	if (CLOTHES.test(bare) || /[’']s /u.test(bare)) {
		const [owner = '', thing = bare] =
			bare.includes('’s ') || bare.includes("'s ")
				? bare.split(/[’']s /u)
				: (/^(\S+) of (?:the )?(.*)$/u.exec(bare)?.slice(1).reverse() ?? ['', bare]);
		const what = (owner && targetOf(owner)?.target) || { name: 'it' };
		if (CLOTHES.test(thing)) return done({ do: 'recolour', what, colour, clothes: true });
	}
	if (/^(?:it|this|es|ça|todo|lo)?$/u.test(bare)) return done({ do: 'surround', by: { tint: colour } });
	return each(text, (what) => ({ do: 'recolour', what: withoutColour(what), colour }));
}

/** In other languages the new colour follows the noun as its own one does ("rends le chat noir"): it does not say which is meant. */
const withoutColour = (what: Target): Target => what;

/** "Remove the rain", "no people", "take the hat off". */
function removing(text: string): Read | undefined {
	if (
		/^(?:the |all |any |das |le |el |la )*(?:text|words?|writing|lettering|letters|caption|title|sign|schrift|texte|texto|letras|palabras)$/u.test(
			text,
		)
	)
		return done({ do: 'unwrite' });
	if (/(?:frame|border|rahmen|cadre|bordure|marco|borde)$/u.test(text)) return done({ do: 'undo', kinds: ['frame'] });
	if (/(?:blur|vignette|grain|tint|filter)$/u.test(text)) {
		return done({
			do: 'undo',
			kinds: [
				/blur/u.test(text) ? 'blur' : /vignette/u.test(text) ? 'vignette' : /grain/u.test(text) ? 'grain' : 'look',
			],
		});
	}
	const isOne = /^one of |^one |^eine[nrs]? der |^un[oa]? de /u.test(text);
	const { targets, phrases } = targetsOf(text.replace(/^one of |^one /u, ''));
	const changes: Change[] = targets.map((what) => ({ do: 'remove', what, ...(isOne && { one: true }) }));
	const { place: _, time: __, ...gone } = phrases.surroundings;
	if (targets.length === 0 && !isEmpty(gone)) changes.push({ do: 'clear', of: gone });
	else if (targets.length > 0 && (gone.sky?.length || gone.weather?.length))
		changes.push({ do: 'clear', of: { sky: gone.sky ?? [], weather: gone.weather ?? [] } });
	if (changes.length > 0) return { changes, notUnderstood: phrases.notUnderstood };
	return { changes: [], notUnderstood: [text.replace(DETERMINERS, '')] };
}

function replacing(from: string, to: string): Read | undefined {
	const colour = colourOf(to.replace(DETERMINERS, ''));
	if (colour) return recolour(from.replace(/^(?:the )?colou?r of /u, ''), colour);
	const { targets, phrases } = targetsOf(from);
	const by = readPhrases(to);
	const [what, ...others] = targets;
	if (what && by.subjects.length > 0) {
		return {
			changes: [
				{ do: 'replace', what, by: by.subjects },
				...others.map((other): Change => ({ do: 'remove', what: other })),
				...(isEmpty(by.surroundings) ? [] : [{ do: 'surround', by: by.surroundings } as const]),
			],
			notUnderstood: by.notUnderstood,
		};
	}
	// "Replace the rain with snow", "change the forest to a beach", "turn day into night".
	const read = adding(by);
	if (read.changes.length === 0) return undefined;
	const { place: _, time: __, ...gone } = phrases.surroundings;
	if (what && !/^(?:it|everything)$/u.test(what.name))
		return { changes: [{ do: 'remove', what }, ...read.changes], notUnderstood: read.notUnderstood };
	return {
		changes: [...(isEmpty(gone) ? [] : [{ do: 'clear', of: gone } as const]), ...read.changes],
		notUnderstood: read.notUnderstood,
	};
}

/** "Move the fox to the left", "put the cat on a chair", "put it in a jungle". */
function putting(text: string): Read | undefined {
	const aside = new RegExp(
		`^(?<what>.+?)(?: (?:further|more|over))?(?: (?:to|on|in|at|into|nach|auf|in|à|au|sur|a|en|hacia))? ?(?:the |der |die |das |dem |la |le |el )?(?<side>${SIDE_WORDS})$`,
		'u',
	).exec(text);
	if (aside?.groups)
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
	return adding(phrases, 'put');
}

/** "It" goes somewhere: to a place, or to a thing. */
function relocating(where: string): Read | undefined {
	const phrases = readPhrases(where);
	if (phrases.subjects.length === 0) return adding(phrases);
	// The main subject goes on, under or beside the thing: that reads as a noun phrase of its own.
	const thing = phrases.subjects[0];
	const kind = /^(?:on|onto|auf|sur|sobre)/u.test(where)
		? 'on'
		: /^(?:under|unter|sous|bajo)/u.test(where)
			? 'under'
			: /^(?:behind|hinter)/u.test(where)
				? 'behind'
				: /^(?:above|over)/u.test(where)
					? 'above'
					: /^(?:in|into|inside|dans|en)/u.test(where)
						? 'in'
						: 'beside';
	if (!thing) return undefined;
	const it = { ...thing, id: 99, name: 'it', relation: { kind, to: thing.id } } as const;
	const put: Change = { do: 'put', subjects: [it, ...phrases.subjects] };
	return {
		changes: [put, ...(isEmpty(phrases.surroundings) ? [] : [{ do: 'surround', by: phrases.surroundings } as const])],
		notUnderstood: phrases.notUnderstood,
	};
}

/** "Make the car blue", "make the fox bigger", "make it a dog", "make it winter". */
function making(text: string): Read | undefined {
	const size = new RegExp(`^(?<what>.+?) ${HOW}(?<size>${BIGGER}|${SMALLER})$`, 'u').exec(text);
	if (size?.groups && targetsOf(size.groups['what'] ?? '').targets.length > 0)
		return each(size.groups['what'] ?? '', (what) => ({ do: 'scale', what, factor: factorOf(text) }));
	const fly = /^(?<what>.+?) (?<fly>fly|float|hover|land)(?: .*)?$/u.exec(text);
	if (fly?.groups)
		return each(fly.groups['what'] ?? '', (what) => ({ do: 'fly', what, aloft: fly.groups?.['fly'] !== 'land' }));
	const ending = endingColour(text.replace(/ (?:en|in|de color|als) (?=\S+(?: \S+)?$)/u, ' '));
	if (ending) {
		const read = recolour(ending.before, ending.colour);
		if (read) return read;
	}
	const wear =
		/^(?<who>.+?) (?<verb>wear|hold|carry|read|ride|have|tragen|halten|porter|tenir|llevar)s? (?<what>.+)$/u.exec(text);
	if (wear?.groups) return giving(wear.groups['who'] ?? '', wear.groups['what'] ?? '', wear.groups['verb'] ?? '');
	const number = new RegExp(`^(?:it |that |sure there are |there be )*${NUMBER} (?<what>.+)$`, 'u').exec(text);
	if (number?.groups && numberOf(number.groups['number'] ?? '') > 1)
		return counting(number.groups['what'] ?? '', numberOf(number.groups['number'] ?? ''));
	// "Make the cat a dog", "make the fox into a wolf".
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
	) {
		return {
			changes: [{ do: 'replace', what: { name: 'it' }, by: phrases.subjects }],
			notUnderstood: phrases.notUnderstood,
		};
	}
	return adding(phrases);
}

function only(text: string): Read | undefined {
	const [what, ...also] = targetsOf(text).targets;
	return what && done({ do: 'only', what, also });
}

function counting(text: string, count: number): Read | undefined {
	const { targets, phrases } = targetsOf(text);
	const [what] = targets;
	if (!what) return undefined;
	return { changes: [{ do: 'count', what: plain(what), count }], notUnderstood: phrases.notUnderstood };
}

const plain = ({ colour: _, ...what }: Target): Target => what;

function giving(who: string, what: string, verb = 'hold'): Read | undefined {
	const to = targetsOf(who).targets[0];
	const { subjects, notUnderstood } = readPhrases(what);
	if (!to || subjects.length === 0) return undefined;
	const kind = /wear|trag|port|llev/u.test(verb) ? 'worn by' : 'held by';
	return { changes: [{ do: 'give', to, kind, subjects }], notUnderstood };
}

const TEXT = '(?:text|words?|title|caption|headline|sign|lettering|schrift|texte|texto|writing)';

const RULES: readonly Rule[] = [
	// Texts.
	[
		clause(
			`(?:${V.write}|${V.add}|${V.put}|${V.make}).*?(?<quote>⟦\\d+⟧).*|(?:${THE} )?${TEXT} ?(?:should (?:say|read)|is|:)? ?(?<other>⟦\\d+⟧).*`,
		),
		({ quote, other }, { quoted }) => done({ do: 'write', text: quoted(quote ?? other ?? '') }),
	],
	[
		clause(
			`(?:${V.replace}) .*?(?:${TEXT}|⟦\\d+⟧).*?(?:to|with|by|into|durch|zu|in|par|en|por|a) .*?(?<quote>⟦\\d+⟧).*`,
		),
		({ quote = '' }, { quoted }) => done({ do: 'write', text: quoted(quote), instead: true }),
	],
	[clause(`(?:${V.remove}) .*⟦\\d+⟧.*`), () => done({ do: 'unwrite' })],
	[clause('.*?(?<quote>⟦\\d+⟧).*'), ({ quote = '' }, { quoted }) => done({ do: 'write', text: quoted(quote) })],
	// What is to stay.
	[
		clause(
			'(?:keep|leave|show|behalte|nur|garde|laisse|deja) (?:only|just|nur|seulement|solo) (?<what>.+)|(?:only|just) (?<other>the .+)',
		),
		({ what, other }) => only(what ?? other ?? ''),
	],
	[
		clause(
			`(?:${V.keep})(?: .*)?|(?:everything else|the rest|alles andere|le reste|el resto)(?: .*)?|.* (?:as it is|as they are|unchanged|the same|so lassen|comme (?:il|elle) est|como está)`,
		),
		(_, __) => done(),
	],
	// Zoom.
	[
		clause(
			'(?:zoom|go|move|get|come)(?: (?:in|closer|nearer)(?: .*)?)|zoom|(?:a )?(?:closer|close-up)(?: .*)?|näher(?: heran)?|zoome? (?:rein|hinein|avant)|(?:rapproche|acerca).*|hineinzoomen|acércate',
		),
		() => done({ do: 'zoom', factor: 1.5 }),
	],
	[
		clause(
			'(?:zoom|go|move|step|get)(?: (?:out|back|away|farther|further)(?: .*)?)|(?:wider|farther away|from (?:afar|far away|farther away))(?: .*)?|zoome? (?:raus|heraus|arrière)|(?:éloigne|aleja).*|herauszoomen|weiter weg',
		),
		() => done({ do: 'zoom', factor: 1 / 1.5 }),
	],
	// Numbers.
	[
		clause(
			`(?:${V.add}|${V.make})? ?(?:another|one more|noch (?:ein|eine|einen)|un[ea]? autre|otr[oa])(?: one)? (?<what>.+)`,
		),
		({ what = '' }) => {
			const phrases = readPhrases(what);
			return phrases.subjects.length > 0 ? adding(phrases) : undefined;
		},
	],
	[
		clause(
			`(?:${V.add}|${V.make})? ?${NUMBER} (?:more|weitere|mehr|de plus|más) (?<what>.+)|(?:${V.add}|${V.make})? ?${NUMBER.replace('number', 'count')} (?<thing>.+?) (?:more|de plus|más)`,
		),
		({ number, count, what, thing }) =>
			each(what ?? thing ?? '', (target) => ({
				do: 'count',
				what: plain(target),
				count: numberOf(number ?? count ?? ''),
				more: true,
			})),
	],
	[
		clause(`(?:${V.add} )?(?:some |a few |many |even )?(?:more|mehr|plus de|más) (?<what>.+)`),
		({ what = '' }) => more(what),
	],
	[clause('(?:less|fewer|weniger|moins de|menos) (?<what>.+)'), ({ what = '' }) => fewer(what)],
	[
		clause('(?:double|twice)(?: the number of)? (?<what>the .+s)'),
		({ what = '' }) => each(what, (target) => ({ do: 'count', what: plain(target), count: 2, more: true })),
	],
	[
		clause(
			`(?:only|just|make it|make that|nur|seulement|solo)(?: only| just)? ${NUMBER} (?<what>.+)|(?:change|set|increase|reduce|ändere) (?:the number of |die anzahl der )(?<thing>.+?) (?:to|auf) ${NUMBER.replace('number', 'count')}`,
		),
		({ number, count, what, thing }) => counting(what ?? thing ?? '', numberOf(number ?? count ?? '')),
	],
	// Sizes.
	[
		clause(`(?:${V.size}) (?<what>.+)`),
		({ what = '' }, _) => each(what, (target) => ({ do: 'scale', what: target, factor: 1.5 })),
	],
	[
		clause('(?<what>.+?) (?:twice as (?:big|large)|half as (?:big|large))'),
		({ what = '' }) => each(what.replace(/^make /u, ''), (target) => ({ do: 'scale', what: target, factor: 2 })),
	],
	// Colours.
	[
		clause(
			`(?:${V.replace}|${V.make}) (?:the |die |la |le |el )?(?:colou?r|farbe|couleur|color) (?:of|von|des|der|du|de la|de|del) (?<what>.+?) (?:to|into|in|zu|en|a|à) (?<colour>.+)`,
		),
		({ what = '', colour = '' }) => {
			const found = colourOf(colour);
			return found && recolour(what, found);
		},
	],
	[
		clause(`(?:${V.replace}|change) (?<what>.+?)[’']s colou?r to (?<colour>.+)`),
		({ what = '', colour = '' }) => {
			const found = colourOf(colour);
			return found && recolour(what, found);
		},
	],
	[
		clause('(?<what>.+) (?:should be|is|soll|sollen|doit être|debe ser)(?: now)? (?<how>.+?)(?: sein)?'),
		({ what = '', how = '' }) => making(`${what} ${how}`),
	],
	// Replacing.
	[
		clause(`(?:${V.replace}) (?<from>.+?) (?:with|by|for|into|to|durch|gegen|zu|in|par|en|contre|por|con|a) (?<to>.+)`),
		({ from = '', to = '' }) =>
			/^(?:it|this|the (?:scene|picture|image)|es|das bild|l[’']image|la imagen)$/u.test(from)
				? making(`it ${to}`)
				: replacing(from, to),
	],
	[
		clause(
			'(?:use |have |show |draw |i want |put )?(?<to>.+?) (?:instead of|rather than|in place of|statt|anstatt|anstelle von|au lieu de|en lugar de|en vez de) (?<from>.+)',
		),
		({ from = '', to = '' }) => replacing(from, to),
	],
	// Giving.
	[
		clause(
			'(?:give|gib|donne|dale?) (?<who>(?:the|him|her|it|them|dem|der|au|à la|al|a la) ?\\S*(?: \\S+)?) (?<what>(?:an?|some|two|three|ein|eine|einen|un|une|una|\\d) .+)',
		),
		({ who = '', what = '' }) => giving(who.replace(/^(?:au|à la|al|a la) /u, 'the '), what),
	],
	[
		clause('(?:let|have|make) (?<who>.+?) (?<verb>wear|hold|carry|read) (?<what>.+)'),
		({ who = '', what = '', verb = '' }) => giving(who, what, verb),
	],
	// Removing.
	[clause(`(?:${V.remove}) (?<what>.+?)(?: (?:weg|away|off|out))?`), ({ what = '' }) => removing(what)],
	[
		clause('(?:undo|revert|bring back|restore)(?: .*)?(?<colours> colou?rs?)|in colou?r(?: again)?'),
		() => done({ do: 'undo', kinds: ['look'] }),
	],
	// Adding, placing, making.
	[
		clause(
			'(?:add|put|füge?|ajoute|mets|pon|añade|agrega) (?<what>.+?) (?:to|into|onto|on|for|zu|à|a) (?<who>(?:the|him|her|it|them) ?.*)',
		),
		({ what = '', who = '' }) => wearing(what, who),
	],
	[clause(`(?:${V.add}) (?<what>.+?)(?: (?:hinzu|dazu|ein))?`), ({ what = '' }) => adding(readPhrases(what))],
	[clause(`(?:${V.put}) (?<what>.+)`), ({ what = '' }) => putting(what)],
	[clause(`(?:${V.make}|${V.replace}) (?<what>.+)`), ({ what = '' }) => making(what)],
	[clause('(?:rain|schneien|snow|pleuvoir|neiger|llover|nevar)'), () => undefined],
];

/** "Add a hat to the fox": something worn or held, if the thing is not simply put there. */
function wearing(what: string, who: string): Read | undefined {
	const thing = readPhrases(what).subjects[0];
	const to = targetsOf(who).targets[0];
	if (!thing || !to) return undefined;
	const isWorn = /^(?:hat|crown|scarf|glasses)$/u.test(thing.figure);
	return isWorn ? giving(who, what, 'wear') : undefined;
}

function more(text: string): Read | undefined {
	const phrases = readPhrases(text);
	const { targets } = targetsOf(text);
	if (targets.length > 0)
		return {
			changes: targets.map((what): Change => ({ do: 'count', what: plain(what), count: 2, more: true })),
			notUnderstood: phrases.notUnderstood,
		};
	return isEmpty(phrases.surroundings) ? undefined : adding(phrases);
}

function fewer(text: string): Read | undefined {
	const phrases = readPhrases(text);
	const { targets } = targetsOf(text);
	if (targets.length > 0)
		return done(...targets.map((what): Change => ({ do: 'count', what: plain(what), count: -1, more: true })));
	return isEmpty(phrases.surroundings) ? undefined : done({ do: 'clear', of: phrases.surroundings });
}

/** Reads one clause. @param verb the verb of the clause before, for one that has none: "add a cat, and behind it a dog" */
export function readClause(text: string, quoted: Context['quoted'], verb: string): Read {
	for (const [pattern, read] of RULES) {
		const groups = pattern.exec(text)?.groups ?? (pattern.test(text) ? {} : undefined);
		const result = groups && read(groups as Groups, { quoted });
		if (result) return result;
	}
	const isVerb = (table: string) => new RegExp(`^(?:${table})$`, 'u').test(verb);
	if (verb && isVerb(V.remove)) return removing(text) ?? { changes: [], notUnderstood: [text] };
	if (verb && isVerb(V.put)) return putting(text) ?? { changes: [], notUnderstood: [text] };
	const read = making(text);
	return read && (read.changes.length > 0 || read.notUnderstood.length > 0)
		? read
		: { changes: [], notUnderstood: meaningful(text) };
}

/** Clauses that say nothing, such as "thank you", are not worth a word. */
const meaningful = (text: string) =>
	/^(?:it|this|the|a|and|or|so|thanks|thank you|please)?$/u.test(text) ? [] : [text];
