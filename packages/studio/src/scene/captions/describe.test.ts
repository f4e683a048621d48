import { expect, it } from 'vitest';
import type { Operation } from '../scene.ts';
import { describeLayout, describeOperation } from './describe.ts';

it.each<[operation: Operation, description: string]>([
	[{ do: 'rotate', degrees: -90 }, 'Rotated left'],
	[{ do: 'rotate', degrees: 450 - 360 }, 'Rotated right'],
	[{ do: 'rotate', degrees: -12 }, 'Rotated by 12° to the left'],
	[{ do: 'rotate', degrees: 180 }, 'Turned upside down'],
	[{ do: 'adjust', what: 'brightness', amount: 1 }, 'Made brighter'],
	[{ do: 'adjust', what: 'warmth', amount: -1.6 }, 'Made much cooler'],
	[{ do: 'adjust', what: 'contrast', amount: 0.5 }, 'Gave slightly more contrast'],
	[{ do: 'look', name: 'greyscale' }, 'Made black and white'],
	[{ do: 'look', name: 'night' }, 'Toned like night'],
	[{ do: 'tint', colour: '#2f5fd0', amount: 1 }, 'Tinted blue'],
	[{ do: 'crop', ratio: 16 / 9 }, 'Cropped to 16:9'],
	[{ do: 'crop', ratio: 1 }, 'Cropped to a square'],
	[{ do: 'frame', style: 'plain', colour: '#ef8428' }, 'Added an orange frame'],
	[{ do: 'frame', style: 'ornate', colour: '#c99e3c' }, 'Added a golden picture frame'],
	[{ do: 'frame', style: 'circle', colour: '#ffffff' }, 'Cropped to a circle'],
	[{ do: 'text', text: 'SALE', place: 'top' }, 'Added the text “SALE” at the top'],
	[{ do: 'text', text: 'Hi', place: 'centre' }, 'Added the text “Hi” in the middle'],
	[{ do: 'resize', width: 800, height: 600 }, 'Resized to 800 × 600'],
	[{ do: 'blur', where: 'everything', amount: 1.6 }, 'Blurred strongly'],
])('%j', (operation, description) => expect(describeOperation(operation)).toBe(description));

it('describes layouts', () => {
	expect(describeLayout({ layout: 'row', order: [1, 0] })).toBe('Placed image 2 and image 1 side by side');
	const insets = [{ image: 1, spot: { x: 1, y: 1 }, size: 0.4, shape: 'print' }] as const;
	expect(describeLayout({ layout: 'inset', ground: 0, insets })).toBe('Laid image 2 over image 1');
	expect(describeLayout({ layout: 'colours', of: 1, on: 0 })).toBe('Gave image 1 the colours of image 2');
});
