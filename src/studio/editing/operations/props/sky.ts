import { css, type Rgb } from '../../colours.ts';
import type { Thing } from '../../operation.ts';
import { between, pick } from '../../random.ts';
import { starPoints } from '../outlines.ts';
import { at, bright, crowd, type Prop, scatter, spot } from './prop.ts';

/** Things in the sky. */
export const sky: Readonly<
	Record<Extract<Thing, 'stars' | 'moon' | 'sun' | 'rainbow' | 'lightning' | 'fireworks' | 'aurora' | 'birds'>, Prop>
> = {
	stars: {
		sky: true,
		blend: 'screen',
		draw: (stage) => {
			const { width, height, unit, random } = stage;
			const small = scatter(crowd(stage, 260), () => {
				const tint = pick<Rgb>(random, [
					[255, 255, 255],
					[255, 244, 220],
					[210, 226, 255],
				]);
				return `<circle cx="${random() * width}" cy="${random() * height}" r="${between(random, 0.09, 0.26) * unit}" fill="${css(tint, between(random, 0.4, 1))}"/>`;
			});
			const large = scatter(crowd(stage, 18), () => {
				const size = between(random, 0.9, 2.3) * unit;
				return `<polygon points="${starPoints(random() * width, random() * height * 0.7, size, 4, 0.1)}" fill="#fff"/>`;
			});
			return small + large;
		},
	},
	moon: {
		sky: true,
		draw: (stage) => {
			const { unit, random, amount } = stage;
			const { x, y } = at(stage, { x: between(random, 0.6, 0.9), y: between(random, 0.02, 0.12) }, 0.13);
			const r = 6.4 * unit * Math.sqrt(amount);
			const craters = [
				[-0.35, -0.2, 0.22],
				[0.25, -0.4, 0.13],
				[0.3, 0.2, 0.26],
				[-0.2, 0.42, 0.16],
				[-0.6, 0.25, 0.1],
			].map(
				([dx = 0, dy = 0, size = 0]) =>
					`<circle cx="${x + dx * r}" cy="${y + dy * r}" r="${size * r}" fill="rgba(180,184,196,.45)"/>`,
			);
			return `${spot(
				'halo',
				[206, 222, 255],
				[
					[0, 0.55],
					[0.3, 0.28],
					[1, 0],
				],
			)}<circle cx="${x}" cy="${y}" r="${r * 3.6}" fill="url(#halo)"/><circle cx="${x}" cy="${y}" r="${r}" fill="#f4f1e4"/>${craters.join('')}`;
		},
	},
	sun: {
		sky: true,
		draw: (stage) => {
			const { unit, random, amount } = stage;
			const { x, y } = at(stage, { x: between(random, 0.66, 0.92), y: between(random, 0.03, 0.12) }, 0.12);
			const r = 7.5 * unit * Math.sqrt(amount);
			return `${spot(
				'glow',
				[255, 226, 140],
				[
					[0, 0.95],
					[0.25, 0.6],
					[0.55, 0.2],
					[1, 0],
				],
			)}<circle cx="${x}" cy="${y}" r="${r * 4.2}" fill="url(#glow)"/><circle cx="${x}" cy="${y}" r="${r}" fill="#fff4c8"/>`;
		},
	},
	rainbow: {
		soft: 0.35,
		draw: (stage) => {
			const { width, height, unit, random, amount, place } = stage;
			const centre = width * (place ? 0.1 + place.x * 0.8 : between(random, 0.4, 0.6));
			const radius = Math.max(width * 0.48, unit * 40);
			const foot = height * (place && place.y > 0.6 ? 1.05 : 0.78);
			const opacity = Math.min(0.8, 0.5 * amount);
			const bands: readonly Rgb[] = [
				[255, 59, 48],
				[255, 149, 0],
				[255, 230, 32],
				[52, 208, 88],
				[42, 168, 255],
				[70, 85, 224],
				[155, 63, 216],
			];
			return bands
				.map((colour, index) => {
					const r = radius - index * 1.75 * unit;
					const stop = (offset: number, share: number) =>
						`<stop offset="${offset}" stop-color="${css(colour)}" stop-opacity="${opacity * share}"/>`;
					const gradient = `<linearGradient id="b${index}" gradientUnits="userSpaceOnUse" x1="0" x2="0" y1="${foot - radius}" y2="${foot}">${stop(0, 1)}${stop(0.6, 0.9)}${stop(1, 0)}</linearGradient>`;
					return `<defs>${gradient}</defs><path d="M${centre - r} ${foot}A${r} ${r} 0 0 1 ${centre + r} ${foot}" fill="none" stroke="url(#b${index})" stroke-width="${1.9 * unit}"/>`;
				})
				.join('');
		},
	},
	lightning: {
		blend: 'screen',
		draw: ({ width, height, unit, random, amount, place }) => {
			const bolt = (x: number, y: number, end: number, thickness: number): string => {
				let path = `M${x} ${y}`;
				let branches = '';
				while (y < end) {
					x += between(random, -5, 5.4) * unit;
					y += between(random, 2.5, 6.5) * unit;
					path += `L${x} ${y}`;
					if (random() < 0.16 && thickness > 0.4)
						branches += bolt(x, y, y + between(random, 8, 22) * unit, thickness * 0.45);
				}
				const line = (size: number, colour: string) =>
					`<path d="${path}" fill="none" stroke="${colour}" stroke-width="${size * unit}" stroke-linejoin="round"/>`;
				return (
					line(thickness * 5, 'rgba(150,160,255,.16)') +
					line(thickness * 2.4, 'rgba(180,190,255,.35)') +
					line(thickness, '#fff') +
					branches
				);
			};
			return scatter(1.4 * amount, () =>
				bolt(width * (place ? 0.15 + place.x * 0.7 : between(random, 0.2, 0.8)), 0, height * 0.66, 0.75),
			);
		},
	},
	fireworks: {
		draw: (stage) => {
			const { width, height, unit, random } = stage;
			return scatter(crowd(stage, 4), () => {
				const [x, y, size] = [
					between(random, 0.12, 0.88) * width,
					between(random, 0.1, 0.42) * height,
					between(random, 9, 19) * unit,
				];
				const colour = pick(random, bright);
				const rays = scatter(34, (index) => {
					const angle = (index / 34) * Math.PI * 2 + random() * 0.1;
					const reach = size * between(random, 0.7, 1);
					const [ex, ey] = [x + Math.cos(angle) * reach, y + Math.sin(angle) * reach + size * 0.09];
					return `<path d="M${x + Math.cos(angle) * reach * 0.25} ${y + Math.sin(angle) * reach * 0.25}Q${(x + ex) / 2} ${(y + ey) / 2 - size * 0.08} ${ex} ${ey}" stroke="${css(colour, 0.8)}" stroke-width="${0.3 * unit}" fill="none" stroke-linecap="round"/><circle cx="${ex}" cy="${ey}" r="${0.42 * unit}" fill="#fff"/>`;
				});
				return `<circle cx="${x}" cy="${y}" r="${size * 0.9}" fill="${css(colour, 0.12)}"/>${rays}`;
			});
		},
	},
	aurora: {
		sky: true,
		blend: 'screen',
		soft: 1.6,
		draw: (stage) => {
			const { width, height, random, amount } = stage;
			const gradient = (id: string, low: string, high: string) =>
				`<linearGradient id="${id}" x2="0" y2="1"><stop stop-color="${high}" stop-opacity="0"/><stop offset=".6" stop-color="${high}" stop-opacity=".4"/><stop offset=".92" stop-color="${low}" stop-opacity=".85"/><stop offset="1" stop-color="${low}" stop-opacity="0"/></linearGradient>`;
			const curtain = (index: number) => {
				const [base, swing, phase] = [
					between(random, 0.28, 0.5) * height,
					between(random, 0.05, 0.12) * height,
					random() * 7,
				];
				return scatter(90, (step) => {
					const x = (step / 90) * width;
					const y = base + Math.sin(step / 11 + phase) * swing + Math.sin(step / 4 + phase) * swing * 0.3;
					const tall = height * between(random, 0.2, 0.36);
					return `<rect x="${x}" y="${y - tall}" width="${width / 70}" height="${tall}" fill="url(#${index % 2 ? 'violet' : 'green'})" opacity="${between(random, 0.4, 0.8) * Math.min(1.3, amount)}"/>`;
				});
			};
			return `<defs>${gradient('green', '#3dffa0', '#28c8b8')}${gradient('violet', '#58ffc8', '#a45cff')}</defs>${scatter(3, curtain)}`;
		},
	},
	birds: {
		draw: (stage) => {
			const { width, height, unit, random } = stage;
			const [cx, cy] = [between(random, 0.25, 0.75) * width, between(random, 0.12, 0.3) * height];
			return scatter(crowd(stage, 9), () => {
				const s = between(random, 1, 2.6) * unit;
				const [x, y] = [cx + between(random, -0.24, 0.24) * width, cy + between(random, -0.1, 0.12) * height];
				return `<path d="M${x - s} ${y - s * 0.25}q${s * 0.55} ${-s * 0.45} ${s} ${s * 0.3}q${s * 0.45} ${-s * 0.75} ${s} ${-s * 0.3}" fill="none" stroke="rgba(22,24,34,.9)" stroke-width="${s * 0.17}" stroke-linecap="round"/>`;
			});
		},
	},
};
