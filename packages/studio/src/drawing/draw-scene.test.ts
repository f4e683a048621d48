import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { sceneOf } from '../../test/scene.fixture.ts';
import { FRAMINGS, MOODS, PLACES, RELATIONS, SEASONS, SKY_THINGS, STYLES, TIMES, WEATHERS } from '../scene/names.ts';
import type { Scene } from '../scene/scene.ts';
import { workers } from '../workers.ts';
import { type FigureName, figures } from './subjects/figures.ts';

type Changes = Parameters<typeof sceneOf>[0];
const drawScene = (scene: Scene, size: { width: number; height: number }, signal?: AbortSignal) =>
	workers.drawing.run('draw', [{ scene, ...size }], signal);
const drawn = (changes: Changes, width = 128, height = width) => drawScene(sceneOf(changes), { width, height });

const pixels = async (png: Uint8Array) => sharp(png).removeAlpha().raw().toBuffer();

/** Mean distance of the channels, 0–255. */
async function distance(one: Uint8Array, other: Uint8Array): Promise<number> {
	const [a, b] = [await pixels(one), await pixels(other)];
	return a.reduce((sum, value, index) => sum + Math.abs(value - b[index]!), 0) / a.length;
}

const mean = async (png: Uint8Array) => (await sharp(png).stats()).channels.map((channel) => channel.mean);

