/** Rain, snow, fog and all else between the viewer and the scene. */
import { type Hex, lch, mix } from '../tools/colour.ts';
import type { Frame } from '../tools/frame.ts';
import { glow } from '../tools/frame.ts';
import { lit } from '../tools/light.ts';
import type { Random } from '../tools/random.ts';
import { box, disc, fill, line, oval, round, stop } from '../tools/svg.ts';

export function paintWeather(frame: Frame): string {
	const { scene } = frame;
	if (['room', 'kitchen', 'table', 'stage', 'backdrop'].includes(scene.place)) return '';
	const random = frame.random.fork('weather');
	const parts: string[] = [];
	if (scene.weather.includes('fog')) parts.push(fog(frame, random));
	if (scene.place !== 'underwater' && scene.place !== 'space') {
		if (scene.weather.includes('snow')) parts.push(snow(frame, random));
		if (scene.weather.includes('rain') || scene.weather.includes('storm')) parts.push(rain(frame, random));
		const blowing =
			scene.sky.includes('leaves') ||
			(scene.season === 'autumn' && scene.weather.length === 0) ||
			(scene.season === 'spring' && scene.weather.length === 0);
		if (blowing) parts.push(leaves(frame, random));
	}
	if (scene.sky.includes('fireflies') || (scene.mood === 'dreamy' && frame.light.lamps > 0.2))
		parts.push(fireflies(frame, random));
	if (scene.mood === 'eerie' && !scene.weather.includes('fog')) parts.push(fog(frame, random, 0.45));
	return parts.join('');
}

/** Returns a count in proportion to the width of the picture. */
const times = (frame: Frame, count: number) =>
	Math.min(count * 4, Math.round((count * frame.width * frame.height) / 1e6));

function snow(frame: Frame, random: Random): string {
	const layers: [string[], string[], string[]] = [[], [], []];
	for (let flake = 0; flake < times(frame, 300); flake++) {
		const layer = flake % 7 === 0 ? 2 : flake % 3 === 0 ? 1 : 0;
		const r = [1.6, 3.4, 6.5][layer]! * random.between(0.7, 1.4);
		layers[layer]!.push(disc(random.between(0, frame.width), random.between(0, frame.height), r));
	}
	return layers.map((flakes, index) => fill(flakes.join(''), '#ffffff', [0.75, 0.85, 0.6][index]!)).join('');
}

function rain(frame: Frame, random: Random): string {
	const lean = frame.scene.weather.includes('storm') ? 0.42 : 0.16;
	const near: string[] = [];
	const far: string[] = [];
	for (let drop = 0; drop < times(frame, 330); drop++) {
		const [x, y] = [random.between(-100, frame.width + 200), random.between(-60, frame.height)];
		const long = drop % 4 === 0 ? random.between(50, 100) : random.between(20, 46);
		(drop % 4 === 0 ? near : far).push(`M${round(x)} ${round(y)}l${round(-long * lean)} ${round(long)}`);
	}
	const colour = mix(frame.light.sky[3], '#ffffff', 0.6);
	const rings: string[] = [];
	for (let ring = 0; ring < times(frame, 26); ring++) {
		const y = random.between(frame.horizon + (frame.height - frame.horizon) * 0.4, frame.height);
		rings.push(oval(random.between(0, frame.width), y, 14 + random.between(0, 16), 3.5));
	}
	return (
		line(far.join(''), colour, 1.4, 0.4) +
		line(near.join(''), colour, 2.6, 0.42) +
		line(rings.join(''), colour, 1.6, 0.35)
	);
}

function fog(frame: Frame, random: Random, thickness = 1): string {
	const colour = mix(frame.light.haze, '#ffffff', 0.25);
	const banks: string[] = [];
	for (let bank = 0; bank < 6; bank++) {
		const y = frame.horizon + random.between(-0.2, 0.5) * (frame.height - frame.horizon);
		const paint = frame.definitions.radial([
			stop(0, colour, 0.52 * thickness),
			stop(0.6, colour, 0.28 * thickness),
			stop(1, colour, 0),
		]);
		banks.push(
			fill(
				oval(
					random.between(0, 1) * frame.width,
					y,
					Math.min(frame.width, 1400) * random.between(0.4, 0.7),
					random.between(50, 130),
				),
				paint,
			),
		);
	}
	const veil = frame.definitions.linear([
		stop(0, colour, 0.1),
		stop(0.6, colour, 0.32 * thickness),
		stop(1, colour, 0.16),
	]);
	return fill(box(0, 0, frame.width, frame.height), veil) + banks.join('');
}

function leaves(frame: Frame, random: Random): string {
	const hues: readonly Hex[] =
		frame.scene.season === 'autumn' ? ['#d9642c', '#efa02f', '#b93f2e', '#f2c14e'] : ['#f7b7c8', '#fbd5dd', '#f29ab2'];
	const drawn: string[] = [];
	for (let leaf = 0; leaf < times(frame, 38); leaf++) {
		const [x, y, s] = [
			random.between(0, frame.width),
			random.between(frame.horizon * 0.2, frame.height),
			random.between(6, 15),
		];
		drawn.push(
			`<path transform="rotate(${Math.round(random.between(0, 360))} ${round(x)} ${round(y)})" d="M${round(x - s)} ${round(y)}Q${round(x)} ${round(y - s * 0.9)} ${round(x + s)} ${round(y)}Q${round(x)} ${round(y + s * 0.9)} ${round(x - s)} ${round(y)}Z" fill="${lit(frame.light, random.pick(hues as [Hex, ...Hex[]]))}" opacity="0.9"/>`,
		);
	}
	return drawn.join('');
}

function fireflies(frame: Frame, random: Random): string {
	const colour = lch(0.93, 0.13, random.between(70, 110));
	const drawn: string[] = [];
	for (let fly = 0; fly < times(frame, 34); fly++) {
		const [x, y, r] = [
			random.between(0, frame.width),
			random.between(frame.horizon * 0.55, frame.height),
			random.between(2, 5),
		];
		drawn.push(glow(frame, [x, y], r * 7, colour, 0.6) + fill(disc(x, y, r), '#fffde6'));
	}
	return drawn.join('');
}
