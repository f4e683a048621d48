/** Reads a prompt into what is to be painted. Every text has a scene, the empty one too. */
import { adjust, type Hex } from './colour.ts';
import {
	lookUp,
	type Meaning,
	type Mood,
	type Place,
	type Relation,
	type Season,
	type SkyThing,
	type Style,
	type Time,
	translated,
	type Weather,
} from './lexicon.ts';
import type { FigureName } from './subjects/figures.ts';
import { homes, stopwords } from './vocabulary/homes.ts';
import { unspaced } from './vocabulary/languages.ts';

export type { Mood, Place, Relation, Season, SkyThing, Style, Time, Weather } from './lexicon.ts';

export interface Actor {
	readonly figure: FigureName;
	readonly colour?: Hex;
	readonly count: number;
	/** 1 is the figure's own size. */
	readonly scale: number;
	/** Relation to an earlier actor: the horse that is ridden, the book that is held. */
	readonly role?: { readonly relation: Relation; readonly to: number };
	/** Held up in the air by the words: "flying", "over the sea". */
	readonly aloft: boolean;
}

export interface Scene {
	/** The prompt without what makes no difference to a reader: case, spacing, punctuation. */
	readonly seed: string;
	/** Undefined where neither the words nor the actors name one. */
	readonly place?: Place;
	readonly time?: Time;
	readonly season?: Season;
	readonly weather: readonly Weather[];
	readonly sky: readonly SkyThing[];
	readonly mood?: Mood;
	readonly style?: Style;
	/** A colour that belongs to no actor and so to the whole. */
	readonly tint?: Hex;
	readonly actors: readonly Actor[];
	/** Words in quotation marks, to be lettered. */
	readonly quotes: readonly string[];
	/** Words that mean nothing to the vocabulary and become sculptures. */
	readonly strange: readonly string[];
}

const quoted =
	/"([^"\n]{1,200})"|“([^”\n]{1,200})”|„([^“”\n]{1,200})[“”]|«([^»\n]{1,200})»|(?<![\p{L}\p{N}])['‘]([^'’\n]{2,200})['’](?![\p{L}\p{N}])/gu;

/** Picks the place of a scene that names several: the one that shows most. */
const priority: readonly Place[] = [
	'room',
	'underwater',
	'moonscape',
	'cave',
	'space',
	'street',
	'clouds',
	'beach',
	'lake',
	'village',
	'garden',
	'sea',
	'snowfield',
	'desert',
	'forest',
	'city',
	'mountains',
	'meadow',
];

