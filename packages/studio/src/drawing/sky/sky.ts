import { type PropName, prop } from '../props/props.ts';
import { lch, mix } from '../tools/colour.ts';
import { type Frame, glow } from '../tools/frame.ts';
import { unlit } from '../tools/light.ts';
import type { Random } from '../tools/random.ts';
import { box, disc, fill, group, path, stop } from '../tools/svg.ts';

/** Everything behind the land: gradient, luminary with its glow, stars, clouds, and what shines or arches there. */
export function paintSky(frame: Frame): string {
	const { light, scene, random, width, horizon, luminary } = frame;
	const has = (thing: (typeof scene.sky)[number]) => scene.sky.includes(thing);
	const parts = [gradient(frame), stars(frame, random.fork('stars'))];
	if (has('aurora')) parts.push(aurora(frame, random.fork('aurora')));
	const body = sunOrMoon(frame, random.fork('luminary'));
	const isNamed = has(light.luminary);
	if (!isNamed) parts.push(body);
	if (has('rainbow')) {
		const [x, height] = [width * (luminary.at[0] < width / 2 ? 0.72 : 0.28), Math.min(640, horizon * 0.97)];
		parts.push(group(prop(frame, 'rainbow', { at: [x, horizon + 90], height }), 'opacity="0.5"'));
	}
	if (has('comet')) {
		const chance = random.fork('comet');
		for (const height of [70, 110, 150]) {
			const at = [chance.between(0.2, 0.9) * width, chance.between(0.15, 0.55) * horizon] as const;
			parts.push(group(prop(frame, 'comet', { at, height }), 'opacity="0.8"'));
		}
	}
	parts.push(clouds(frame, random.fork('clouds')));
	if (isNamed) parts.push(body);
	if (scene.weather.includes('storm')) {
		const at = [random.fork('lightning').between(0.15, 0.85) * width, horizon] as const;
		const bolt = prop(frame, 'lightning', { at, height: horizon * 0.88, light: unlit(light) });
		parts.push(glow(frame, [at[0], horizon * 0.2], 420, '#dfe6ff', 0.5), bolt);
	} else if (light.time !== 'night' && scene.weather.length === 0 && random.chance(0.45)) {
		const chance = random.fork('flock');
		const at = [chance.between(0.2, 0.8) * width, chance.between(0.25, 0.6) * horizon] as const;
		const colour = mix(light.deep, light.sky[1], 0.3);
		parts.push(prop(frame, 'flock', { at, height: chance.between(60, 100), colour }));
	}
	return parts.join('');
}

function gradient({ light, definitions, width, height, horizon }: Frame): string {
	const [zenith, upper, lower, low] = light.sky;
	const stops = [stop(0, zenith), stop(0.4, upper), stop(0.75, lower), stop(1, low)];
	return fill(box(0, 0, width, height), definitions.linear(stops, { from: [0, 0], to: [0, horizon] }));
}

function stars({ light, scene, width, horizon }: Frame, random: Random): string {
	const share = Math.max(light.stars, scene.sky.includes('stars') ? 0.9 : 0);
	if (share < 0.05) return '';
	const area = (width * horizon) / 1e6;
	let [faint, clear, sparkles] = ['', '', ''];
	const [band, lean] = [random.between(0.3, 0.7) * width, random.between(-0.7, 0.7)];
	for (let index = 0; index < Math.min(700, 420 * area * share); index++) {
		const y = horizon * random.next() ** 1.35;
		const x = index % 3 === 0 ? width * random.next() : band + lean * y + (random.next() + random.next() - 1) * 260;
		const star = disc(x, y, 0.7 + random.next() ** 6 * 2.6);
		if (random.chance(0.4)) clear += star;
		else faint += star;
	}
	for (let index = 0; index < 7 * area * share; index++) {
		const [x, y, r] = [random.between(0, width), random.between(0, horizon * 0.7), random.between(5, 12)];
		sparkles += path`M${x} ${y - r}Q${x} ${y} ${x + r} ${y}Q${x} ${y} ${x} ${y + r}Q${x} ${y} ${x - r} ${y}Q${x} ${y} ${x} ${y - r}Z`;
	}
	const white = mix('#ffffff', light.glow, 0.2);
	return fill(faint, white, 0.45 * share) + fill(clear, white, 0.9 * share) + fill(sparkles, '#fffbe6', 0.9 * share);
}

