import type { Season, SkyThing, Time, Weather } from './names.ts';
import type { Scene } from './scene.ts';

type Key = 'place' | 'time' | 'season' | 'weather' | 'sky' | 'mood' | 'style' | 'tint' | 'second' | 'framing';

/** All of a scene but its subjects, texts and operations. */
export type Surroundings = { [Name in Key]?: Readonly<Scene[Name]> | undefined };

/** Weather that cannot be together with another one. */
const CONTRARY: Readonly<Record<Weather, readonly Weather[]>> = {
	clear: ['snow', 'rain', 'storm', 'fog', 'cloudy'],
	snow: ['rain', 'clear'],
	rain: ['snow', 'clear'],
	storm: ['snow', 'clear', 'fog'],
	fog: ['clear', 'storm'],
	cloudy: ['clear'],
	wind: [],
};

const DARK: ReadonlySet<Time> = new Set(['dusk', 'night']);
const OF_THE_NIGHT: ReadonlySet<SkyThing> = new Set(['moon', 'stars', 'aurora', 'fireflies', 'comet']);

const without = <Item>(items: readonly Item[], gone: (item: Item) => boolean) => items.filter((item) => !gone(item));

/** Returns the scene in other surroundings: what contradicts them ends, and the rest stays. */
export function withSurroundings(scene: Scene, to: Surroundings): Scene {
	const { place, time, season, weather = [], sky = [], mood, style, tint } = to;
	let result: Scene = {
		...scene,
		place: place ?? scene.place,
		mood: mood ?? scene.mood,
		style: style ?? scene.style,
		tint: tint ?? scene.tint,
	};
	if (season) result = inSeason(result, season);
	if (time) result = atTime(result, time);
	for (const one of weather) result = inWeather(result, one);
	for (const one of sky) result = withInSky(result, one, time !== undefined);
	return result;
}

function inSeason(scene: Scene, season: Season): Scene {
	if (season === 'winter') {
		const weather = scene.weather.map((one) => (one === 'rain' ? 'snow' : one));
		return { ...scene, season, weather: [...new Set(weather)], sky: without(scene.sky, (one) => one === 'leaves') };
	}
	return {
		...scene,
		season,
		place: scene.place === 'snowfield' ? 'meadow' : scene.place,
		weather: without(scene.weather, (one) => one === 'snow'),
		sky: season === 'autumn' ? scene.sky : without(scene.sky, (one) => one === 'leaves'),
	};
}

function atTime(scene: Scene, time: Time): Scene {
	const sky = without(scene.sky, (one) =>
		DARK.has(time) ? one === 'sun' || one === 'rainbow' : OF_THE_NIGHT.has(one),
	);
	return { ...scene, time, sky };
}

function inWeather(scene: Scene, weather: Weather): Scene {
	const contrary = CONTRARY[weather];
	const kept = without(scene.weather, (one) => one === weather || contrary.includes(one));
	const covered = contrary.includes('clear');
	const sky = without(scene.sky, (one) =>
		weather === 'clear' ? one === 'clouds' : covered && (one === 'sun' || one === 'stars'),
	);
	return { ...scene, weather: [...kept, weather], sky };
}

/** Adds a thing in the sky, which is there once: a second moon is the moon. The moon turns a day that was not asked for into night. */
function withInSky(scene: Scene, thing: SkyThing, timeIsNamed: boolean): Scene {
	const needsDark = ['moon', 'stars', 'aurora', 'fireflies'].includes(thing);
	const inLight = needsDark && !timeIsNamed && !DARK.has(scene.time) ? atTime(scene, 'night') : scene;
	const inDark = thing === 'sun' && !timeIsNamed && DARK.has(inLight.time) ? atTime(inLight, 'day') : inLight;
	const hidden = inDark.weather.some((one) => CONTRARY[one].includes('clear'));
	const weather =
		hidden && (needsDark || thing === 'sun')
			? without(inDark.weather, (one) => one === 'storm' || one === 'cloudy' || one === 'fog')
			: inDark.weather;
	return { ...inDark, weather, sky: [...without(inDark.sky, (one) => one === thing), thing] };
}

/** Returns the scene without these surroundings: "no rain", "remove the moon". What is not there is passed over. */
export function withoutSurroundings(scene: Scene, gone: Surroundings): Scene {
	const weather = new Set(gone.weather);
	const noSnow = weather.has('snow') || gone.season === 'winter';
	const kept = <Key extends 'season' | 'mood' | 'style' | 'tint'>(key: Key) =>
		gone[key] === scene[key] ? undefined : scene[key];
	return {
		...scene,
		season: noSnow && scene.season === 'winter' ? undefined : kept('season'),
		mood: kept('mood'),
		style: kept('style'),
		tint: kept('tint'),
		place: noSnow && scene.place === 'snowfield' ? 'meadow' : scene.place,
		weather: without(scene.weather, (one) => weather.has(one) || (noSnow && one === 'snow')),
		sky: without(scene.sky, (one) => gone.sky?.includes(one) ?? false),
	};
}