describe('drawScene', () => {
	it('gives the same bytes for the same scene', async () => {
		const scene: Changes = { place: 'forest', subjects: [{ figure: 'owl' }] };
		expect(Buffer.compare(await drawn(scene), await drawn(scene))).toBe(0);
	});

	it('draws each place, time and variation differently', async () => {
		const different = [
			...PLACES.map((place) => ({ place })),
			...TIMES.filter((time) => time !== 'day').map((time) => ({ time })),
			...[1, 2, 3].map((variation) => ({ variation })),
			...[1, 2, 3].map((variation) => ({ variation, place: 'abstract' as const })),
		];
		const pictures = await Promise.all(different.map((changes) => drawn({ ...changes, subjects: [{}] }, 64)));
		for (const [index, one] of pictures.entries()) {
			for (const other of pictures.slice(index + 1)) expect(await distance(one, other)).toBeGreaterThan(4);
		}
	});

	it.each([
		[64, 64],
		[64, 2048],
		[2048, 64],
		[333, 777],
	])('is exactly %i × %i', async (width, height) => {
		const metadata = await sharp(await drawn({ subjects: [{ figure: 'whale' }] }, width, height)).metadata();
		expect(metadata).toMatchObject({ format: 'png', width, height, hasAlpha: false });
	});

	it('shows the colour of a subject', async () => {
		const fox = (colour: `#${string}`) => drawn({ subjects: [{ colour, scale: 1.6 }] }).then(mean);
		const [[red, , redsBlue], [blue, , bluesBlue]] = [await fox('#d8262c'), await fox('#2f62d9')];
		expect(red! - redsBlue!).toBeGreaterThan(blue! - bluesBlue! + 8);
	});

	it('colours clothes by the accent', async () => {
		const girl = (accent: `#${string}`) => drawn({ subjects: [{ figure: 'girl', accent, scale: 1.6 }] }).then(mean);
		expect((await girl('#f2c12e'))[0]!).toBeGreaterThan((await girl('#2f62d9'))[0]! + 2);
	});

	it('is darker at night than by day', async () => {
		const brightness = async (time: 'night' | 'day') =>
			(await mean(await drawn({ place: 'village', time }))).reduce((a, b) => a + b) / 3;
		expect(await brightness('night')).toBeLessThan((await brightness('day')) * 0.7);
	});

	it('leaves all else where it is when one subject is removed, added or changed', async () => {
		const fox = { id: 1, figure: 'fox', side: 'left' } as const;
		const cat = { id: 2, figure: 'cat', side: 'right' } as const;
		const both = await pixels(await drawn({ subjects: [fox, cat] }));
		const others = [[fox], [fox, { ...cat, colour: '#2c2a33' } as const], [fox, { ...cat, figure: 'owl' } as const]];
		for (const subjects of others) {
			const other = await pixels(await drawn({ subjects }));
			for (let y = 0; y < 128; y++) {
				const left = (rows: Buffer) => rows.subarray(y * 384, y * 384 + 3 * 50);
				expect(left(other).equals(left(both))).toBe(true);
			}
		}
	});

	it('leaves the land where it is when the sky or the time changes', async () => {
		const edges = async (changes: Changes) => {
			const land = sharp(await drawn({ place: 'forest', ...changes })).extract({
				left: 0,
				top: 50,
				width: 128,
				height: 78,
			});
			const kernel = [-1, -1, -1, -1, 8, -1, -1, -1, -1];
			return land.greyscale().normalise().convolve({ width: 3, height: 3, kernel }).raw().toBuffer();
		};
		const day = await edges({});
		const alike = (other: Buffer) =>
			day.filter((value, at) => value > 60 === (other[at] ?? 0) > 60).length / day.length;
		const changed = [{ sky: ['clouds'] }, { sky: ['rainbow'] }, { time: 'dawn' }, { variation: 1 }] as const;
		const [clouds, rainbow, dawn, variation] = await Promise.all(
			changed.map(async (one) => alike(await edges(one as Changes))),
		);
		for (const same of [clouds, rainbow, dawn]) expect(same).toBeGreaterThan(variation! + 0.05);
	});

	it('writes texts, with harder edges if they shall be sharp', async () => {
		const edges = async (changes: Changes) => {
			const picture = sharp(await drawn({ ...changes, subjects: [{ figure: 'dog' }] }, 256));
			const top = picture.extract({ left: 30, top: 20, width: 196, height: 70 }).greyscale();
			const kernel = [-1, -1, -1, -1, 8, -1, -1, -1, -1];
			const traced = await top.convolve({ width: 3, height: 3, kernel }).toBuffer();
			return (await sharp(traced).stats()).channels[0]!.mean;
		};
		const sharply = await edges({ texts: ['Adopt me'], sharpText: true });
		expect(sharply).toBeGreaterThan((await edges({})) * 1.5);
		expect(sharply).not.toBe(await edges({ texts: ['Adopt me'] }));
	});

	it('says which program drew it', async () => {
		const { exif } = await sharp(await drawn({})).metadata();
		expect(exif?.toString('latin1')).toContain('Easel Studio');
	});

	it('stops when it is aborted', async () => {
		const size = { width: 128, height: 128 };
		await expect(drawScene(sceneOf({}), size, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
		const controller = new AbortController();
		const drawing = drawScene(sceneOf({}), size, controller.signal);
		controller.abort(new Error('gone'));
		await expect(drawing).rejects.toThrow('gone');
	});

	it('keeps the main thread free', async () => {
		let turns = 0;
		let isDrawn = false;
		const count = () => {
			turns++;
			if (!isDrawn) setImmediate(count);
		};
		count();
		await drawn({ place: 'city', subjects: [{ figure: 'dragon' }] }, 1024);
		isDrawn = true;
		// Between the steps of a drawing there are a few turns of the event loop, while a thread draws there are thousands.
		expect(turns).toBeGreaterThan(100);
	});

	it('draws any scene', async () => {
		const names = Object.keys(figures) as [FigureName, ...FigureName[]];
		const id = fc.integer({ min: 1, max: 5 });
		const subject = fc.record({
			figure: fc.constantFrom(...names),
			count: fc.integer({ min: 1, max: 12 }),
			scale: fc.constantFrom(0.2, 1, 3),
			aloft: fc.boolean(),
			relation: fc.option(fc.record({ kind: fc.constantFrom(...RELATIONS), to: id }), { nil: undefined }),
		});
		const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 200 }), fc.constant('</svg>&<![CDATA["W'));
		const any = fc.record({
			place: fc.constantFrom(...PLACES),
			time: fc.constantFrom(...TIMES),
			season: fc.option(fc.constantFrom(...SEASONS), { nil: undefined }),
			weather: fc.uniqueArray(fc.constantFrom(...WEATHERS), { maxLength: 2 }),
			sky: fc.uniqueArray(fc.constantFrom(...SKY_THINGS), { maxLength: 2 }),
			mood: fc.option(fc.constantFrom(...MOODS), { nil: undefined }),
			framing: fc.option(fc.constantFrom(...FRAMINGS), { nil: undefined, freq: 1 }),
			tint: fc.option(fc.constant('#7a3fb0' as const), { nil: undefined }),
			style: fc.option(fc.constantFrom(...STYLES), { nil: undefined }),
			subjects: fc.array(subject, { maxLength: 5 }),
			texts: fc.array(text, { maxLength: 3 }),
			zoom: fc.constantFrom(0.25, 1, 4),
			variation: fc.nat(9),
		});
		await fc.assert(
			fc.asyncProperty(any, async ({ style, subjects, ...scene }) => {
				const whole = subjects.map(({ relation, ...rest }) => ({ ...rest, ...(relation && { relation }) }));
				const png = await drawn({ ...scene, ...(style && { style }), subjects: whole }, 64, 96);
				expect((await sharp(png).metadata()).height).toBe(96);
			}),
			{ numRuns: 60 },
		);
	}, 180_000);
});
