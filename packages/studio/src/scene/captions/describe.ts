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
const BOUNDED: ReadonlySet<Place> = new Set(['stage', 'table', 'backdrop', 'space']);

const ACTIVE: Readonly<Partial<Record<Relation, string>>> = { 'held by': 'with', 'worn by': 'wearing' };

/** Returns a scene as one phrase of plain English, such as "a black cat under a red umbrella in a street at night, rain". */
export function describe(scene: Scene): string {
	const { place, time, season, weather, sky, style, mood, tint, second, framing, texts } = scene;
	const subjects = list(groups(scene));
	const kind = framing && captions.framings[framing];
	const isPlain = kind && place === 'backdrop';
	const shown = `${kind ? `${withArticle(kind)} of ` : ''}${subjects}${isPlain ? '' : ` ${at(scene)}`}`;
	const empty = isPlain ? withArticle(kind) : (LANDSCAPES[place] ?? withArticle(place));
	const isTimeless = BOUNDED.has(place) || (place === 'abstract' && !subjects);
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
	const roots = subjects.filter(({ relation }) => !subjects.some(({ id }) => id === relation?.to));
	// Subjects that were added one by one are counted together.
	const alike = Map.groupBy(roots, (root) =>
		subjects.some(({ relation }) => relation?.to === root.id) ? root.id : `${nameOf(root)}, ${root.side}`,
	);
	return [...alike.values()].map((all) => {
		const count = all.reduce((sum, one) => sum + one.count, 0);
		return groupPhrase({ ...(all[0] as Subject), count }, subjects);
	});
}

function groupPhrase(root: Subject, subjects: readonly Subject[]): string {
	const { dependents = [], others = [] } = Object.groupBy(subjects, ({ relation }) =>
		relation?.to === root.id ? 'dependents' : 'others',
	);
	const byKind = Map.groupBy(dependents, ({ relation }) => relation?.kind as Relation);
	let phrase = subjectPhrase(root);
	for (const kind of ['worn by', 'held by', ...byKind.keys()] as const) {
		const things = list((byKind.get(kind) ?? []).map((one) => groupPhrase(one, others)));
		if (things) phrase = kind in ACTIVE ? `${phrase} ${ACTIVE[kind]} ${things}` : `${things} ${kind} ${phrase}`;
		byKind.delete(kind);
	}
	return phrase;
}

/** Returns the operations that are worth a word. */
function finishing(operations: readonly Operation[]): string[] {
	const phrases = operations.flatMap((operation) => {
		if (operation.do === 'frame')
			return `in ${withArticle(operation.style === 'plain' ? colourName(operation.colour) : operation.style)} frame`;
		if (operation.do === 'text') return `the words “${operation.text}”`;
		if (operation.do !== 'look') return [];
		return operation.name === 'greyscale' ? 'black and white' : operation.name === 'sepia' ? 'sepia' : [];
	});
	return [...new Set(phrases)];
}

const templates: Readonly<Record<'operations' | 'layouts' | 'ratios', Readonly<Record<string, string>>>> = captions;

/** Returns a word for a strength that differs from the usual one. */
const degree = (amount: number, [little, much]: readonly [string, string]) =>
	Math.abs(amount) < 0.75 ? little : Math.abs(amount) > 1.3 ? much : '';

/** Returns what an operation did, in the past tense, without a full stop: "Rotated left", "Made much brighter". */
export function describeOperation(operation: Operation): string {
	const words = (WORDS[operation.do] as ((operation: Operation) => Words) | undefined)?.(operation) ?? {};
	const values = { ...operation, ...words };
	// A template of its own have some kinds of an operation, such as "look sepia".
	const own = Object.values(values).map((value) => templates.operations[`${operation.do} ${value}`]);
	return filled(own.find(Boolean) ?? templates.operations[operation.do] ?? '', values);
}

type Words = Readonly<Record<string, unknown>>;

/** What the numbers and colours of an operation are called. */
const WORDS: { [Name in Operation['do']]?: (operation: Extract<Operation, { do: Name }>) => Words } = {
	adjust: ({ what, amount }) => ({
		how: degree(amount, ['slightly ', 'much ']),
		word: captions.adjusted[what][amount >= 0 ? 0 : 1],
	}),
	tint: ({ colour }) => ({ colourName: colourName(colour) }),
	blur: ({ amount }) => ({ strength: degree(amount, [' slightly', ' strongly']) }),
	crop: ({ ratio }) => ({ shape: templates.ratios[Number(ratio.toFixed(2))] ?? `${Number(ratio.toFixed(2))}:1` }),
	zoom: ({ factor }) => ({ way: factor >= 1 ? 'in' : 'out' }),
	rotate: ({ degrees }) => ({ turn: Math.abs(degrees), way: degrees < 0 ? 'left' : 'right' }),
	scale: ({ factor }) => ({ percent: Math.round(factor * 100) }),
	frame({ style, colour, amount = 1 }) {
		const name = `${colourName(colour)} ${style === 'ornate' ? 'picture frame' : 'frame'}`;
		return { frame: withArticle(degree(amount, ['thin ', 'thick ']) + name) };
	},
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
