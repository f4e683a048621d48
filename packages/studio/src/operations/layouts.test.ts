import fc from 'fast-check';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import {
	apart,
	type Colour,
	difference,
	flat,
	landscape,
	lightOf,
	meanOf,
	portrait,
} from '../../test/pictures.fixture.ts';
import { describeLayout } from '../scene/captions/describe.ts';
import type { Layout } from '../scene/layout.ts';
import type { Operation } from '../scene/scene.ts';
import { edit } from './operate.ts';

const red = await flat('#d02020');
const green = await flat('#20a040');
const blue = await flat('#2040d0');

type More = { width?: number; height?: number; variation?: number; operations?: readonly Operation[] };

function arrange(pictures: readonly Uint8Array[], layout: Layout, more: More = {}) {
	const { width = 120, height = 120, variation = 0, operations = [] } = more;
	return edit({ pictures, arranged: { layout, width, height }, operations, variation, sharpText: false });
}

/** The nearest of red, green and blue at a place. */
async function colourAt(png: Uint8Array, x: number, y: number): Promise<string> {
	const colour = await meanOf(png, [x - 0.03, y - 0.03, x + 0.03, y + 0.03]);
	const known: readonly [string, Colour][] = [
		['red', { red: 208, green: 32, blue: 32, alpha: 255 }],
		['green', { red: 32, green: 160, blue: 64, alpha: 255 }],
		['blue', { red: 32, green: 64, blue: 208, alpha: 255 }],
	];
	return known.find(([, one]) => apart(one, colour) < 40)?.[0] ?? 'other';
}

const inset = (x: number, y: number) => ({ image: 1, spot: { x, y }, size: 0.36, shape: 'print' }) as const;

it.each<[layout: Layout, samples: readonly [x: number, y: number, colour: string][]]>([
	[
		{ layout: 'row', order: [1, 0] },
		[
			[0.25, 0.5, 'green'],
			[0.75, 0.5, 'red'],
		],
	],
	[
		{ layout: 'column', order: [0, 1] },
		[
			[0.5, 0.25, 'red'],
			[0.5, 0.75, 'green'],
		],
	],
	[
		{ layout: 'grid', order: [0, 1, 2] },
		[
			[0.3, 0.5, 'red'],
			[0.8, 0.25, 'green'],
			[0.8, 0.75, 'blue'],
		],
	],
	[
		{ layout: 'inset', ground: 0, insets: [inset(1, 1)] },
		[
			[0.2, 0.2, 'red'],
			[0.8, 0.8, 'green'],
		],
	],
	[
		{ layout: 'inset', ground: 2, insets: [{ ...inset(0, 0), shape: 'circle' }] },
		[
			[0.2, 0.2, 'green'],
			[0.8, 0.8, 'blue'],
		],
	],
	[
		{ layout: 'frame', inside: 0, around: 1 },
		[
			[0.5, 0.5, 'red'],
			[0.05, 0.05, 'green'],
		],
	],
	[
		{ layout: 'fade', order: [1, 0], direction: 'across' },
		[
			[0.05, 0.5, 'green'],
			[0.95, 0.5, 'red'],
		],
	],
	[
		{ layout: 'split', order: [0, 1], direction: 'diagonal' },
		[
			[0.2, 0.2, 'red'],
			[0.45, 0.45, 'red'],
			[0.6, 0.6, 'green'],
		],
	],
])('$layout', async (layout, samples) => {
	const png = await arrange([red, green, blue], layout);
	for (const [x, y, colour] of samples) expect(await colourAt(png, x, y), `${x}, ${y}`).toBe(colour);
});

it('blends', async () => {
	const { red: r, green: g } = await meanOf(
		await arrange([red, green], { layout: 'blend', order: [0, 1], mode: 'mix' }),
	);
	expect(r).toBeGreaterThan(80);
	expect(g).toBeGreaterThan(70);
});

