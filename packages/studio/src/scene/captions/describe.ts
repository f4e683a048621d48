import { isAllSmall } from '../../drawing/subjects/figures.ts';
import type { Layout } from '../layout.ts';
import type { Place, Relation } from '../names.ts';
import type { Operation, Scene, Subject } from '../scene.ts';
import captions from './captions.json' with { type: 'json' };
import { colourName, filled, list, nameOf, subjectPhrase, withArticle } from './wording.ts';

/** The most characters of a description. */
const MAX_LENGTH = 300;

/** How places are called that nothing stands in. */
const LANDSCAPES: Readonly<Partial<Record<Place, string>>> = captions.landscapes;

/** Places that look the same at all times. */
const BOUNDED: ReadonlySet<Place> = new Set(['stage', 'table', 'backdrop']);

const ACTIVE: Readonly<Partial<Record<Relation, string>>> = { 'held by': 'with', 'worn by': 'wearing' };

/** Returns a scene as one phrase of plain English, such as "a black cat under a red umbrella in a street at night, rain". */
export function describe(scene: Scene): string {
	const { place, time, season, weather, sky, style, mood, tint, second, framing, texts } = scene;
	const subjects = list(groups(scene));
	const kind = framing && captions.framings[framing];
	const isPlain = kind && place === 'backdrop';
	const shown = `${kind ? `${withArticle(kind)} of ` : ''}${subjects}${isPlain ? '' : ` ${at(scene)}`}`;
	const empty = isPlain ? withArticle(kind) : (LANDSCAPES[place] ?? withArticle(place));
	const isTimeless = place === 'space' || BOUNDED.has(place) || (place === 'abstract' && !subjects);
	const colours = tint && [...new Set([tint, second ?? tint].map(colourName))];
	const parts = [
		`${subjects ? shown : empty}${isTimeless ? '' : ` ${captions.times[time]}`}`,
		season && captions.seasons[season],
		...weather.map((one) => captions.weathers[one]),
		list(sky.filter((one) => one !== 'leaves' || season !== 'autumn').map((one) => captions.skies[one])),
		mood && captions.moods[mood],
		colours && `in ${list(colours)} tones`,
		style && captions.styles[style],
		...texts.map((text) => `the words “${text}”`),
		scene.zoom > 1.05 ? 'seen from closer' : scene.zoom < 0.95 && 'seen from farther away',
		...finishing(scene.operations),
	];
	const whole = parts.filter(Boolean).join(', ');
	return whole.length <= MAX_LENGTH ? whole : `${whole.slice(0, MAX_LENGTH - 1).replace(/(?<!\s)\s+\S*$/u, '')}…`;
}

/** Things stand on a table, and people sit at it. */
const at = ({ place, subjects }: Scene): string =>
	place === 'table' && isAllSmall(subjects) ? 'on a table' : captions.places[place];

/** Returns one phrase for each subject that stands for itself, with those that are subordinate to it. */
function groups({ subjects }: Pick<Scene, 'subjects'>): string[] {
	const found = new Map<string, { subject: Subject; phrase: string }>();
	for (const root of subjects.filter(({ relation }) => !subjects.some(({ id }) => id === relation?.to))) {
		const alone = subjects.every(({ relation }) => relation?.to !== root.id);
		const key = alone ? `${nameOf(root)}, ${root.side}` : `#${root.id}`;
		const alike = found.get(key)?.subject;
		// Subjects that were added one by one are counted together.
		const subject = alike ? { ...alike, count: alike.count + root.count } : root;
		found.set(key, { subject, phrase: alike ? subjectPhrase(subject) : groupPhrase(root, subjects, new Set()) });
	}
	return [...found.values()].map(({ phrase }) => phrase);
}

