import { figures, shows } from '../drawing/subjects/figures.ts';
import { legible } from '../drawing/tools/lettering.ts';
import { seeded } from '../drawing/tools/random.ts';
import { isMark, type Place, type Time } from '../scene/names.ts';
import { emptyScene, related, renumbered, type Scene, type Subject } from '../scene/scene.ts';
import { inEnglish } from './english.ts';
import { settings } from './lexicon.ts';
import { type Absence, readPhrases } from './read-phrases.ts';
import homeTable from './vocabulary/homes.json' with { type: 'json' };

/** Times that a prompt without one is shown at, in the order of its variations. The first picture has one of the first, which are bright. */
const TIMES: readonly Time[] = ['day', 'golden', 'dawn', 'sunset', 'day', 'golden', 'dusk'];
const FIRST_TIMES = 3;
const DARK: ReadonlySet<Place> = new Set(['space', 'moonscape']);

/** Reads a prompt into a scene, and into the words that mean nothing here, as they were written. Every text has a scene, the empty one too. */
export function readPrompt(prompt: string, variation: number): { scene: Scene; notUnderstood: string[] } {
	const { subjects, surroundings, absent, texts: written, notUnderstood: unknown } = readPhrases(prompt);
	const legibles = written.map(legible);
	const texts = legibles.flatMap(({ text }) => text || []);
	const seed = seedOf(prompt);
	const random = seeded(seed);
	const { place: named, time: said, season, weather = [], sky = [], style, framing } = surroundings;
	const gone = new Set(absent.flatMap(({ season, weather, sky }) => [season, weather, sky]));
	const present = bearersFirst(withoutAbsent(subjects, absent));
	const saysNothing =
		present.length === 0 && texts.length === 0 && !said && !season && weather.length === 0 && sky.length === 0;
	// Boats and whales need water, and the lake has mountains behind it.
	const isAfloat = present.some(({ figure, aloft }) => figures[figure].habitat === 'water' && !aloft);
	// An empty room or meadow says less of a subject that has no drawing than colours and shapes in its mood.
	const isMissing = present.length === 0 && unknown.length > 0;
	const isBare = isMissing && (named === undefined || ['room', 'meadow', 'backdrop', 'table'].includes(named));
	const framed =
		framing && framing !== 'meme' && (isMark(framing) || !named || named === 'room' || named === 'abstract')
			? 'backdrop'
			: named;
	const place =
		(named === 'mountains' && isAfloat ? 'lake' : isBare && !isMark(framing) ? 'abstract' : framed) ??
		homeOf(present, weather.includes('snow')) ??
		(saysNothing ? 'abstract' : 'meadow');
	const drawnTime = TIMES[(random.whole(0, FIRST_TIMES - 1) + variation) % TIMES.length] as Time;
	const time = said ?? (DARK.has(place) ? 'night' : style === 'neon' ? 'night' : drawnTime);
	const scene: Scene = {
		...emptyScene(seed),
		...surroundings,
		variation,
		place,
		time,
		season: gone.has(season) ? undefined : season,
		weather: weather.filter((each) => !gone.has(each)),
		sky: sky.filter((each) => !gone.has(each)),
		subjects: present,
		texts,
	};
	const shown = new Set([...present.flatMap(({ figure }) => shows(figure)), ...shownIn(place)]);
	const leftOut = unknown.filter((word) => !shown.has(inEnglish(word).toLowerCase()));
	return { scene, notUnderstood: [...leftOut, ...legibles.flatMap(({ leftOut }) => leftOut)] };
}

/** What is to be seen of itself in a place. */
const shownIn = (place: Place): readonly string[] =>
	(settings.shown as Readonly<Partial<Record<Place, string>>>)[place]?.split(', ') ?? [];

/** Returns the words without what makes no difference to a reader: case, spacing, punctuation. */
function seedOf(prompt: string): string {
	const words =
		prompt
			.toWellFormed()
			.normalize('NFKC')
			.toLowerCase()
			.match(/[\p{L}\p{N}\p{So}]+/gu) ?? [];
	return words.join(' ').slice(0, 4000);
}

function withoutAbsent(subjects: readonly Subject[], absent: readonly Absence[]): Subject[] {
	const isAbsent = ({ figure, name }: Subject) =>
		absent.some((absence) => absence.subject?.figure === figure && name.includes(absence.name));
	return related(subjects.filter((subject) => !isAbsent(subject)));
}

/** Gives the lowest ids to subjects that stand to no other one: the lower the id, the more prominent the place in the picture. */
function bearersFirst(subjects: readonly Subject[]): Subject[] {
	const [first, others] = [subjects.filter((each) => !each.relation), subjects.filter((each) => each.relation)];
	const ids = new Map([...first, ...others].map(({ id }, index) => [id, index + 1]));
	return renumbered(subjects, (id) => ids.get(id));
}

/** Places of subjects whose prompt names none; all others stand in a meadow. */
const HOMES: ReadonlyMap<string, Place> = new Map(
	Object.entries(homeTable).flatMap(([place, names]) =>
		names.split(' ').map((figure) => [figure, place as Place] as const),
	),
);

/** Returns the usual place of what is there, for prompts that name none. */
function homeOf(subjects: readonly Subject[], isSnowing: boolean): Place | undefined {
	const all = subjects.map(({ figure }) => HOMES.get(figure));
	// Somebody with a book under a tree is not in a room.
	const own = all.filter((_, index) => !subjects[index]?.relation?.kind.endsWith(' by'));
	const vehicle = subjects.find(({ relation }) => relation?.kind === 'on' || relation?.kind === 'in')?.relation?.to;
	const carrier = subjects.findIndex(({ id }) => id === vehicle);
	const home = all.includes('sea') ? 'sea' : (all[carrier] ?? [...own, ...all].find(Boolean));
	if (isSnowing && (!home || home === 'forest' || home === 'meadow')) return 'snowfield';
	return home ?? (subjects.length > 0 ? 'meadow' : undefined);
}