function sunOrMoon(frame: Frame, random: Random): string {
	const { light, scene, luminary, definitions } = frame;
	const isHidden = scene.weather.some((weather) => weather === 'storm' || weather === 'fog' || weather === 'rain');
	const [[x, y], r] = [luminary.at, luminary.radius];
	const isSun = light.luminary === 'sun';
	const halo = glow(frame, luminary.at, 620, light.glow, (isSun ? 0.75 : 0.42) * (isHidden ? 0.5 : 1));
	if (isHidden && isSun) return halo;
	const rings = isHidden
		? ''
		: fill(disc(x, y, r * 2.3), light.disc, 0.07) + fill(disc(x, y, r * 1.6), light.disc, 0.11);
	const name: PropName = !scene.sky.includes('moon') && random.chance(0.35) ? 'crescent' : 'moon';
	const look = { at: [x, y + r], height: 2 * r, colour: light.disc, light: unlit(light) } as const;
	const sun = definitions.linear([stop(0, light.disc), stop(1, mix(light.disc, light.sky[3], 0.55))]);
	const face = isSun ? fill(disc(x, y, r), sun) : prop(frame, name, look);
	return halo + rings + group(face, isHidden ? 'opacity="0.55"' : '');
}

function clouds(frame: Frame, random: Random): string {
	const { light, scene, width, horizon, definitions } = frame;
	if (scene.weather.includes('clear')) return '';
	const isHeavy = scene.weather.some((weather) => weather === 'storm' || weather === 'rain');
	const isCloudy = isHeavy || scene.sky.includes('clouds') || scene.weather.includes('cloudy');
	const count = Math.min(40, (isCloudy ? 11 : random.whole(2, 5)) * Math.max(1, (width * horizon) / 700_000));
	const shapes: readonly [PropName, ...PropName[]] =
		random.chance(0.5) && !isHeavy ? ['barCloud'] : ['cloud', 'tallCloud'];
	const drawn: string[] = [];
	for (let index = 0; index < count; index++) {
		const down = index / count;
		const y = horizon * (isHeavy ? 0.1 + down * 0.5 : 0.16 + down * 0.66) + random.between(-30, 30);
		const size = (isHeavy ? 1.7 : 1.1) * random.between(0.5, 1.15) * (1.25 - down * 0.7);
		const behind = light.sky[y < horizon * 0.4 ? 1 : 2];
		const sunlit = mix(behind, mix(light.disc, light.glow, 0.3), light.luminary === 'sun' ? 0.62 : 0.2);
		const bright = isHeavy ? mix(light.sky[0], light.sky[2], 0.35 + down * 0.3) : sunlit;
		const stops = [
			stop(0, bright, 0.92),
			stop(0.65, mix(bright, behind, 0.45), isHeavy ? 0.75 : 0.55),
			stop(1, behind, 0),
		];
		const at = [random.between(-0.05, 1.05) * width, y] as const;
		const [height, stretch] = [size * 105, random.between(2, 2.8)];
		const own = { at, height, width: height * stretch };
		drawn.push(prop(frame, random.pick(shapes), { ...own, paint: definitions.linear(stops) }));
	}
	return drawn.join('');
}

/** Three veils of rays. */
function aurora({ horizon, width, definitions }: Frame, random: Random): string {
	const hue = random.between(140, 175);
	const veil = (_: unknown, index: number) => {
		const base = horizon * (0.42 + index * 0.16);
		const [swing, phase, pace] = [random.between(50, 110), random.between(0, 7), random.between(160, 260)];
		const [colour, violet] = [lch(0.82, 0.19, hue + index * 22), lch(0.62, 0.2, hue + 130)];
		const shine = stop(0.94, mix(colour, '#ffffff', 0.3), 0.62);
		const paint = definitions.linear([
			stop(0, violet, 0),
			stop(0.35, violet, 0.14),
			stop(0.8, colour, 0.5),
			shine,
			stop(1, colour, 0),
		]);
		let rays = '';
		const step = Math.max(13, width / 130);
		for (let x = -20; x < width + 20; x += step) {
			const y = base + Math.sin(x / pace + phase) * swing + Math.sin(x / (pace * 0.37) + phase) * swing * 0.35;
			const tall = random.between(170, 420) * (0.75 + 0.4 * Math.sin(x / 97 + index));
			const ray = path`M${x} ${y - tall}L${x + step * 2.1} ${y - tall * 0.93}L${x + step * 2.1} ${y + 8}L${x} ${y}Z`;
			rays += fill(ray, paint, random.between(0.35, 0.8));
		}
		return rays;
	};
	return Array.from({ length: 3 }, veil).join('');
}