export function readPrompt(prompt: string): Scene {
	const text = prompt.toWellFormed().normalize('NFKC');
	const quotes: string[] = [];
	const plain = text.replace(quoted, (_, ...found: (string | undefined)[]) => {
		const quote = found
			.slice(0, 5)
			.find((part) => part !== undefined)
			?.trim();
		if (quote) quotes.push(quote);
		return ' ';
	});
	const spaced = unspaced.reduce((rest, [word, english]) => rest.replaceAll(word, ` ${english} `), plain);
	const words = translated(spaced.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}'’&-]*/gu) ?? []);
	const reading = readWords(words.map((word) => word.replace(/['’]s$/, '')));
	const seed = [...words, ...quotes].join(' ') || text.replace(/\s+/g, ' ').trim();
	return { ...reading, seed, quotes: quotes.slice(0, 3) };
}

interface Pending {
	colour?: Hex;
	shade?: { l: number; c: number };
	size?: number;
	count?: number;
	relation?: Relation;
}

function readWords(words: readonly string[]): Omit<Scene, 'seed' | 'quotes'> {
	const actors: Actor[] = [];
	const strange: string[] = [];
	const found = { places: [] as Place[], weather: new Set<Weather>(), sky: new Set<SkyThing>(), times: [] as Time[] };
	const first: { season?: Season; mood?: Mood; style?: Style } = {};
	let tint: Hex | undefined;
	let pending: Pending = {};
	let aloft = false;

	const settle = (meaning: Meaning) => {
		if (meaning.place) found.places.push(meaning.place);
		if (meaning.weather) found.weather.add(meaning.weather);
		if (meaning.sky) found.sky.add(meaning.sky);
		if (meaning.time) found.times.push(meaning.time);
		if (meaning.season) first.season ??= meaning.season;
		if (meaning.mood) first.mood ??= meaning.mood;
		if (meaning.style) first.style ??= meaning.style;
		if ((meaning.place || meaning.time || meaning.weather || meaning.sky) && !meaning.relation) {
			if (pending.colour) tint ??= shaded(pending);
			pending = {};
		}
	};
	const enter = (figure: FigureName, own: Hex | undefined, plural: boolean) => {
		const colour = shaded(pending) ?? own;
		const count = pending.count ?? (plural ? 3 : 1);
		const relation = pending.relation === 'inside' && worn.has(figure) ? 'wearing' : pending.relation;
		const role = relation && actors.length > 0 ? { relation, to: leader(actors) } : undefined;
		actors.push({
			figure: role ? (handy[`${role.relation} ${figure}`] ?? figure) : figure,
			count: plural ? Math.max(2, count) : count,
			scale: pending.size ?? 1,
			aloft,
			...(colour ? { colour } : {}),
			...(role ? { role } : {}),
		});
		pending = {};
		aloft = false;
	};

	for (let index = 0; index < words.length && actors.length < 6; ) {
		const length =
			[3, 2, 1].find((size) => index + size <= words.length && lookUp(words.slice(index, index + size).join(' '))) ?? 0;
		if (length === 0) {
			const word = words[index++]!;
			if (/^(flying|floating|hovering|soaring)$/.test(word)) aloft = true;
			else if (word.length > 2 && !stopwords.has(word) && !/(ing|ly|ed)$/.test(word)) strange.push(word);
			continue;
		}
		const { meaning, plural } = lookUp(words.slice(index, index + length).join(' '))!;
		index += length;
		if (meaning.relation) {
			if (meaning.relation === 'above' && actors.length > 0) actors.push({ ...actors.pop()!, aloft: true });
			pending = { ...pending, relation: meaning.relation };
		}
		if (meaning.shade) pending.shade = meaning.shade;
		if (meaning.size) pending.size = meaning.size;
		if (meaning.count && !(meaning.count === 1 && pending.count)) pending.count = meaning.count;
		const next = words[index] === undefined ? undefined : lookUp(words[index]!);
		const names = meaning.colour && meaning.subject && (next?.meaning.subject || next?.meaning.place);
		if (meaning.colour && (!meaning.subject || names)) {
			if (pending.colour) tint ??= shaded(pending);
			pending.colour = meaning.colour;
		} else if (meaning.subject) enter(meaning.subject.figure, meaning.subject.colour, plural);
		settle(meaning);
	}
	if (pending.colour) tint ??= shaded(pending);
	if (first.style === 'neon' && found.times.length === 0) found.times.push('night');
	const season = first.season ?? (found.weather.has('snow') ? 'winter' : undefined);
	const place = priority.find((candidate) => found.places.includes(candidate)) ?? homeOf(actors, found.weather);
	const time = found.times[0];
	return {
		...first,
		...(tint ? { tint } : {}),
		...(season ? { season } : {}),
		...(place ? { place } : {}),
		...(time ? { time } : {}),
		weather: [...found.weather],
		sky: [...found.sky],
		actors,
		strange,
	};
}

/** Whom the next role belongs to: who rides the horse wears the hat, unless the last actor stands alone. */
function leader(actors: readonly Actor[]): number {
	const last = actors.length - 1;
	return actors[last]?.role?.to ?? last;
}

function shaded({ colour, shade }: Pending): Hex | undefined {
	return colour && shade ? adjust(colour, shade) : colour;
}

const worn: ReadonlySet<FigureName> = new Set(['hat', 'crown', 'scarf', 'glasses']);

/** Some words name another thing in a hand or under a rider. */
const handy: Readonly<Record<string, FigureName>> = {
	'holding hotAirBalloon': 'toyBalloon',
	'inside sailboat': 'rowboat',
	'riding sailboat': 'rowboat',
};

/** Returns the default place of the actors, for prompts that name no place. */
function homeOf(actors: readonly Actor[], weather: ReadonlySet<Weather>): Place | undefined {
	const all = actors.map(({ figure }) => homes.get(figure));
	const vehicle = actors.findIndex(({ role }) => role?.relation === 'inside' || role?.relation === 'riding');
	const home = all.includes('sea') ? 'sea' : ((vehicle >= 0 ? all[vehicle] : undefined) ?? all.find(Boolean));
	if (weather.has('snow') && (!home || home === 'forest' || home === 'meadow')) return 'snowfield';
	return home ?? (actors.length > 0 ? 'meadow' : undefined);
}
