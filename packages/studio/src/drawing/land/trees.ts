/** Trees as bare path data, so that a whole wood is one element. */
import type { Random } from '../random.ts';
import { box, disc, oval, type Point, polygon } from '../svg.ts';

/** Light side (the whole tree), and the side away from the light. */
export interface TreePaths {
	readonly crown: string;
	readonly shade: string;
	readonly trunk: string;
	/** The parts that carry snow or blossom. */
	readonly top: string;
}

export type TreeKind = 'pine' | 'round' | 'poplar' | 'bare' | 'palm' | 'birch';

function pine(random: Random, x: number, y: number, height: number, shadeSide: number): TreePaths {
	const tiers = 5;
	const half = height * random.between(0.19, 0.25);
	const left: Point[] = [];
	const right: Point[] = [];
	const caps: string[] = [];
	for (let tier = 0; tier < tiers; tier++) {
		const top = y - height + (tier / tiers) * height * 0.9;
		const bottom = y - height + ((tier + 1.25) / tiers) * height * 0.9;
		const reach = half * ((tier + 1) / tiers) ** 0.85;
		const [l, r] = [reach * random.between(0.85, 1.12), reach * random.between(0.85, 1.12)];
		left.push(
			[x - l * 0.32, top + (bottom - top) * 0.42],
			[x - l, bottom + random.between(-2, 2)],
			[x - l * 0.5, bottom - height * 0.035],
		);
		right.push(
			[x + r * 0.32, top + (bottom - top) * 0.42],
			[x + r, bottom + random.between(-2, 2)],
			[x + r * 0.5, bottom - height * 0.035],
		);
		const [cl, cr] = [l * 0.78, r * 0.78];
		const lip = top + (bottom - top) * 0.78;
		caps.push(
			polygon([
				[x, top - 2],
				[x + cr * 0.4, top + (bottom - top) * 0.4],
				[x + cr, lip],
				[x + cr * 0.45, lip - height * 0.03],
				[x + cr * 0.1, lip + height * 0.015],
				[x - cl * 0.3, lip - height * 0.035],
				[x - cl, lip],
				[x - cl * 0.4, top + (bottom - top) * 0.4],
			]),
		);
	}
	const tip: Point = [x, y - height];
	const foot: Point = [x, y - height * 0.12];
	const side = shadeSide < 0 ? left : right;
	return {
		crown: polygon([tip, ...right, foot, ...[...left].reverse()]),
		shade: polygon([tip, ...side, foot]),
		trunk: box(x - height * 0.022, y - height * 0.16, height * 0.044, height * 0.16 + 2),
		top: caps.slice(0, 4).join(''),
	};
}

function round(random: Random, x: number, y: number, height: number, shadeSide: number): TreePaths {
	const r = height * random.between(0.27, 0.34);
	const middle = y - height + r;
	const lobes = [
		disc(x, middle, r),
		disc(x - r * 0.72, middle + r * 0.5, r * random.between(0.5, 0.66)),
		disc(x + r * 0.72, middle + r * 0.45, r * random.between(0.5, 0.66)),
		disc(x + r * random.between(-0.3, 0.3), middle + r * 0.7, r * 0.6),
	];
	const s = shadeSide < 0 ? -1 : 1;
	const [out, back] = s > 0 ? [1, 0] : [0, 1];
	const crescent = `M${x} ${middle - r}A${r} ${r} 0 0 ${out} ${x} ${middle + r}A${r * 1.3} ${r * 1.3} 0 0 ${back} ${x} ${middle - r}Z`;
	const shade = [crescent, disc(x + s * r * 0.76, middle + r * 0.52, r * 0.46)];
	const w = height * 0.035;
	const branch = `M${x - w} ${y + 2}L${x - w * 0.6} ${middle + r * 0.4}L${x - r * 0.4} ${middle}L${x} ${middle + r * 0.3}L${x + r * 0.4} ${middle - r * 0.1}L${x + w * 0.6} ${middle + r * 0.5}L${x + w} ${y + 2}Z`;
	return {
		crown: lobes.join(''),
		shade: shade.join(''),
		trunk: branch,
		top: oval(x - s * r * 0.2, middle - r * 0.68, r * 0.62, r * 0.26),
	};
}

