/** Rain, snow, fog and all else between the viewer and the scene. */
import { type Hex, lch, mix } from '../tools/colour.ts';
import { type Frame, glow, scattered } from '../tools/frame.ts';
import { lit } from '../tools/light.ts';
import type { Random } from '../tools/random.ts';
import { box, disc, fill, line, oval, path, stop } from '../tools/svg.ts';

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

function snow(frame: Frame, random: Random): string {
	const flakes = (count: number, size: number, opacity: number) => {
		const flake = (x: number, y: number) => disc(x, y, size * random.between(0.7, 1.4));
		return fill(scattered(frame, random, count, [0, frame.height], flake), '#ffffff', opacity);
	};
	return flakes(170, 1.6, 0.75) + flakes(85, 3.4, 0.85) + flakes(45, 6.5, 0.6);
}

function rain(frame: Frame, random: Random): string {
	const { height, horizon, light, scene } = frame;
	const lean = scene.weather.includes('storm') ? 0.42 : 0.16;
	const colour = mix(light.sky[3], '#ffffff', 0.6);
	const drops = (count: number, [shortest, longest]: readonly [number, number]) =>
		scattered(frame, random, count, [-60, height], (x, y) => {
			const long = random.between(shortest, longest);
			return path`M${x} ${y}l${-long * lean} ${long}`;
		});
	const from = horizon + (height - horizon) * 0.4;
	const rings = scattered(frame, random, 26, [from, height], (x, y) => oval(x, y, random.between(14, 30), 3.5));
	return (
		line(drops(250, [20, 46]), colour, 1.4, 0.4) +
		line(drops(80, [50, 100]), colour, 2.6, 0.42) +
		line(rings, colour, 1.6, 0.35)
	);
}

function fog({ light, horizon, height, width, definitions }: Frame, random: Random, thickness = 1): string {
	const colour = mix(light.haze, '#ffffff', 0.25);
	const veil = definitions.linear([stop(0, colour, 0.1), stop(0.6, colour, 0.32 * thickness), stop(1, colour, 0.16)]);
	const paint = definitions.radial([
		stop(0, colour, 0.52 * thickness),
		stop(0.6, colour, 0.28 * thickness),
		stop(1, colour, 0),
	]);
	const banks = Array.from({ length: 6 }, () => {
		const y = horizon + random.between(-0.2, 0.5) * (height - horizon);
		const wide = Math.min(width, 1400) * random.between(0.4, 0.7);
		return fill(oval(random.next() * width, y, wide, random.between(50, 130)), paint);
	});
	return fill(box(0, 0, width, height), veil) + banks.join('');
}

/** Leaves in autumn, and petals. */
function leaves(frame: Frame, random: Random): string {
	const isAutumn = frame.scene.season === 'autumn';
	const colours: readonly Hex[] = isAutumn
		? ['#d9642c', '#efa02f', '#b93f2e', '#f2c14e']
		: ['#f7b7c8', '#fbd5dd', '#f29ab2'];
	const leaf = (x: number, y: number) => {
		const [s, turn] = [random.between(6, 15), random.between(0, Math.PI)];
		const [dx, dy] = [Math.cos(turn) * s, Math.sin(turn) * s];
		const tip = path`${x + dx} ${y + dy}`;
		return path`M${x - dx} ${y - dy}Q${x + dy} ${y - dx} ` + tip + path`Q${x - dy} ${y + dx} ${x - dx} ${y - dy}Z`;
	};
	const drawn = colours.map((colour) => {
		const all = scattered(frame, random, 38 / colours.length, [frame.horizon * 0.2, frame.height], leaf);
		return fill(all, lit(frame.light, colour), 0.9);
	});
	return drawn.join('');
}

function fireflies(frame: Frame, random: Random): string {
	const colour = lch(0.93, 0.13, random.between(70, 110));
	let lights = '';
	const flies = scattered(frame, random, 34, [frame.horizon * 0.55, frame.height], (x, y) => {
		const r = random.between(2, 5);
		lights += glow(frame, [x, y], r * 7, colour, 0.6);
		return disc(x, y, r);
	});
	return lights + fill(flies, '#fffde6');
}
