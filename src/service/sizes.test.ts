import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PROFILES } from './profiles.ts';
import { nearestSize, type SizeRule } from './sizes.ts';

const list: SizeRule = { kind: 'list', sizes: ['1024x1024', '1536x1024', '1024x1536'] };
const ratios: SizeRule = { kind: 'list', sizes: ['1:1', '3:2', '2:3', '16:9', '9:16'] };
const grid = PROFILES.openai.sizesOf('gpt-image-2');

describe('the nearest size', () => {
	test.each([
		[list, 'square', '1024x1024'],
		[list, 'wide', '1536x1024'],
		[list, '512x512', '1024x1024'],
		[list, '1000x1500', '1024x1536'],
		[ratios, 'wide', '16:9'],
		[ratios, 'portrait', '2:3'],
		[ratios, '512x512', '1:1'],
		[grid, 'landscape', '1536x1024'],
		[grid, '1920x1080', '1920x1088'],
		[grid, '64x64', '816x816'],
		[grid, '4000x500', '2448x816'],
		[{ ...ratios, resolutions: ['2K'] }, 'wide 2K', '16:9 2K'],
		[{ ...ratios, resolutions: ['2K'] }, '4K', '4K'],
		[ratios, '16:9 2K', '16:9 2K'],
		[grid, '2K', '2048x2048'],
		[grid, '4K', '2880x2880'],
		[grid, '16:9 2K', '2048x1152'],
		[grid, '9:16 4K', '2160x3840'],
		[{ kind: 'any' }, 'tall', '1024x1792'],
		[{ kind: 'any' }, '512x512', '512x512'],
	] as const)('of %o for %s is %s', (rule, wanted, nearest) => {
		expect(nearestSize(rule, wanted)).toBe(nearest);
	});

	test('what is no size is left to the service', () => {
		expect(nearestSize(list, 'auto')).toBe('auto');
		expect(nearestSize({ kind: 'any' }, 'huge')).toBe('huge');
	});

	test('on a grid is within its bounds for every wanted size', () => {
		const side = fc.integer({ min: 64, max: 4096 });
		fc.assert(
			fc.property(side, side, (width, height) => {
				const [one = 0, other = 0] = nearestSize(grid, `${width}x${height}`).split('x').map(Number);
				expect([one % 16, other % 16]).toEqual([0, 0]);
				expect(Math.max(one, other)).toBeLessThanOrEqual(3840);
				expect(Math.max(one, other) / Math.min(one, other)).toBeLessThanOrEqual(3);
				expect(one * other).toBeGreaterThanOrEqual(655_360);
				expect(one * other).toBeLessThanOrEqual(8_294_400);
			}),
		);
	});
});
