import { type Hex, lch, mix } from './colour.ts';
import type { Frame } from './frame.ts';
import type { Random } from './random.ts';
import { box, disc, fill, group, line, type Point, polygon, round, through } from './svg.ts';

/** Everything behind the land: gradient, luminary with its glow, stars, clouds, and what shines or arches there. */
export function paintSky(frame: Frame): string {
	const { light, scene, random } = frame;
	const parts = [gradient(frame), stars(frame, random.fork('stars'))];
	if (scene.sky.includes('aurora')) parts.push(aurora(frame, random.fork('aurora')));
	parts.push(luminary(frame, random.fork('luminary')));
	if (scene.sky.includes('rainbow')) parts.push(rainbow(frame));
	if (scene.sky.includes('comet')) parts.push(comet(frame, random.fork('comet')));
	parts.push(clouds(frame, random.fork('clouds')));
	if (scene.weather.includes('storm')) parts.push(lightning(frame, random.fork('lightning')));
	else if (light.time !== 'night' && scene.weather.length === 0 && random.chance(0.45))
		parts.push(flock(frame, random.fork('flock')));
	return parts.join('');
}

function gradient(frame: Frame): string {
	const { light, definitions, width, height, horizon } = frame;
	const [zenith, upper, lower, low] = light.sky;
	const paint = definitions.linear(
		[
			[0, zenith],
			[0.4, upper],
			[0.75, lower],
			[1, low],
		],
		{ from: [0, 0], to: [0, horizon] },
	);
	return fill(box(0, 0, width, height), paint);
}

/** A soft round light; `strength` is its opacity in the middle. */
export function glow(frame: Frame, at: Point, radius: number, colour: Hex, strength: number): string {
	const paint = frame.definitions.radial([
		[0, colour, strength],
		[0.35, colour, strength * 0.5],
		[0.7, colour, strength * 0.13],
		[1, colour, 0],
	]);
	return fill(disc(at[0], at[1], radius), paint);
}

function stars(frame: Frame, random: Random): string {
	const share = Math.max(frame.light.stars, frame.scene.sky.includes('stars') ? 0.9 : 0);
	if (share < 0.05) return '';
	const area = (frame.width * frame.horizon) / 1e6;
	const faint: string[] = [];
	const clear: string[] = [];
	const band = random.between(0.3, 0.7) * frame.width;
	const lean = random.between(-0.7, 0.7);
	for (let index = 0; index < Math.min(700, 420 * area * share); index++) {
		const y = frame.horizon * random.next() ** 1.35;
		const spread =
			index % 3 === 0 ? frame.width * random.next() : band + lean * y + (random.next() + random.next() - 1) * 260;
		const r = 0.7 + random.next() ** 6 * 2.6;
		(random.chance(0.4) ? clear : faint).push(disc(spread, y, r));
	}
	const sparkles: string[] = [];
	for (let index = 0; index < 7 * area * share; index++) {
		const [x, y, r] = [random.between(0, frame.width), random.between(0, frame.horizon * 0.7), random.between(5, 12)];
		sparkles.push(
			`M${x} ${y - r}Q${x} ${y} ${x + r} ${y}Q${x} ${y} ${x} ${y + r}Q${x} ${y} ${x - r} ${y}Q${x} ${y} ${x} ${y - r}Z`,
		);
	}
	const white = mix('#ffffff', frame.light.glow, 0.2);
	return (
		fill(faint.join(''), white, 0.45 * share) +
		fill(clear.join(''), white, 0.9 * share) +
		fill(sparkles.join(''), '#fffbe6', 0.9 * share)
	);
}

function luminary(frame: Frame, random: Random): string {
	const { light, scene, luminary: body } = frame;
	const hidden = scene.weather.some((weather) => weather === 'storm' || weather === 'fog' || weather === 'rain');
	const [x, y] = body.at;
	const strong = light.luminary === 'sun' ? 0.75 : 0.42;
	const halo = glow(frame, body.at, 620, light.glow, hidden ? strong * 0.5 : strong);
	if (hidden && light.luminary === 'sun') return halo;
	const rings = [2.3, 1.6]
		.map((times, index) => fill(disc(x, y, body.radius * times), light.disc, 0.07 + index * 0.04))
		.join('');
	const face = light.luminary === 'sun' ? sunFace(frame) : moonFace(frame, random);
	return halo + (hidden ? '' : rings) + group(face, hidden ? 'opacity="0.55"' : '');
}

function sunFace(frame: Frame): string {
	const { light, definitions, luminary: body } = frame;
	const [x, y] = body.at;
	const paint = definitions.linear([
		[0, light.disc],
		[1, mix(light.disc, light.sky[3], 0.55)],
	]);
	return fill(disc(x, y, body.radius), paint);
}

function moonFace(frame: Frame, random: Random): string {
	const { light, definitions, luminary: body } = frame;
	const [[x, y], r] = [body.at, body.radius];
	if (!frame.scene.sky.includes('moon') && random.chance(0.35)) {
		const tip = `M${x - r * 0.35} ${y - r}A${r} ${r} 0 1 0 ${x + r * 0.95} ${y + r * 0.35}A${r * 0.82} ${r * 0.82} 0 1 1 ${x - r * 0.35} ${y - r}Z`;
		return fill(tip, light.disc);
	}
	const paint = definitions.linear([
		[0, light.disc],
		[1, mix(light.disc, light.sky[1], 0.22)],
	]);
	const seas = [
		[-0.35, -0.25, 0.26],
		[0.2, -0.45, 0.16],
		[0.32, 0.12, 0.3],
		[-0.2, 0.42, 0.2],
		[-0.6, 0.2, 0.12],
		[0.1, 0.7, 0.1],
	].map(([dx = 0, dy = 0, size = 0]) => disc(x + dx * r, y + dy * r, size * r));
	return fill(disc(x, y, r), paint) + fill(seas.join(''), mix(light.disc, light.sky[1], 0.45), 0.4);
}