function groupPhrase(root: Subject, subjects: readonly Subject[], seen: ReadonlySet<number>): string {
	if (seen.has(root.id)) return '';
	const own = new Set([...seen, root.id]);
	const dependents = subjects.filter(({ relation }) => relation?.to === root.id);
	const of = (kind: Relation) =>
		dependents.filter(({ relation }) => relation?.kind === kind).map((one) => groupPhrase(one, subjects, own));
	let phrase = subjectPhrase(root);
	for (const kind of ['worn by', 'held by'] as const) {
		const things = of(kind);
		if (things.length > 0) phrase += ` ${ACTIVE[kind]} ${list(things)}`;
	}
	const places = new Set(dependents.map(({ relation }) => relation?.kind).filter((kind) => kind && !ACTIVE[kind]));
	for (const kind of places) if (kind) phrase = `${list(of(kind))} ${kind} ${phrase}`;
	return phrase;
}

/** Returns the operations that are worth a word. */
function finishing(operations: readonly Operation[]): string[] {
	const phrases = operations.map((operation) => {
		if (operation.do === 'frame')
			return `in a ${operation.style === 'plain' ? colourName(operation.colour) : operation.style} frame`;
		if (operation.do === 'text') return `the words “${operation.text}”`;
		if (operation.do === 'look' && operation.name === 'greyscale') return 'black and white';
		return operation.do === 'look' && operation.name === 'sepia' ? 'sepia' : '';
	});
	return [...new Set(phrases.filter(Boolean))];
}

const templates: Readonly<Record<'operations' | 'layouts' | 'ratios', Readonly<Record<string, string>>>> = captions;

/** Returns a word for a strength that differs from the usual one. */
const degree = (amount: number, [little, much]: readonly [string, string]) =>
	Math.abs(amount) < 0.75 ? little : Math.abs(amount) > 1.3 ? much : '';

/** Returns what an operation did, in the past tense, without a full stop: "Rotated left", "Made much brighter". */
export function describeOperation(operation: Operation): string {
	const words = (WORDS[operation.do] as ((operation: Operation) => Words) | undefined)?.(operation) ?? {};
	const template = templates.operations[`${operation.do} ${words['kind']}`] ?? templates.operations[operation.do] ?? '';
	return filled(template, { ...operation, ...words });
}

type Words = Readonly<Record<string, unknown>>;

/** What parts an operation from others of its name (`kind`), and words for its numbers. */
const WORDS: { [Name in Operation['do']]?: (operation: Extract<Operation, { do: Name }>) => Words } = {
	adjust: ({ what, amount }) => ({
		kind: what,
		how: degree(amount, ['slightly ', 'much ']),
		word: captions.adjusted[what][amount >= 0 ? 0 : 1],
	}),
	look: ({ name }) => ({ kind: name }),
	style: ({ name }) => ({ kind: name }),
	tint: ({ colour }) => ({ colourName: colourName(colour) }),
	blur: ({ where, amount }) => ({ kind: where, strength: degree(amount, [' slightly', ' strongly']) }),
	crop: ({ ratio }) => ({ shape: templates.ratios[Number(ratio.toFixed(2))] ?? `${Number(ratio.toFixed(2))}:1` }),
	zoom: ({ factor }) => ({ kind: factor >= 1 ? 'in' : 'out' }),
	rotate: ({ degrees }) => ({
		kind: (degrees + 360) % 360,
		turn: Math.abs(degrees),
		way: degrees < 0 ? 'left' : 'right',
	}),
	flip: ({ axis }) => ({ kind: axis }),
	scale: ({ factor }) => ({ percent: Math.round(factor * 100) }),
	frame({ style, colour, amount = 1 }) {
		const name = `${colourName(colour)} ${style === 'ornate' ? 'picture frame' : 'frame'}`;
		return { kind: style, frame: withArticle(degree(amount, ['thin ', 'thick ']) + name) };
	},
	text: ({ place }) => ({ kind: place }),
	paste: (operation) => ({ things: list(groups(operation)) }),
};

/** Returns what a layout did with its pictures. */
export function describeLayout(layout: Layout): string {
	const named = Object.entries(layout).map(([name, value]) => {
		const images = [value].flat().map((one) => (typeof one === 'object' ? one.image : one));
		return [name, list(images.map((image) => `image ${Number(image) + 1}`)) || 'the images'] as const;
	});
	return filled(templates.layouts[layout.layout] ?? '', Object.fromEntries(named));
}