it('gives one picture the colours of another, and keeps its light and shade', async () => {
	const warm = await arrange([await landscape(120, 120), await flat('#e08030')], { layout: 'colours', of: 1, on: 0 });
	const sky = await meanOf(warm, [0.1, 0.1, 0.9, 0.4]);
	expect(sky.red).toBeGreaterThan(sky.blue + 20);
	expect(lightOf(sky)).toBeGreaterThan(lightOf(await meanOf(warm, [0.45, 0.65, 0.55, 0.75])));
});

it('does operations with each picture first, and with the whole afterwards, in the size that was asked for', async () => {
	const png = await edit({
		pictures: [red, green],
		each: [[{ do: 'look', name: 'greyscale' }]],
		arranged: { layout: { layout: 'row', order: [0, 1] }, width: 160, height: 100 },
		operations: [{ do: 'frame', style: 'plain', colour: '#2040d0' }],
		variation: 0,
		sharpText: false,
	});
	expect(await sharp(png).metadata()).toMatchObject({ format: 'png', width: 160, height: 100 });
	const left = await meanOf(png, [0.2, 0.3, 0.4, 0.6]);
	expect(Math.abs(left.red - left.green)).toBeLessThan(4);
	expect(await colourAt(png, 0.75, 0.5)).toBe('green');
	const edge = await meanOf(png, [0, 0, 0.01, 1]);
	expect(edge.blue).toBeGreaterThan(edge.red + 60);
});

it('varies visibly, and repeats itself', async () => {
	const order = [0, 1];
	const layouts: readonly Layout[] = [
		{ layout: 'row', order },
		{ layout: 'prints', order },
		{ layout: 'blend', order, mode: 'mix' },
	];
	for (const layout of layouts) {
		const results = await Promise.all([0, 1, 2].map((variation) => arrange([red, green], layout, { variation })));
		expect(Buffer.compare(await arrange([red, green], layout, { variation: 1 }), results[1]!)).toBe(0);
		expect(await difference(results[0]!, results[1]!)).toBeGreaterThan(2);
		expect(await difference(results[1]!, results[2]!)).toBeGreaterThan(2);
	}
});

it('ends in a picture of the right size, whatever the layout', async () => {
	const small = [await landscape(30, 20), await portrait(17, 23), await flat('#888', 1, 1)];
	const index = fc.constantFrom(0, 1, 2, 7);
	const order = fc.uniqueArray(index, { maxLength: 3 });
	const direction = fc.constantFrom('across', 'down', 'diagonal');
	const share = fc.constantFrom(0, 0.3, 1);
	const insets = fc.array(
		fc.record({
			image: index,
			spot: fc.record({ x: share, y: share }),
			size: share,
			shape: fc.constantFrom('print', 'circle'),
		}),
		{ maxLength: 2 },
	);
	const layout = fc.oneof<fc.Arbitrary<Layout>[]>(
		fc.record({ layout: fc.constantFrom('row', 'column', 'grid', 'prints'), order }),
		fc.record({ layout: fc.constantFrom('split', 'fade'), order, direction }),
		fc.record({
			layout: fc.constant('blend'),
			order,
			mode: fc.constantFrom('mix', 'screen', 'multiply', 'overlay'),
		}),
		fc.record({ layout: fc.constant('inset'), ground: index, insets }),
		fc.record({ layout: fc.constant('frame'), inside: index, around: index }),
		fc.record({ layout: fc.constant('colours'), of: index, on: index }),
	);
	const finish = fc.constantFrom<Operation[]>(
		[],
		[{ do: 'rotate', degrees: -90 }],
		[{ do: 'frame', style: 'circle', colour: '#ffffff' }],
	);
	const side = fc.oneof(fc.integer({ min: 1, max: 90 }), fc.constant(600));
	await fc.assert(
		fc.asyncProperty(
			layout,
			fc.constantFrom(2, 3),
			side,
			fc.integer({ min: 1, max: 90 }),
			fc.nat(3),
			finish,
			async (layout, count, width, height, variation, operations) => {
				const png = await arrange(small.slice(0, count), layout, { width, height, variation, operations });
				expect(await sharp(png).metadata()).toMatchObject({ format: 'png', width, height });
				expect(describeLayout(layout)).toMatch(/^[A-Z]/);
			},
		),
		{ numRuns: 40 },
	);
});