function clouds(frame: Frame, random: Random): string {
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
			[0, bright, heavy ? 0.95 : 0.9],
			[0.65, mix(bright, at, 0.45), heavy ? 0.75 : 0.55],
			[1, at, 0],
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

function flock(frame: Frame, random: Random): string {
	const [x, y] = [random.between(0.15, 0.8) * frame.width, random.between(0.2, 0.6) * frame.horizon];
	const wings: string[] = [];
	for (let bird = 0; bird < random.whole(3, 7); bird++) {
		const [bx, by, s] = [x + bird * random.between(18, 40), y + random.between(-34, 34), random.between(7, 14)];
		wings.push(
			`M${round(bx - s)} ${round(by - s * 0.5)}q${round(s * 0.6)} ${round(-s * 0.3)} ${round(s)} ${round(s * 0.5)}q${round(s * 0.4)} ${round(-s * 0.8)} ${round(s)} ${round(-s * 0.5)}`,
		);
	}
	return line(wings.join(''), mix(frame.light.deep, frame.light.sky[1], 0.3), 3, 0.75);
}

function aurora(frame: Frame, random: Random): string {
	const hue = random.between(140, 175);
	const veils: string[] = [];
	for (let veil = 0; veil < 3; veil++) {
		const base = frame.horizon * (0.42 + veil * 0.16);
		const [swing, phase, pace] = [random.between(50, 110), random.between(0, 7), random.between(160, 260)];
		const colour = lch(0.82, 0.19, hue + veil * 22);
		const violet = lch(0.62, 0.2, hue + 130);
		const paint = frame.definitions.linear([
			[0, violet, 0],
			[0.35, violet, 0.14],
			[0.8, colour, 0.5],
			[0.94, mix(colour, '#ffffff', 0.3), 0.62],
			[1, colour, 0],
		]);
		const rays: string[] = [];
		const step = Math.max(13, frame.width / 130);
		for (let x = -20; x < frame.width + 20; x += step) {
			const y = base + Math.sin(x / pace + phase) * swing + Math.sin(x / (pace * 0.37) + phase) * swing * 0.35;
			const tall = random.between(170, 420) * (0.75 + 0.4 * Math.sin(x / 97 + veil));
			rays.push(
				fill(
					polygon([
						[x, y - tall],
						[x + step * 2.1, y - tall * 0.93],
						[x + step * 2.1, y + 8],
						[x, y],
					]),
					paint,
					random.between(0.35, 0.8),
				),
			);
		}
		veils.push(rays.join(''));
	}
	return veils.join('');
}

function rainbow(frame: Frame): string {
	const [x, y] = [frame.width * (frame.luminary.at[0] < frame.width / 2 ? 0.72 : 0.28), frame.horizon + 90];
	const radius = Math.min(620, frame.horizon * 0.95);
	const bows = [25, 55, 95, 150, 225, 265, 310].map((hue, index) =>
		line(
			`M${x - radius + index * 15} ${y}A${radius - index * 15} ${radius - index * 15} 0 0 1 ${x + radius - index * 15} ${y}`,
			lch(0.78, 0.15, hue),
			15.5,
		),
	);
	return group(bows.join(''), 'opacity="0.5" stroke-linecap="butt"');
}

function comet(frame: Frame, random: Random): string {
	const tails: string[] = [];
	for (let index = 0; index < 3; index++) {
		const [x, y, length] = [
			random.between(0.2, 0.9) * frame.width,
			random.between(0.08, 0.5) * frame.horizon,
			random.between(120, 260),
		];
		const paint = frame.definitions.linear(
			[
				[0, '#ffffff', 0.95],
				[1, '#ffffff', 0],
			],
			{ from: [x, y], to: [x + length, y - length * 0.6] },
		);
		tails.push(
			fill(
				polygon([
					[x - 3, y + 2],
					[x + length, y - length * 0.6],
					[x + 2, y - 3],
				]),
				paint,
			),
			fill(disc(x, y, 4), '#ffffff'),
		);
	}
	return tails.join('');
}

function lightning(frame: Frame, random: Random): string {
	const bolts: string[] = [];
	for (let bolt = 0; bolt < random.whole(1, 2); bolt++) {
		let [x, y] = [random.between(0.15, 0.85) * frame.width, frame.horizon * 0.12];
		const main: Point[] = [[x, y]];
		const forks: string[] = [];
		while (y < frame.horizon * 0.98) {
			x += random.between(-55, 55);
			y += random.between(30, 70);
			main.push([x, y]);
			if (random.chance(0.28)) forks.push(`M${x} ${y}l${random.between(-60, 60)} 50l${random.between(-40, 40)} 60`);
		}
		const path = `M${main.map((point) => point.map(round).join(' ')).join('L')}`;
		bolts.push(
			glow(frame, main[1]!, 420, '#dfe6ff', 0.5),
			line(path, '#cdd6ff', 16, 0.22),
			line(forks.join(''), '#e8ecff', 3, 0.8),
			line(path, '#ffffff', 5.5),
		);
	}
	return bolts.join('');
}

export { through };
