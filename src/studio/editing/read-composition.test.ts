import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readComposition } from './read-composition.ts';

const inset = (ground: number, ...insets: object[]) => ({ layout: 'inset', ground, insets });

describe('readComposition', () => {
	it.each<[prompt: string, count: number, layout: object]>([
		['put image 2 into the corner of image 1', 2, inset(0, { image: 1, place: { x: 1, y: 1 }, shape: 'print' })],
		['put image 1 in the top left corner of image 2', 2, inset(1, { image: 0, place: { x: 0, y: 0 } })],
		[
			'put a small image 2 in the top right corner of image 1',
			2,
			inset(0, { image: 1, place: { x: 1, y: 0 }, size: 0.24 }),
		],
		['image 1 as background, image 2 in the centre', 2, inset(0, { image: 1, place: { x: 0.5, y: 0.5 } })],
		['the second picture in a circle on the first picture', 2, inset(0, { image: 1, shape: 'circle' })],
		['picture in picture', 2, inset(0, { image: 1, place: { x: 1, y: 1 } })],
		[
			'image 3 as background, image 1 in the top left corner, image 2 in a circle in the bottom right',
			3,
			inset(2, { image: 0, place: { x: 0, y: 0 } }, { image: 1, place: { x: 1, y: 1 }, shape: 'circle' }),
		],
		['side by side', 2, { layout: 'row', order: [0, 1] }],
		['image 2 next to image 1', 2, { layout: 'row', order: [1, 0] }],
		['image 2 on the left and image 1 on the right', 2, { layout: 'row', order: [1, 0] }],
		['image 1 on the right, image 3 on the left, image 2 in the middle', 3, { layout: 'row', order: [2, 1, 0] }],
		['stack them', 2, { layout: 'column', order: [0, 1] }],
		['image 2 above image 1', 2, { layout: 'column', order: [1, 0] }],
		['image 1 at the bottom, image 2 on top', 2, { layout: 'column', order: [1, 0] }],
		['a triptych', 3, { layout: 'row', order: [0, 1, 2] }],
		['make a grid', 3, { layout: 'grid', order: [0, 1, 2] }],
		['a collage of all three', 3, { layout: 'prints', order: [0, 1, 2] }],
		['blend them', 2, { layout: 'blend', mode: 'mix' }],
		['blend image 3 with image 1', 3, { layout: 'blend', order: [2, 0] }],
		['double exposure', 2, { layout: 'blend', mode: 'screen' }],
		['fade from image 2 to image 1', 2, { layout: 'fade', order: [1, 0], direction: 'across' }],
		['fade from image 1 at the top into image 2', 2, { layout: 'fade', order: [0, 1], direction: 'down' }],
		['frame image 1 with image 2', 2, { layout: 'frame', inside: 0, around: 1 }],
		['use image 1 as a frame for image 2', 2, { layout: 'frame', inside: 1, around: 0 }],
		['replace the background of image 1 with image 2', 2, inset(1, { image: 0, shape: 'cutout' })],
		['put the fox from image 2 into the scene of image 1', 2, inset(0, { image: 1, shape: 'cutout' })],
		['Bild 1 und Bild 2 nebeneinander', 2, { layout: 'row', order: [0, 1] }],
		['surprise me', 2, { layout: 'any' }],
		['image 4 next to image 7', 2, { layout: 'any' }],
	])('%s (%i)', (prompt, count, layout) => {
		expect(readComposition(prompt, count).layout).toMatchObject(layout);
	});

	it.each([
		['use the colours of image 2', { of: 1, on: 0 }],
		['use the colours of image 1 on image 2', { of: 0, on: 1 }],
		['image 1 in the style of image 2', { of: 1, on: 0 }],
		['make image 2 look like image 1', { of: 0, on: 1 }],
	])('reads whose colours: %s', (prompt, palette) => {
		expect(readComposition(prompt, 2)).toMatchObject({ palette, layout: { layout: 'single', image: palette.on } });
	});

	it('reads edits of the whole, and of one picture', () => {
		expect(readComposition('side by side, in black and white, with a white frame', 2)).toMatchObject({
			layout: { layout: 'row' },
			own: [[], []],
			edits: [
				{ do: 'look', name: 'greyscale' },
				{ do: 'frame', colour: [255, 255, 255] },
			],
		});
		expect(readComposition('image 2 in sepia next to image 1, then make it night', 2)).toMatchObject({
			layout: { layout: 'row', order: [1, 0] },
			own: [[], [{ do: 'look', name: 'sepia' }]],
			edits: [{ do: 'scene', name: 'night' }],
		});
	});

	it('leaves quoted words alone', () => {
		expect(readComposition('blend them and write “side by side”', 2)).toMatchObject({
			layout: { layout: 'blend' },
			edits: [{ do: 'text', text: 'side by side' }],
		});
	});

	it('reads anything, and refers only to pictures that are there', () => {
		const word = fc.constantFrom(
			'image 1',
			'image 2',
			'image 3',
			'image 9',
			'in',
			'on',
			'the',
			'corner',
			'of',
			'left',
			'blend',
			'background',
			'colours',
			'frame',
			'with',
			',',
			'①',
		);
		const sentence = fc.oneof(
			fc.string({ unit: 'binary', maxLength: 200 }),
			fc.array(word, { maxLength: 30 }).map((words) => words.join(' ')),
		);
		fc.assert(
			fc.property(sentence, fc.constantFrom(2, 3), (prompt, count) => {
				const { layout, palette, own } = readComposition(prompt, count);
				const mentioned = JSON.stringify([layout, palette]).matchAll(
					/"(?:image|ground|inside|around|of|on)":(-?\d+)/gu,
				);
				for (const [, index] of mentioned) expect([0, 1, 2].slice(0, count)).toContain(Number(index));
				expect(own).toHaveLength(count);
			}),
			{ numRuns: 200 },
		);
	});
});
