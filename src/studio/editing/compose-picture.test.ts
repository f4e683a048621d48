import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import {
	apart,
	type Colour,
	difference,
	flat,
	landscape,
	lightOf,
	meanOf,
	portrait,
} from '../operations/pictures.fixture.ts';
import { composePicture } from './compose-picture.ts';

const { signal } = new AbortController();
const red = await flat('#d02020');
const green = await flat('#20a040');
const blue = await flat('#2040d0');

const compose = (images: readonly Uint8Array[], prompt: string, { width = 120, height = 120, variation = 0 } = {}) =>
	composePicture({ images, prompt, width, height, variation }, signal);

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

describe('places', () => {
	it.each<[prompt: string, count: number, samples: readonly [x: number, y: number, colour: string][]]>([
		[
			'side by side',
			2,
			[
				[0.25, 0.5, 'red'],
				[0.75, 0.5, 'green'],
			],
		],
		[
			'image 2 to the left of image 1',
			2,
			[
				[0.25, 0.5, 'green'],
				[0.75, 0.5, 'red'],
			],
		],
		[
			'stack image 2 above image 1',
			2,
			[
				[0.5, 0.25, 'green'],
				[0.5, 0.75, 'red'],
			],
		],
		[
			'put image 2 in the bottom right corner of image 1',
			2,
			[
				[0.2, 0.2, 'red'],
				[0.8, 0.8, 'green'],
			],
		],
		[
			'put image 2 in the top left corner of image 1',
			2,
			[
				[0.2, 0.2, 'green'],
				[0.8, 0.8, 'red'],
			],
		],
		[
			'put image 1 in the centre of image 2',
			2,
			[
				[0.5, 0.5, 'red'],
				[0.1, 0.1, 'green'],
			],
		],
		[
			'frame image 1 with image 2',
			2,
			[
				[0.5, 0.5, 'red'],
				[0.05, 0.05, 'green'],
			],
		],
		[
			'fade from image 2 to image 1',
			2,
			[
				[0.05, 0.5, 'green'],
				[0.95, 0.5, 'red'],
			],
		],
		[
			'image 1 on the left, image 3 on the right, image 2 in the middle',
			3,
			[
				[0.15, 0.5, 'red'],
				[0.5, 0.5, 'green'],
				[0.85, 0.5, 'blue'],
			],
		],
		[
			'image 3 as background, image 1 in the top left corner, image 2 in the bottom right',
			3,
			[
				[0.2, 0.2, 'red'],
				[0.8, 0.8, 'green'],
				[0.9, 0.1, 'blue'],
			],
		],
	])('%s', async (prompt, count, samples) => {
		const png = await compose([red, green, blue].slice(0, count), prompt);
		for (const [x, y, colour] of samples) expect(await colourAt(png, x, y), `${x}, ${y}`).toBe(colour);
	});
});

it('blends', async () => {
	const { red: r, green: g } = await meanOf(await compose([red, green], 'blend them'));
	expect(r).toBeGreaterThan(80);
	expect(g).toBeGreaterThan(70);
});

it('gives one picture the colours of another, and keeps its light and shade', async () => {
	const scene = await landscape(120, 120);
	const warm = await compose([scene, await flat('#e08030')], 'use the colours of image 2 on image 1');
	const sky = await meanOf(warm, [0.1, 0.1, 0.9, 0.4]);
	expect(sky.red).toBeGreaterThan(sky.blue + 20);
	expect(lightOf(sky)).toBeGreaterThan(lightOf(await meanOf(warm, [0.45, 0.65, 0.55, 0.75])));
});

it('sets the subject of one picture before the other', async () => {
	const png = await compose([await portrait(), green], 'replace the background of image 1 with image 2');
	expect(await colourAt(png, 0.05, 0.05)).toBe('green');
	const { blue: b, red: r } = await meanOf(png, [0.45, 0.5, 0.55, 0.6]);
	expect(b).toBeGreaterThan(r + 80);
});

it('edits the result afterwards, in the size that was asked for', async () => {
	const png = await compose([red, green], 'side by side, in black and white, with a thick blue frame', {
		width: 160,
		height: 100,
	});
	expect(await sharp(png).metadata()).toMatchObject({ format: 'png', width: 160, height: 100 });
	const inside = await meanOf(png, [0.2, 0.3, 0.4, 0.6]);
	expect(Math.abs(inside.red - inside.green)).toBeLessThan(4);
	const edge = await meanOf(png, [0, 0, 0.01, 1]);
	expect(edge.blue).toBeGreaterThan(edge.red + 60);
});

it('makes large results too', async () => {
	const png = await compose([red, green], 'side by side', { width: 2300, height: 300 });
	expect(await sharp(png).metadata()).toMatchObject({ width: 2300, height: 300 });
});

it('varies visibly, and repeats itself', async () => {
	for (const prompt of ['side by side', 'something nice']) {
		const [first, again, second] = [
			await compose([red, green], prompt),
			await compose([red, green], prompt),
			await compose([red, green], prompt, { variation: 1 }),
		];
		expect(Buffer.compare(first, again)).toBe(0);
		expect(await difference(first, second)).toBeGreaterThan(0.5);
	}
});

it('ends in a picture of the right size, whatever it is told', async () => {
	const small = [await landscape(30, 20), await portrait(17, 23), await flat('#888', 1, 1)];
	const layout = fc.constantFrom(
		'side by side',
		'stack',
		'grid',
		'collage',
		'blend',
		'overlay',
		'double exposure',
		'fade',
		'image 1 in front of image 2',
		'image 2 in a circle in the corner of image 1',
		'frame image 2 with image 1',
		'the colours of image 2 on image 1',
		'image 3 as background',
		'surprise',
	);
	const prompt = fc.tuple(
		layout,
		fc.oneof(
			fc.string({ unit: 'binary', maxLength: 40 }),
			fc.constantFrom('rotate left', 'crop to 16:9', 'circle', 'at night'),
		),
	);
	await fc.assert(
		fc.asyncProperty(
			prompt,
			fc.constantFrom(2, 3),
			fc.integer({ min: 1, max: 90 }),
			fc.integer({ min: 1, max: 90 }),
			fc.nat(3),
			async (words, count, width, height, variation) => {
				const png = await compose(small.slice(0, count), words.join(', '), { width, height, variation });
				expect(await sharp(png).metadata()).toMatchObject({ format: 'png', width, height });
			},
		),
		{ numRuns: 60 },
	);
});
