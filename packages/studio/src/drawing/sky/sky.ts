import { mix } from '../tools/colour.ts';
import type { Frame } from '../tools/frame.ts';
import { glow } from '../tools/frame.ts';
import type { Random } from '../tools/random.ts';
import { box, disc, fill, group, line, round, stop } from '../tools/svg.ts';
import { clouds } from './clouds.ts';
import { aurora, comet, lightning, rainbow } from './sights.ts';

/** Everything behind the land: gradient, luminary with its glow, stars, clouds, and what shines or arches there. */
export function paintSky(frame: Frame): string {
	const { light, scene, random } = frame;
	const parts = [gradient(frame), stars(frame, random.fork('stars'))];
	if (scene.sky.includes('aurora')) parts.push(aurora(frame, random.fork('aurora')));
	const body = luminary(frame, random.fork('luminary'));
	const named = scene.sky.includes(light.luminary);
	if (!named) parts.push(body);
	if (scene.sky.includes('rainbow')) parts.push(rainbow(frame));
	if (scene.sky.includes('comet')) parts.push(comet(frame, random.fork('comet')));
	parts.push(clouds(frame, random.fork('clouds')));
	if (named) parts.push(body);
	if (scene.weather.includes('storm')) parts.push(lightning(frame, random.fork('lightning')));
	else if (light.time !== 'night' && scene.weather.length === 0 && random.chance(0.45))
		parts.push(flock(frame, random.fork('flock')));
	return parts.join('');
}

function gradient(frame: Frame): string {
	const { light, definitions, width, height, horizon } = frame;
	const [zenith, upper, lower, low] = light.sky;
	const paint = definitions.linear([stop(0, zenith), stop(0.4, upper), stop(0.75, lower), stop(1, low)], {
		from: [0, 0],
		to: [0, horizon],
	});
	return fill(box(0, 0, width, height), paint);
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
	const paint = definitions.linear([stop(0, light.disc), stop(1, mix(light.disc, light.sky[3], 0.55))]);
	return fill(disc(x, y, body.radius), paint);
}

function moonFace(frame: Frame, random: Random): string {
	const { light, definitions, luminary: body } = frame;
	const [[x, y], r] = [body.at, body.radius];
	if (!frame.scene.sky.includes('moon') && random.chance(0.35)) {
		const tip = `M${x - r * 0.35} ${y - r}A${r} ${r} 0 1 0 ${x + r * 0.95} ${y + r * 0.35}A${r * 0.82} ${r * 0.82} 0 1 1 ${x - r * 0.35} ${y - r}Z`;
		return fill(tip, light.disc);
	}
	const paint = definitions.linear([stop(0, light.disc), stop(1, mix(light.disc, light.sky[1], 0.22))]);
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
