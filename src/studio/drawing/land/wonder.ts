/** Sculptures for words that nobody has taught: the same word always builds the same thing. */
import { type Hex, lch, mix } from '../colour.ts';
import type { Frame, Land } from '../frame.ts';
import { glow } from '../glow.ts';
import { lit } from '../light.ts';
import { seeded } from '../random.ts';
import { box, disc, fill, oval, polygon, round } from '../svg.ts';

export function sculptures(frame: Frame, land: Land, words: readonly string[], room: number): string {
	const names = words.slice(0, room);
	return names
		.map((name, index) => {
			const spread = names.length === 1 ? frame.random.between(0.36, 0.64) : 0.2 + (0.6 * (index + 0.5)) / names.length;
			const x = frame.width * spread + frame.random.between(-30, 30);
			const tall = Math.min(470, frame.height * 0.5) * (index === 0 ? 1 : frame.random.between(0.55, 0.85));
			return sculpture(frame, name, x, land.footing(x, index === 0 ? 0.3 : 0.7), tall, land.shadow);
		})
		.reverse()
		.join('');
}

function sculpture(frame: Frame, name: string, x: number, y: number, tall: number, shadow: Hex): string {
	const random = seeded(name);
	const hue = random.between(0, 360);
	const tones = [0, 34, 180, 210, 320].map((turn, index) =>
		lit(frame.light, lch(0.58 + (index % 3) * 0.11, 0.14, hue + turn)),
	);
	const dark = (tone: Hex) => mix(tone, frame.light.deep, 0.42);
	const right = frame.luminary.at[0] < x;
	const parts: string[] = [fill(oval(x, y, tall * 0.36, tall * 0.05), shadow, 0.55)];
	let top = y;
	let wide = tall * random.between(0.3, 0.44);
	const storeys = random.whole(3, 5);
	for (let storey = 0; storey < storeys; storey++) {
		const tone = random.pick(tones as [Hex, ...Hex[]]);
		const h = (tall / storeys) * random.between(0.7, 1.2);
		const half = wide / 2;
		const shaded = (path: string, cut: string) =>
			parts.push(
				fill(
					path,
					frame.definitions.linear([
						[0, mix(tone, frame.light.glow, 0.22)],
						[1, tone],
					]),
				),
				fill(cut, dark(tone), 0.6),
			);
		const side = right ? 1 : -1;
		switch (random.whole(0, 5)) {
			case 0:
				shaded(box(x - half, top - h, wide, h, 4), box(right ? x + half * 0.4 : x - half, top - h, half * 0.6, h, 4));
				break;
			case 1:
				shaded(
					disc(x, top - h / 2, h / 2),
					`M${round(x)} ${round(top - h)}A${round(h / 2)} ${round(h / 2)} 0 0 ${right ? 1 : 0} ${round(x)} ${round(top)}A${round(h * 0.7)} ${round(h * 0.7)} 0 0 ${right ? 0 : 1} ${round(x)} ${round(top - h)}Z`,
				);
				break;
			case 2:
				shaded(
					polygon([
						[x - half, top],
						[x, top - h],
						[x + half, top],
					]),
					polygon([
						[x, top - h],
						[x + side * half, top],
						[x + side * half * 0.2, top],
					]),
				);
				break;
			case 3:
				shaded(
					`M${round(x - half)} ${round(top)}V${round(top - h * 0.4)}A${round(half)} ${round(h * 0.6)} 0 0 1 ${round(x + half)} ${round(top - h * 0.4)}V${round(top)}H${round(x + half * 0.5)}V${round(top - h * 0.3)}A${round(half * 0.5)} ${round(h * 0.4)} 0 0 0 ${round(x - half * 0.5)} ${round(top - h * 0.3)}V${round(top)}Z`,
					box(right ? x + half * 0.5 : x - half, top - h * 0.5, half * 0.5, h * 0.5),
				);
				break;
			case 4:
				shaded(
					polygon([
						[x - half * 0.6, top],
						[x - half, top - h],
						[x + half, top - h],
						[x + half * 0.6, top],
					]),
					polygon([
						[x + side * half * 0.2, top],
						[x + side * half * 0.4, top - h],
						[x + side * half, top - h],
						[x + side * half * 0.6, top],
					]),
				);
				break;
			default:
				for (let ring = 0; ring < 3; ring++)
					shaded(
						box(x - half + ring * half * 0.18, top - (h / 3) * (ring + 1), wide - ring * half * 0.36, h / 3 - 3, 3),
						box(
							right ? x + half * 0.5 : x - half + ring * half * 0.18,
							top - (h / 3) * (ring + 1),
							half * 0.5 - ring * half * 0.18,
							h / 3 - 3,
							3,
						),
					);
		}
		top -= h;
		wide *= random.between(0.66, 0.95);
	}
	const orb = random.pick(tones as [Hex, ...Hex[]]);
	const r = tall * random.between(0.06, 0.1);
	parts.push(
		glow(frame, [x, top - r * 1.7], r * 4, mix(orb, '#ffffff', 0.4), 0.55),
		fill(disc(x, top - r * 1.7, r), mix(orb, '#ffffff', 0.45)),
	);
	const moons = random.whole(0, 4);
	for (let moon = 0; moon < moons; moon++) {
		const angle = (moon / moons) * Math.PI * 2 + random.between(0, 1);
		parts.push(
			fill(
				disc(
					x + Math.cos(angle) * tall * 0.34,
					top + tall * 0.3 + Math.sin(angle) * tall * 0.24,
					r * random.between(0.25, 0.5),
				),
				tones[moon % tones.length]!,
			),
		);
	}
	return parts.join('');
}
