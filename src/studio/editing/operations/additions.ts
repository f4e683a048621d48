import { css, mix, type Rgb } from '../colours.ts';
import { blurred, byte } from '../grade.ts';
import { clouds, fade, masked, skyOf } from '../masks.ts';
import type { Place, Thing } from '../operation.ts';
import { type Blend, drawing, layered, type Mask, type Picture, plain } from '../picture.ts';
import { between, pick, type Random } from '../random.ts';
import { heart, starPoints } from './frames.ts';
import type { Painters } from './painter.ts';

/** What a thing is drawn with. */
type Stage = {
	width: number;
	height: number;
	/** A hundredth of the shorter side. */
	unit: number;
	random: Random;
	amount: number;
	place: Place | undefined;
};

type Prop = {
	/** The inside of an SVG of the picture's size. */
	draw(stage: Stage): string;
	blend?: Blend;
	/** Standard deviation in units. */
	soft?: number;
	/** Only in the sky, where there is one. */
	sky?: true;
};

export const additions: Painters<'add'> = {
	add: (picture, { thing, place, amount }, { random }) => withThing(picture, thing, random, amount, place),
};

/** Puts a thing into a picture, behind what stands before the sky if it belongs there. */
export async function withThing(
	picture: Picture,
	thing: Thing,
	random: Random,
	amount = 1,
	place?: Place,
	sky?: Mask,
): Promise<Picture> {
	if (thing === 'clouds') return withClouds(picture, random, amount, sky);
	const prop = props[thing];
	const { width, height } = picture;
	const stage = { width, height, unit: Math.min(width, height) / 100, random, amount, place };
	const drawn = await drawing(width, height, prop.draw(stage));
	const soft = prop.soft ? await blurred(drawn, prop.soft * stage.unit) : drawn;
	const mask = prop.sky ? (sky ?? (await skyOf(picture)).mask) : undefined;
	return layered(picture, [{ picture: mask ? masked(soft, mask) : soft, blend: prop.blend ?? 'over' }]);
}

async function withClouds(picture: Picture, random: Random, amount: number, sky?: Mask): Promise<Picture> {
	const mask = sky ?? (await skyOf(picture)).mask;
	const shape = await clouds(picture, random, 0.36);
	const light = await clouds(picture, random, 0.2);
	const strength = Math.min(1, 0.85 * amount) / 255;
	const data = new Uint8Array(picture.data.length);
	for (let at = 0; at < shape.length; at++) {
		const shade = 205 + light[at]! * 0.19;
		data[at * 4] = shade;
		data[at * 4 + 1] = shade + 1;
		data[at * 4 + 2] = shade + 2;
		data[at * 4 + 3] = byte((shape[at]! - 116) * 3) * mask[at]! * strength;
	}
	return layered(picture, [{ picture: { ...picture, data } }]);
}

function scatter(count: number, draw: (index: number) => string): string {
	return Array.from({ length: Math.max(1, Math.min(900, Math.round(count))) }, (_, index) => draw(index)).join('');
}

function spot(id: string, colour: Rgb, stops: readonly (readonly [offset: number, opacity: number])[]): string {
	const inner = stops.map(
		([offset, opacity]) => `<stop offset="${offset}" stop-color="${css(colour)}" stop-opacity="${opacity}"/>`,
	);
	return `<defs><radialGradient id="${id}">${inner.join('')}</radialGradient></defs>`;
}

const bright: readonly [Rgb, ...Rgb[]] = [
	[255, 82, 110],
	[255, 190, 50],
	[70, 200, 255],
	[150, 110, 255],
	[90, 220, 130],
	[255, 130, 220],
];

/** The larger of a count by area and by amount: many small pictures look emptier than one large. */
const crowd = ({ width, height, amount }: Stage, count: number) =>
	count * amount * Math.min(2, Math.max(0.4, Math.max(width, height) / Math.min(width, height)));

const at = ({ width, height, place }: Stage, otherwise: Place, margin: number) => {
	const { x, y } = place ?? otherwise;
	return { x: width * (margin + x * (1 - margin * 2)), y: height * (margin + y * (1 - margin * 2)) };
};

const props: Readonly<Record<Exclude<Thing, 'clouds'>, Prop>> = {
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
	'light rays': {
		blend: 'screen',
		soft: 1.4,
		draw: (stage) => {
			const { width, height, random, amount } = stage;
			const [x, y] = [stage.place ? stage.place.x * width : between(random, 0, 0.3) * width, -height * 0.1];
			const reach = Math.hypot(width, height) * 1.3;
			return `<defs><radialGradient id="ray" gradientUnits="userSpaceOnUse" cx="${x}" cy="${y}" r="${reach}"><stop stop-color="#fff3cf" stop-opacity=".7"/><stop offset="1" stop-color="#ffe6a8" stop-opacity="0"/></radialGradient></defs>${scatter(
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
};

/** Mist that lies thicker towards a height, both as shares. */
export async function withMist(picture: Picture, random: Random, amount: number, thickest: number): Promise<Picture> {
	const noise = await clouds(picture, random, 0.5);
	const depth = fade(picture, (_, y) => 1.15 - Math.abs(y - thickest) * 1.25);
	const share = Math.min(1.15, 0.72 * amount);
	const mask = new Uint8Array(noise.length);
	for (let at = 0; at < mask.length; at++) mask[at] = Math.min(245, (0.55 + noise[at]! * 0.00235) * depth[at]! * share);
	return layered(picture, [{ picture: masked(plain(picture.width, picture.height, [224, 230, 236]), mask) }]);
}
