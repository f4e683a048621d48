import contrary from './contrary.json' with { type: 'json' };
import type { SkyThing, Time } from './names.ts';
import type { Scene } from './scene.ts';

type Key = 'place' | 'time' | 'season' | 'weather' | 'sky' | 'mood' | 'style' | 'tint' | 'second' | 'framing';

/** All of a scene but its subjects, texts and operations. */
export type Surroundings = { [Name in Key]?: Readonly<Scene[Name]> | undefined };

/** Weather and things in the sky that end when another weather, season, time or thing in the sky comes. */
const CONTRARY: Readonly<Record<string, string | undefined>> = contrary;

const DARK: ReadonlySet<Time> = new Set(['dusk', 'night']);
const NEEDS_DARK: ReadonlySet<SkyThing> = new Set(['moon', 'stars', 'aurora', 'fireflies']);

/** Returns the scene without what contradicts a word, and without the word itself. */
function clearedFor(word: string, scene: Scene): Scene {
	const gone = [word, ...(CONTRARY[word]?.split(' ') ?? [])];
	const keeps = (one: string) => !gone.includes(one);
	return { ...scene, weather: scene.weather.filter(keeps), sky: scene.sky.filter(keeps) };
}

/** Returns the scene in other surroundings: what contradicts them ends, and the rest stays. */
export function withSurroundings(scene: Scene, to: Surroundings): Scene {
	const { place = scene.place, mood = scene.mood, style = scene.style, tint = scene.tint } = to;
	const { time, season, weather = [], sky = [] } = to;
	let result: Scene = { ...scene, place, mood, style, tint };
	if (season) {
		const isSnow = season === 'winter' && result.weather.includes('rain');
		const bare = season !== 'winter' && place === 'snowfield' ? 'meadow' : place;
		result = { ...clearedFor(season, result), season, place: bare };
		if (isSnow) result.weather = [...new Set([...result.weather, 'snow' as const])];
	}
	if (time) result = atTime(result, time);
	for (const one of weather) {
		result = clearedFor(one, result);
		result.weather.push(one);
	}
	for (const one of sky) {
		// The moon turns a day that was not asked for into night, and the sun a night into day.
		if (!time && NEEDS_DARK.has(one) && !DARK.has(result.time)) result = atTime(result, 'night');
		if (!time && one === 'sun' && DARK.has(result.time)) result = atTime(result, 'day');
		result = clearedFor(one, result);
		result.sky.push(one);
	}
	return result;
}

const atTime = (scene: Scene, time: Time): Scene => ({ ...clearedFor(time, scene), time });

/** Returns the scene without these surroundings: "no rain", "remove the moon". What is not there is passed over. */
export function withoutSurroundings(scene: Scene, gone: Surroundings): Scene {
	const words: unknown[] = Object.values(gone).flat();
	if (words.includes('snow') || words.includes('winter')) words.push('snow', 'winter', 'snowfield');
	const keeps = (one: unknown) => !words.includes(one);
	const left = (['season', 'mood', 'style', 'tint'] as const).filter((key) => !keeps(scene[key]));
	return {
		...scene,
		...Object.fromEntries(left.map((key) => [key, undefined])),
		weather: scene.weather.filter(keeps),
		sky: scene.sky.filter(keeps),
		place: keeps(scene.place) ? scene.place : 'meadow',
	};
}
