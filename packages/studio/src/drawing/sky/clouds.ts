import { mix } from '../tools/colour.ts';
import type { Frame } from '../tools/frame.ts';
import type { Random } from '../tools/random.ts';
import { box, disc, fill, stop } from '../tools/svg.ts';

export function clouds(frame: Frame, random: Random): string {
	const { light, scene, width, horizon, definitions } = frame;
	const heavy = scene.weather.some((weather) => weather === 'storm' || weather === 'rain');
	if (scene.weather.includes('clear')) return '';
	const cloudy = heavy || scene.sky.includes('clouds') || scene.weather.includes('cloudy');
	const count = Math.min(40, Math.round((cloudy ? 11 : random.whole(2, 5)) * Math.max(1, (width * horizon) / 700_000)));
	const bars = random.chance(0.5) && !heavy;
	const drawn: string[] = [];
	for (let index = 0; index < count; index++) {
		const height = index / count;
		const y = horizon * (heavy ? 0.02 + height * 0.5 : 0.12 + height * 0.66) + random.between(-30, 30);
		const size = (heavy ? 1.7 : 1.1) * random.between(0.5, 1.15) * (1.25 - height * 0.7);
		const x = random.between(-0.05, 1.05) * width;
		const at = light.sky[y < horizon * 0.4 ? 1 : 2];
		const bright = heavy
			? mix(light.sky[0], light.sky[2], 0.35 + height * 0.3)
			: mix(at, mix(light.disc, light.glow, 0.3), light.luminary === 'sun' ? 0.62 : 0.2);
		const paint = definitions.linear([
			stop(0, bright, heavy ? 0.95 : 0.9),
			stop(0.65, mix(bright, at, 0.45), heavy ? 0.75 : 0.55),
			stop(1, at, 0),
		]);
		drawn.push(fill(bars ? barCloud(random, x, y, size) : puffCloud(random, x, y, size), paint));
	}
	return drawn.join('');
}

function barCloud(random: Random, x: number, y: number, size: number): string {
	const rows = random.whole(2, 4);
	let path = '';
	for (let row = 0; row < rows; row++) {
		const w = size * random.between(110, 230) * (0.6 + row * 0.3);
		const h = size * 34;
		path += box(x - w / 2 + random.between(-50, 50) * size, y + row * h * 0.86, w, h, h / 2);
	}
	return path;
}

function puffCloud(random: Random, x: number, y: number, size: number): string {
	const half = size * random.between(90, 150);
	const lobes = random.whole(4, 6);
	let path = box(x - half, y - size * 26, half * 2, size * 52, size * 26);
	for (let lobe = 0; lobe < lobes; lobe++) {
		const across = (lobe + 0.5) / lobes;
		const r = size * (24 + 46 * Math.sin(across * Math.PI)) * random.between(0.8, 1.15);
		path += disc(x - half * 0.78 + across * half * 1.56, y - r * 0.45, r);
	}
	return path;
}
