import { isSmall } from '../../drawing/subjects/figures.ts';
import type { Place, Relation } from '../names.ts';
import type { Operation } from '../operation.ts';
import type { Scene, Subject } from '../scene.ts';
import captions from './captions.json' with { type: 'json' };
import { colourName } from './colour-names.ts';
import { list, nameOf, subjectPhrase, withArticle } from './wording.ts';

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
	place === 'table' && subjects.every(({ figure }) => isSmall(figure)) ? 'on a table' : captions.places[place];

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
