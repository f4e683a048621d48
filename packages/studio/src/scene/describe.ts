import { isSmall } from '../drawing/subjects/figures.ts';
import { colourName } from './colour-names.ts';
import type { Place, Relation, Time } from './names.ts';
import type { Operation } from './operation.ts';
import type { Scene, Subject } from './scene.ts';
import { nameOf, subjectPhrase } from './subject-phrase.ts';
import { list, withArticle } from './wording.ts';

/** The most characters of a description. */
const MAX_LENGTH = 300;

const PLACES: Readonly<Record<Place, string>> = {
	meadow: 'in a meadow',
	forest: 'in a forest',
	mountains: 'in the mountains',
	snowfield: 'in a snowfield',
	desert: 'in a desert',
	sea: 'at sea',
	beach: 'on a beach',
	lake: 'by a lake',
	city: 'in a city',
	street: 'in a street',
	village: 'in a village',
	garden: 'in a garden',
	space: 'in space',
	moonscape: 'on the moon',
	mars: 'on Mars',
	underwater: 'under water',
	room: 'in a room',
	kitchen: 'in a kitchen',
	table: 'at a table',
	stage: 'on a stage',
	backdrop: 'before a plain background',
	cave: 'in a cave',
	clouds: 'in the clouds',
	abstract: 'among abstract shapes',
};

/** How a place is called that nothing stands in. */
const LANDSCAPES: Readonly<Partial<Record<Place, string>>> = {
	mountains: 'mountains',
	sea: 'the sea',
	space: 'space',
	moonscape: 'the surface of the moon',
	mars: 'the surface of Mars',
	backdrop: 'a background',
	underwater: 'the bottom of the sea',
	clouds: 'clouds from above',
	abstract: 'an abstract composition',
};

/** Places that look the same at all times. */
const BOUNDED: ReadonlySet<Place> = new Set(['stage', 'table', 'backdrop']);

const TIME_PHRASES: Readonly<Record<Time, string>> = {
	dawn: 'at dawn',
	day: 'by day',
	golden: 'in golden light',
	sunset: 'at sunset',
	dusk: 'at dusk',
	night: 'at night',
};

const ACTIVE: Readonly<Partial<Record<Relation, string>>> = { 'held by': 'with', 'worn by': 'wearing' };

/** Returns a scene as one phrase of plain English, such as "a black cat under a red umbrella in a street at night, rain". */
export function describe(scene: Scene): string {
	const { place, time, season, weather, sky, style, mood, tint, second, framing, texts } = scene;
	const subjects = groups(scene);
	const shown = framing && framing !== 'meme' && place === 'backdrop' ? '' : ` ${at(scene)}`;
	const kind = framing && framing !== 'meme' && subjects.length > 0 ? `${withArticle(FRAMED[framing])} of ` : '';
	const where =
		subjects.length > 0
			? `${kind}${list(subjects)}${shown}`
			: framing && framing !== 'meme' && place === 'backdrop'
				? withArticle(FRAMED[framing])
				: (LANDSCAPES[place] ?? withArticle(place));
	const when =
		place === 'space' || BOUNDED.has(place) || (place === 'abstract' && subjects.length === 0)
			? ''
			: ` ${TIME_PHRASES[time]}`;
	const extras = [
		season && `in ${season}`,
		...weather.map((one) => (one === 'clear' ? 'clear sky' : one === 'cloudy' ? 'overcast' : one)),
		sky.length > 0 && list(sky.filter((one) => one !== 'leaves' || season !== 'autumn').map(skyPhrase)),
		mood && `${mood} mood`,
		tint && `in ${list([...new Set([tint, ...(second ? [second] : [])].map(colourName))])} tones`,
		style && STYLES[style],
		...texts.map((text) => `the words “${text}”`),
		scene.zoom > 1.05 ? 'seen from closer' : scene.zoom < 0.95 && 'seen from farther away',
		...finishing(scene.operations),
	];
	const whole = [`${where}${when}`, ...extras.filter(Boolean)].join(', ');
	return whole.length <= MAX_LENGTH ? whole : `${whole.slice(0, MAX_LENGTH - 1).replace(/(?<!\s)\s+\S*$/u, '')}…`;
}

const STYLES: Readonly<Record<NonNullable<Scene['style']>, string>> = {
	watercolour: 'as a watercolour',
	minimal: 'in a minimal style',
	pixel: 'as pixel art',
	flat: 'as a flat illustration',
	noir: 'in the style of film noir',
	neon: 'in neon colours',
	pastel: 'in pastel colours',
	ink: 'as an ink drawing',
	oil: 'as an oil painting',
	poster: 'as a poster',
	vintage: 'in a vintage style',
};

const FRAMED = {
	portrait: 'portrait',
	logo: 'logo',
	icon: 'icon',
	sticker: 'sticker',
	product: 'product shot',
} as const;

/** Things stand on a table, and people sit at it. */
const at = ({ place, subjects }: Scene): string =>
	place === 'table' && subjects.every(({ figure }) => isSmall(figure)) ? 'on a table' : PLACES[place];

function skyPhrase(thing: Scene['sky'][number]): string {
	if (thing === 'moon' || thing === 'rainbow' || thing === 'comet') return `a ${thing}`;
	if (thing === 'sun') return 'the sun';
	return thing === 'aurora' ? 'northern lights' : thing === 'leaves' ? 'falling leaves' : thing;
}

/** Returns one phrase for each subject that stands for itself, with those that are subordinate to it. */
export function groups({ subjects }: Pick<Scene, 'subjects'>): string[] {
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
