/** The studio's artist: a prompt in, a PNG out. */

import { paintBoard } from './board.ts';
import { mix } from './colour.ts';
import { finish } from './finish.ts';
import type { Frame } from './frame.ts';
import { lands } from './land/index.ts';
import { sculptures } from './land/wonder.ts';
import { lightOf } from './light.ts';
import { type Random, seeded } from './random.ts';
import { type Place, readPrompt, type Scene, type Time } from './scene.ts';
import { paintSky } from './sky.ts';
import { perform, type Shot, shotOf } from './stage.ts';
import { box, definitions, fill, type Point, round, through } from './svg.ts';
import { residents } from './vocabulary/homes.ts';
import { paintWeather } from './weather.ts';

export interface DrawRequest {
	readonly prompt: string;
	/** Pixels, 64–2048 each. */
	readonly width: number;
	readonly height: number;
	/** 0 is the first picture of the prompt, others show the same scene differently. */
	readonly variation: number;
	/** Letters quoted text sharply instead of painting it. */
	readonly sharpText: boolean;
	readonly signal?: AbortSignal;
}

/**
 * Draws the scene that the prompt describes. The same words (case, spacing and punctuation aside), size, variation and
 * lettering give the same bytes; no prompt fails. Rasterising happens off the main thread.
 */
export async function draw(request: DrawRequest): Promise<Uint8Array> {
	request.signal?.throwIfAborted();
	const scene = inhabited(readPrompt(request.prompt), request.variation);
	const svg = compose(scene, request);
	return finish(
		svg,
		{ width: request.width, height: request.height, style: scene.style, mood: scene.mood },
		request.signal,
	);
}

/** Gives a place that the prompt names alone, but without a word unknown to us, a small resident. */
function inhabited(scene: Scene, variation: number): Scene {
	const lonely = scene.place && scene.actors.length === 0 && scene.strange.length === 0 && scene.quotes.length === 0;
	const choices = lonely && residents[scene.place!];
	if (!choices) return scene;
	const figure = seeded(scene.seed).shuffled(choices)[variation % choices.length] ?? choices[0];
	return { ...scene, actors: [{ figure, count: 1, scale: 0.62, aloft: false }] };
}

const times: readonly Time[] = ['golden', 'sunset', 'day', 'dawn', 'dusk', 'golden', 'day'];
const wonders: readonly Place[] = ['desert', 'meadow', 'mountains', 'clouds', 'lake', 'beach', 'moonscape', 'garden'];
const inTheDark: readonly (Place | undefined)[] = ['space', 'moonscape'];

function compose(scene: Scene, request: DrawRequest): string {
	const always = seeded(scene.seed);
	const random = seeded(`${scene.seed}/${request.variation}`);
	const place = scene.place ?? always.fork('place').shuffled(wonders)[0]!;
	const unsaid = always.fork('time').shuffled(times)[request.variation % times.length]!;
	const time = scene.time ?? (inTheDark.includes(place) ? 'night' : unsaid);
	const shot = shotOf(request.variation, random.fork('shot'));
	const frame = frameOf({ ...scene, place }, time, shot, request, random);
	const land = lands[place](frame);
	const enclosed = place === 'room' || place === 'underwater' || place === 'space';
	const strange =
		scene.actors.length === 0 && scene.quotes.length === 0 && (scene.place === undefined || scene.strange.length > 0)
			? scene.strange.length > 0
				? scene.strange
				: [scene.seed]
			: [];
	const parts = [
		enclosed ? '' : paintSky(frame),
		land.back,
		sculptures(frame, land, strange, scene.place ? 1 : 3),
		...scene.quotes
			.slice(0, 1)
			.filter(() => scene.actors.length === 0)
			.map((text) => paintBoard(frame, land, text, request.sharpText)),
		perform(frame, land, shot),
		land.front,
		paintWeather(frame),
		vignette(frame),
		...scene.quotes
			.slice(0, 1)
			.filter(() => scene.actors.length > 0)
			.map((text) => paintBoard(frame, land, text, request.sharpText)),
		border(frame),
	];
	return `<svg xmlns="http://www.w3.org/2000/svg" width="${request.width}" height="${request.height}" viewBox="0 0 ${frame.width} ${frame.height}" preserveAspectRatio="none">${frame.definitions}${parts.join('')}</svg>`;
}

function frameOf(scene: Scene, time: Time, shot: Shot, request: DrawRequest, random: Random): Frame {
	const unit = 1000 / Math.min(request.width, request.height);
	const [width, height] = [request.width * unit, request.height * unit];
	const light = lightOf(scene, time, random.fork('light'));
	const horizon = Math.max(height * random.between(0.52, 0.6), height - width * 0.75);
	const named = scene.sky.includes('moon') || scene.sky.includes('sun');
	const radius = random.between(50, 72) * (shot.backlit ? 2.3 : named ? 1.5 : 1);
	const across = shot.backlit ? shot.focus : shot.focus < 0.5 ? random.between(0.62, 0.84) : random.between(0.16, 0.38);
	const above = random.between(...light.altitude) * (shot.backlit ? 0.6 : 1);
	return {
		width,
		height,
		horizon,
		scene,
		light,
		random,
		definitions: definitions(),
		luminary: { at: [width * across, horizon * (1 - above)], radius },
	};
}

/** Darker corners keep the eye inside. */
function vignette(frame: Frame): string {
	const shade = mix(frame.light.deep, '#000000', 0.2);
	const strength =
		frame.scene.mood === 'dramatic' || frame.scene.mood === 'eerie' || frame.scene.style === 'noir' ? 0.55 : 0.3;
	const paint = frame.definitions.add(
		(id) =>
			`<radialGradient id="${id}" cx="0.5" cy="0.46" r="0.78"><stop offset="0.55" stop-color="${shade}" stop-opacity="0"/><stop offset="1" stop-color="${shade}" stop-opacity="${strength}"/></radialGradient>`,
	);
	return fill(box(0, 0, frame.width, frame.height), `url(#${paint})`);
}

/** Paper left bare: ragged about a watercolour, straight about a poster. */
function border(frame: Frame): string {
	const { style } = frame.scene;
	const { width, height } = frame;
	const paper = '#fbf6ea';
	const around = (inner: string, opacity: number) =>
		`<path fill-rule="evenodd" d="${box(-10, -10, width + 20, height + 20)}${inner}" fill="${paper}" opacity="${opacity}"/>`;
	if (style === 'poster' || style === 'vintage') return around(box(34, 34, width - 68, height - 68), 1);
	if (style !== 'watercolour') return '';
	const random = frame.random.fork('border');
	const ragged = (inset: number) => {
		const points: Point[] = [];
		const step = 80;
		const jitter = () => inset + random.between(-0.25, 0.35) * inset;
		for (let x = inset; x < width - inset; x += step) points.push([x, jitter()]);
		for (let y = inset; y < height - inset; y += step) points.push([width - jitter(), y]);
		for (let x = width - inset; x > inset; x -= step) points.push([x, height - jitter()]);
		for (let y = height - inset; y > inset; y -= step) points.push([jitter(), y]);
		return `M${points[0]!.map(round).join(' ')}${through([...points, points[0]!])}Z`;
	};
	return around(ragged(62), 0.45) + around(ragged(46), 0.6) + around(ragged(32), 0.95);
}
