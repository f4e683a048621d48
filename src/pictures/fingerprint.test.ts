import sharp, { type Sharp } from 'sharp';
import { expect, test } from 'vitest';
import { fingerprint, isCopy } from './fingerprint.ts';

/** A picture of random shapes. */
const shapes = (seed: number) => {
	let state = seed * 7919 + 1;
	const random = (below: number) => {
		state = (state * 48271) % 2147483647;
		return state % below;
	};
	const circles = Array.from(
		{ length: 12 },
		() =>
			`<circle cx="${random(320)}" cy="${random(240)}" r="${20 + random(60)}" fill="hsl(${random(360)} 60% ${20 + random(60)}%)"/>`,
	);
	const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="240"><rect width="320" height="240" fill="#777"/>${circles.join('')}</svg>`;
	return sharp(Buffer.from(svg)).png().toBuffer();
};

const COPIES: Readonly<Record<string, (picture: Sharp) => Sharp>> = {
	'a JPEG of low quality': (picture) => picture.jpeg({ quality: 40 }),
	'a WebP': (picture) => picture.webp({ quality: 50 }),
	'at half the size': (picture) => picture.resize(160).png(),
	'at three times the size': (picture) => picture.resize(960).png(),
	'in another shape': (picture) => picture.resize(300, 250, { fit: 'fill' }).png(),
	'without colours': (picture) => picture.greyscale().png(),
	'a little brighter': (picture) => picture.modulate({ brightness: 1.1 }).png(),
};

test.each(Object.keys(COPIES))('a copy is known again: %s', async (how) => {
	for (let seed = 1; seed <= 8; seed++) {
		const original = await shapes(seed);
		const copy = await COPIES[how]?.(sharp(original)).toBuffer();
		expect(isCopy((await fingerprint(original)) ?? '', (await fingerprint(copy ?? original)) ?? '')).toBe(true);
	}
});

test('other pictures are no copies', async () => {
	const prints = await Promise.all(
		Array.from({ length: 60 }, async (_, seed) => fingerprint(await shapes(seed + 100))),
	);
	const pairs = prints.flatMap((one, index) =>
		prints.slice(index + 1).map((other) => [one ?? '', other ?? ''] as const),
	);
	expect(pairs.filter(([one, other]) => isCopy(one, other))).toEqual([]);
});

test('a picture with hardly anything in it has no fingerprint, since many look like it', async () => {
	const blank = sharp({ create: { width: 64, height: 64, channels: 3, background: '#ffffff' } });
	expect(await fingerprint(await blank.png().toBuffer())).toBeUndefined();
});
