import { css, mix, type Rgb } from '../../colours.ts';
import type { Thing } from '../../operation.ts';
import { between, pick } from '../../random.ts';
import { starPoints } from '../outlines.ts';
import { at, bright, crowd, type Prop, scatter, spot } from './prop.ts';

/** Things that fall, float or shine between the picture and its viewer. */
export const air: Readonly<
	Record<
		Extract<
			Thing,
			| 'snow'
			| 'rain'
			| 'leaves'
			| 'confetti'
			| 'bubbles'
			| 'sparkles'
			| 'light rays'
			| 'bokeh'
			| 'lens flare'
			| 'grid'
			| 'scanlines'
		>,
		Prop
	>
> = {
	snow: {
		draw: (stage) => {
			const { width, height, unit, random } = stage;
			const flakes = scatter(crowd(stage, 330), () => {
				const near = random() ** 3;
				const r = (0.18 + near * 1.1) * unit;
				const place = `cx="${random() * width}" cy="${random() * height}"`;
				return near > 0.35
					? `<circle ${place} r="${r * 1.5}" fill="url(#flake)"/>`
					: `<circle ${place} r="${r}" fill="rgba(255,255,255,${between(random, 0.55, 0.95).toFixed(2)})"/>`;
			});
			return (
				spot(
					'flake',
					[255, 255, 255],
					[
						[0, 0.95],
						[0.5, 0.7],
						[1, 0],
					],
				) + flakes
			);
		},
	},
	rain: {
		draw: (stage) => {
			const { width, height, unit, random } = stage;
			return scatter(crowd(stage, 420), () => {
				const near = random();
				const length = (2.5 + near * 6) * unit;
				const [x, y] = [random() * width * 1.1, random() * height * 1.1 - length];
				return `<path d="M${x} ${y}l${-length * 0.2} ${length}" stroke="rgba(214,228,244,${(0.16 + near * 0.34).toFixed(2)})" stroke-width="${(0.1 + near * 0.16) * unit}" stroke-linecap="round"/>`;
			});
		},
	},
	leaves: {
		draw: (stage) => {
			const { width, height, unit, random } = stage;
			return scatter(crowd(stage, 34), () => {
				const s = between(random, 0.8, 2.4) * unit;
				const colour = pick<Rgb>(random, [
					[214, 96, 28],
					[236, 152, 36],
					[186, 50, 34],
					[240, 190, 60],
					[150, 84, 30],
				]);
				return `<g transform="translate(${random() * width} ${random() * height}) rotate(${random() * 360}) scale(${s})"><path d="M0-1.7C1.3-.9 1.2.7 0 1.7C-1.2.7-1.3-.9 0-1.7Z" fill="${css(colour, 0.95)}"/><path d="M0-1.4V2.1" stroke="${css(mix(colour, [60, 20, 0], 0.5))}" stroke-width=".13"/></g>`;
			});
		},
	},
	confetti: {
		draw: (stage) => {
			const { width, height, unit, random } = stage;
			return scatter(crowd(stage, 130), () => {
				const [x, y] = [random() * width, random() ** 1.25 * height];
				const fill = css(pick(random, bright));
				const [w, h] = [between(random, 0.8, 2) * unit, between(random, 0.5, 1.1) * unit];
				const turn = `rotate(${random() * 360} ${x} ${y})`;
				return random() < 0.3
					? `<circle cx="${x}" cy="${y}" r="${w * 0.45}" fill="${fill}"/>`
					: `<rect x="${x}" y="${y}" width="${w}" height="${h}" rx="${h * 0.15}" transform="${turn}" fill="${fill}"/>`;
			});
		},
	},
	bubbles: {
		draw: (stage) => {
			const { width, height, unit, random } = stage;
			const gradient = `<defs><radialGradient id="film"><stop offset=".7" stop-color="#fff" stop-opacity=".04"/><stop offset=".9" stop-color="#bfe8ff" stop-opacity=".3"/><stop offset=".97" stop-color="#ffc8f4" stop-opacity=".55"/><stop offset="1" stop-color="#fff" stop-opacity=".2"/></radialGradient></defs>`;
			return (
				gradient +
				scatter(crowd(stage, 22), () => {
					const [x, y, r] = [random() * width, random() * height, between(random, 1.5, 7) * unit];
					return `<circle cx="${x}" cy="${y}" r="${r}" fill="url(#film)"/><ellipse cx="${x - r * 0.4}" cy="${y - r * 0.45}" rx="${r * 0.2}" ry="${r * 0.12}" transform="rotate(-40 ${x - r * 0.4} ${y - r * 0.45})" fill="rgba(255,255,255,.85)"/>`;
				})
			);
		},
	},
	sparkles: {
		blend: 'screen',
		draw: (stage) => {
			const { width, height, unit, random } = stage;
			const glow = spot(
				'twinkle',
				[255, 240, 190],
				[
					[0, 0.9],
					[0.3, 0.35],
					[1, 0],
				],
			);
			return (
				glow +
				scatter(crowd(stage, 46), () => {
					const [x, y, size] = [random() * width, random() * height, (0.8 + random() ** 2 * 3.4) * unit];
					return `<circle cx="${x}" cy="${y}" r="${size}" fill="url(#twinkle)"/><polygon points="${starPoints(x, y, size * 1.25, 4, 0.09)}" fill="#fffbe8"/>`;
				})
			);
		},
	},
	'light rays': {
		soft: 1.4,
		draw: (stage) => {
			const { width, height, random, amount } = stage;
			const [x, y] = [stage.place ? stage.place.x * width : between(random, 0, 0.3) * width, -height * 0.1];
			const reach = Math.hypot(width, height) * 1.3;
			return `<defs><radialGradient id="ray" gradientUnits="userSpaceOnUse" cx="${x}" cy="${y}" r="${reach}"><stop stop-color="#fff0bd" stop-opacity=".8"/><stop offset="1" stop-color="#ffe6a8" stop-opacity="0"/></radialGradient></defs>${scatter(
				11,
				() => {
					const [angle, spread] = [between(random, 0.12, 1.35), between(random, 0.015, 0.06)];
					const tip = (turn: number) => `${x + Math.cos(turn) * reach} ${y + Math.sin(turn) * reach}`;
					return `<path d="M${x} ${y}L${tip(angle - spread)}L${tip(angle + spread)}Z" fill="url(#ray)" opacity="${between(random, 0.3, 0.7) * Math.min(1.4, amount)}"/>`;
				},
			)}`;
		},
	},
	bokeh: {
		blend: 'screen',
		soft: 0.25,
		draw: (stage) => {
			const { width, height, unit, random } = stage;
			return scatter(crowd(stage, 34), () => {
				const colour = pick<Rgb>(random, [
					[255, 214, 150],
					[255, 180, 120],
					[180, 220, 255],
					[255, 200, 230],
				]);
				const place = `cx="${random() * width}" cy="${random() * height}" r="${between(random, 1.5, 6.5) * unit}"`;
				return `<circle ${place} fill="${css(colour, between(random, 0.12, 0.36))}" stroke="${css(colour, 0.3)}" stroke-width="${0.2 * unit}"/>`;
			});
		},
	},
	'lens flare': {
		blend: 'screen',
		draw: (stage) => {
			const { width, height, unit, random } = stage;
			const { x, y } = at(stage, { x: between(random, 0.05, 0.3), y: between(random, 0.02, 0.2) }, 0.06);
			const along = (share: number, r: number, colour: Rgb, opacity: number) =>
				`<circle cx="${x + (width - 2 * x) * share}" cy="${y + (height - 2 * y) * share}" r="${r * unit}" fill="${css(colour, opacity)}"/>`;
			return `${spot(
				'flare',
				[255, 240, 205],
				[
					[0, 1],
					[0.12, 0.75],
					[0.4, 0.2],
					[1, 0],
				],
			)}<circle cx="${x}" cy="${y}" r="${38 * unit}" fill="url(#flare)"/><ellipse cx="${x}" cy="${y}" rx="${70 * unit}" ry="${0.7 * unit}" fill="rgba(190,220,255,.5)"/>${along(0.35, 3, [120, 255, 200], 0.2)}${along(0.55, 6, [255, 170, 90], 0.16)}${along(0.8, 2, [150, 180, 255], 0.3)}${along(1.05, 9, [190, 130, 255], 0.13)}`;
		},
	},
	grid: {
		draw: ({ width, height, unit, amount }) => {
			const step = 10 * unit;
			const lines = (length: number, path: (at: number) => string) =>
				Array.from({ length: Math.floor(length / step) + 1 }, (_, index) => path(index * step)).join('');
			return `<path d="${lines(width, (x) => `M${x} 0V${height}`)}${lines(height, (y) => `M0 ${y}H${width}`)}" stroke="rgba(255,255,255,.6)" stroke-width="${0.25 * unit * amount}"/>`;
		},
	},
	scanlines: {
		draw: ({ width, height, unit, amount }) => {
			const step = Math.max(2, unit * 0.7);
			const count = Math.min(900, Math.floor(height / step));
			const path = Array.from({ length: count }, (_, index) => `M0 ${(index + 0.5) * (height / count)}H${width}`).join(
				'',
			);
			return `<path d="${path}" stroke="rgba(0,10,20,${Math.min(0.7, 0.38 * amount)})" stroke-width="${step / 2}"/>`;
		},
	},
};
