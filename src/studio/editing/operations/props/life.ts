import { css, mix, type Rgb } from '../../colours.ts';
import type { Thing } from '../../operation.ts';
import { between, pick } from '../../random.ts';
import { heart } from '../outlines.ts';
import { at, bright, crowd, type Prop, scatter } from './prop.ts';

/** Things that gladden. */
export const life: Readonly<Record<Extract<Thing, 'hearts' | 'balloons' | 'butterflies' | 'flowers'>, Prop>> = {
	hearts: {
		draw: (stage) => {
			const { width, height, unit, random } = stage;
			return scatter(crowd(stage, 22), () => {
				const size = between(random, 0.03, 0.1) * unit;
				const colour = pick<Rgb>(random, [
					[255, 60, 100],
					[255, 110, 150],
					[232, 30, 80],
				]);
				return `<path transform="translate(${random() * width - size * 50} ${random() * height - size * 50}) rotate(${between(random, -25, 25)}) scale(${size})" d="${heart}" fill="${css(colour, between(random, 0.75, 0.97))}"/>`;
			});
		},
	},
	balloons: {
		draw: (stage) => {
			const { width, height, unit, random } = stage;
			return scatter(crowd(stage, 7), (index) => {
				const { x, y } =
					stage.place && index === 0
						? at(stage, stage.place, 0.15)
						: { x: between(random, 0.06, 0.94) * width, y: between(random, 0.1, 0.6) * height };
				const r = between(random, 4.5, 7.5) * unit;
				const colour = pick(random, bright);
				const string = `<path d="M${x} ${y + r * 1.3}q${r * 0.5} ${r} 0 ${r * 1.8}t0 ${r * 1.6}" fill="none" stroke="rgba(255,255,255,.75)" stroke-width="${0.22 * unit}"/>`;
				return `${string}<path d="M${x - r * 0.16} ${y + r * 1.36}h${r * 0.32}l${-r * 0.16} ${-r * 0.24}z" fill="${css(mix(colour, [0, 0, 0], 0.2))}"/><ellipse cx="${x}" cy="${y}" rx="${r}" ry="${r * 1.2}" fill="${css(colour)}"/><ellipse cx="${x + r * 0.15}" cy="${y + r * 0.25}" rx="${r * 0.8}" ry="${r * 0.92}" fill="rgba(0,0,0,.07)"/><ellipse cx="${x - r * 0.38}" cy="${y - r * 0.48}" rx="${r * 0.2}" ry="${r * 0.34}" transform="rotate(28 ${x - r * 0.38} ${y - r * 0.48})" fill="rgba(255,255,255,.6)"/>`;
			});
		},
	},
	butterflies: {
		draw: (stage) => {
			const { width, height, random, unit } = stage;
			return scatter(crowd(stage, 9), () => {
				const s = between(random, 0.9, 2) * unit;
				const fill = css(pick(random, bright), 0.95);
				const wing = `<path d="M0 0C1.2-2.6 3.4-2.4 3.2-.8C3 .4 1.4.5 0 .1C1.6.4 2.4 1.2 1.9 2.1C1.3 2.9.3 1.6 0 .2Z" fill="${fill}" stroke="rgba(20,16,30,.75)" stroke-width=".16"/>`;
				return `<g transform="translate(${random() * width} ${random() * height}) rotate(${between(random, -50, 50)}) scale(${s})">${wing}<g transform="scale(-1 1)">${wing}</g><path d="M0-1.1V1.5" stroke="#1b1626" stroke-width=".3" stroke-linecap="round"/></g>`;
			});
		},
	},
	flowers: {
		draw: (stage) => {
			const { width, height, unit, random } = stage;
			return scatter(crowd(stage, 44), () => {
				const low = random() ** 0.5;
				const [x, y, r] = [
					random() * width,
					height * (1.04 - 0.3 * (1 - low)),
					between(random, 0.9, 1.4) * (0.7 + low * 1.4) * unit,
				];
				const fill = css(
					pick<Rgb>(random, [
						[255, 158, 190],
						[255, 255, 255],
						[255, 214, 80],
						[190, 140, 255],
						[255, 110, 120],
					]),
				);
				const petals = Array.from(
					{ length: 6 },
					(_, index) =>
						`<ellipse cx="${x}" cy="${y - r}" rx="${r * 0.52}" ry="${r * 0.85}" transform="rotate(${index * 60} ${x} ${y})" fill="${fill}" stroke="rgba(0,0,0,.08)" stroke-width="${r * 0.06}"/>`,
				);
				return `<path d="M${x} ${y}q${r * 0.4} ${r * 3} 0 ${r * 6}" stroke="#3f7f3a" stroke-width="${r * 0.3}" fill="none"/>${petals.join('')}<circle cx="${x}" cy="${y}" r="${r * 0.5}" fill="#ffc83d"/>`;
			});
		},
	},
};