function poplar(random: Random, x: number, y: number, height: number, shadeSide: number): TreePaths {
	const w = height * random.between(0.13, 0.17);
	const [top, low] = [y - height, y - height * 0.12];
	const half = (s: number) => `C${x + s * w * 1.25} ${top + height * 0.3} ${x + s * w * 1.25} ${low} ${x} ${low}`;
	const crown = `M${x} ${top}${half(1)}C${x - w * 1.25} ${low} ${x - w * 1.25} ${top + height * 0.3} ${x} ${top}Z`;
	const s = shadeSide < 0 ? -1 : 1;
	return {
		crown,
		shade: `M${x} ${top}${half(s)}C${x + s * w * 0.5} ${low - height * 0.1} ${x + s * w * 0.25} ${top + height * 0.4} ${x} ${top}Z`,
		trunk: box(x - height * 0.015, low - 2, height * 0.03, height * 0.13 + 2),
		top: oval(x, top + height * 0.08, w * 0.35, height * 0.06),
	};
}

/** A trunk that forks again and again, without leaves. */
function bare(random: Random, x: number, y: number, height: number): TreePaths {
	let trunk = '';
	const grow = (bx: number, by: number, length: number, angle: number, width: number, level: number) => {
		const [tx, ty] = [bx + Math.sin(angle) * length, by - Math.cos(angle) * length];
		const [nx, ny] = [Math.cos(angle) * width, Math.sin(angle) * width];
		trunk += polygon([
			[bx - nx, by - ny],
			[tx - nx * 0.55, ty - ny * 0.55],
			[tx + nx * 0.55, ty + ny * 0.55],
			[bx + nx, by + ny],
		]);
		if (level === 0) return;
		for (const turn of level > 3 ? [-0.5, 0.42] : [-0.55, 0.05, 0.5])
			grow(
				tx,
				ty,
				length * random.between(0.6, 0.78),
				angle + turn * random.between(0.7, 1.2),
				width * 0.58,
				level - 1,
			);
	};
	grow(x, y + 2, height * 0.34, random.between(-0.08, 0.08), height * 0.028, 4);
	return { crown: '', shade: '', trunk, top: '' };
}

export function palm(random: Random, x: number, y: number, height: number, shadeSide: number): TreePaths {
	const lean = height * random.between(0.1, 0.24) * (random.chance(0.5) ? 1 : -1);
	const [cx, cy, w] = [x + lean, y - height * 0.82, height * 0.028];
	const trunk = `M${x - w * 1.5} ${y + 2}Q${x + lean * 0.15} ${y - height * 0.45} ${cx - w * 0.6} ${cy}L${cx + w * 0.6} ${cy}Q${x + lean * 0.3 + w} ${y - height * 0.4} ${x + w * 1.5} ${y + 2}Z`;
	const fronds = [-1.35, -0.85, -0.3, 0.35, 0.9, 1.4].map((angle) => {
		const reach = height * random.between(0.3, 0.38);
		const s = Math.sign(angle);
		const [tx, ty] = [
			cx + Math.sin(angle) * reach,
			cy - Math.cos(angle) * reach * 0.55 + reach * 0.42 * Math.abs(angle),
		];
		const [mx, my] = [cx + Math.sin(angle) * reach * 0.55, cy - Math.cos(angle) * reach * 0.62 - reach * 0.12];
		return `M${cx} ${cy}Q${mx} ${my - reach * 0.12} ${tx} ${ty}Q${mx - s * reach * 0.1} ${my + reach * 0.24} ${cx} ${cy}Z`;
	});
	const half = fronds.filter((_, index) => (shadeSide < 0 ? index < 3 : index > 2));
	return { crown: fronds.join(''), shade: half.join(''), trunk, top: '' };
}

function birch(random: Random, x: number, y: number, height: number, shadeSide: number): TreePaths {
	const base = round(random, x, y, height, shadeSide);
	return { ...base, trunk: box(x - height * 0.022, y - height * 0.6, height * 0.044, height * 0.6 + 2, 2) };
}

export const trees = { pine, round, poplar, bare, palm, birch };
