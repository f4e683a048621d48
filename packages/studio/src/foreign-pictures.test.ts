import sharp from 'sharp';
import { beforeEach, describe, expect, it } from 'vitest';
import { difference, flat, landscape, lightOf, meanOf, svg } from '../test/pictures.fixture.ts';
import { refusalOf, startStudio } from '../test/studio.fixture.ts';

type Answer = { data: { b64_json: string; revised_prompt: string }[] };

const scene = await landscape();
const jpeg = await sharp(scene).flatten().withMetadata({ orientation: 6 }).jpeg().toBuffer();
const webp = await sharp(scene).webp({ lossless: true }).toBuffer();
const gif = await sharp(scene).gif().toBuffer();
const pixel = await flat('#884422', 1, 1);
const wide = await flat('#884422', 3000, 2);
const transparent = await svg(60, 40, '<rect x="30" width="30" height="40" fill="#804040"/>');

let studio: Awaited<ReturnType<typeof startStudio>>;
beforeEach(async () => {
	studio = await startStudio({ imagesPerMonth: 1000 });
});

function send(images: readonly Uint8Array[], prompt: string, fields: Readonly<Record<string, string>> = {}) {
	const form = new FormData();
	for (const [index, bytes] of images.entries()) form.append('image', new Blob([Uint8Array.from(bytes)]), `${index}`);
	for (const [name, value] of Object.entries({ prompt, ...fields })) form.append(name, value);
	return studio.post(`/v1/images/${images.length > 1 ? 'compose' : 'edits'}`, form);
}

/** Returns the pictures of an answer, and what it says of the first one. */
async function made(images: readonly Uint8Array[], prompt: string, fields?: Readonly<Record<string, string>>) {
	const answer = await send(images, prompt, fields);
	if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
	const { data } = (await answer.json()) as Answer;
	const pngs = data.map(({ b64_json }) => Uint8Array.fromBase64(b64_json));
	return { pngs, png: pngs[0]!, said: data[0]!.revised_prompt };
}

async function sizeOf(png: Uint8Array) {
	const { width, height } = await sharp(png).metadata();
	return [width, height];
}

describe('an edit of a picture from elsewhere', () => {
	it.each([
		['a JPEG that EXIF turns', jpeg, [72, 96]],
		['a WebP', webp, [96, 72]],
		['a GIF', gif, [96, 72]],
		['a PNG with transparency', transparent, [60, 40]],
		['a single pixel', pixel, [1, 1]],
		['a very wide picture', wide, [2048, 1]],
	] as const)('works on %s', async (_, image, size) => {
		const { png, said } = await made([image], 'make it brighter');
		expect(await sizeOf(png)).toEqual(size);
		expect(said).toBe('Made brighter.');
		const opaque = await sharp(image).autoOrient().flatten({ background: '#000' }).png().toBuffer();
		const before = lightOf(await meanOf(opaque));
		expect(lightOf(await meanOf(await sharp(png).flatten({ background: '#000' }).png().toBuffer()))).toBeGreaterThan(
			before + 5,
		);
	});

	it.each<[prompt: string, said: string, size: readonly number[], changes: boolean]>([
		['rotate left', 'Rotated left.', [72, 96], true],
		['mirror it', 'Mirrored left to right.', [96, 72], false],
		['crop it square', 'Cropped to a square.', [72, 72], true],
		['make it black and white', 'Made black and white.', [96, 72], true],
		['blur it', 'Blurred.', [96, 72], true],
		['make it night', 'Toned like night.', [96, 72], true],
		['write "SALE" at the top', 'Added the text “SALE” at the top.', [96, 72], true],
	])('%s', async (prompt, said, size, changes) => {
		const result = await made([scene], prompt);
		expect(result.said).toBe(said);
		expect(await sizeOf(result.png)).toEqual(size);
		if (changes) expect(Buffer.compare(result.png, scene)).not.toBe(0);
	});

	it('does several things, in their order', async () => {
		const { png, said } = await made([scene], 'make it black and white, then add a red frame');
		expect(said).toBe('Made black and white. Added a red frame.');
		const edge = await meanOf(png, [0, 0, 0.01, 1]);
		expect(edge.red).toBeGreaterThan(edge.green + 80);
		const { red, green } = await meanOf(png, [0.45, 0.6, 0.55, 0.75]);
		expect(Math.abs(red - green)).toBeLessThan(3);
	});

	it.each(['remove the horse', 'add a rainbow', 'xyzzy plugh', 'make the ball blue'])(
		'is refused, uncounted, where nothing can be done: %s',
		async (prompt) => {
			const used = await studio.used();
			const refusal = await refusalOf(await send([scene], prompt));
			expect(refusal).toMatchObject({ status: 400, code: 'nothing_to_do', param: 'prompt' });
			expect(refusal.message).toMatch(/cropped, rotated/);
			expect(await studio.used()).toBe(used);
		},
	);

	it('does what it can, and says what it cannot', async () => {
		const { png, said } = await made([scene], 'make it brighter and remove the horse');
		expect(lightOf(await meanOf(png))).toBeGreaterThan(lightOf(await meanOf(scene)) + 10);
		expect(said).toMatch(/^Made brighter\. Only possible in a scene.*horse/);
	});

	it('gets drawings laid over it', async () => {
		const { png, said } = await made([scene], 'add a dog wearing a hat');
		expect(said).toBe('Laid a dog wearing a hat over the picture.');
		expect(await sizeOf(png)).toEqual([96, 72]);
		expect(await difference(png, scene)).toBeGreaterThan(2);
	});

	it('loses a background of one colour, and no other', async () => {
		const logo = await svg(
			60,
			40,
			'<rect width="60" height="40" fill="#ffffff"/><rect x="20" y="10" width="20" height="20" fill="#d02020"/>',
		);
		const { png, said } = await made([logo], 'remove the background');
		expect(said).toBe('Removed the background, which is of one colour.');
		expect(await sizeOf(png)).toEqual([20, 20]);
		const used = await studio.used();
		expect(await refusalOf(await send([scene], 'remove the background'))).toMatchObject({
			status: 400,
			message: 'The background is not of one colour, so it cannot be told from the rest.',
		});
		expect(await studio.used()).toBe(used);
	});

	it('gives visibly different variations', async () => {
		const { pngs } = await made([scene], 'make it sepia', { n: '3' });
		for (const [first, second] of [
			[0, 1],
			[0, 2],
			[1, 2],
		] as const)
			expect(await difference(pngs[first]!, pngs[second]!)).toBeGreaterThan(2);
	});
});

describe('a composition of pictures from elsewhere', () => {
	it.each<[prompt: string, said: RegExp, red: readonly [number, number], blue: readonly [number, number]]>([
		['side by side', /^Placed image 1 and image 2 side by side\./, [0.25, 0.5], [0.75, 0.5]],
		['image 2 on the left, image 1 on the right', /^Placed image 2 and image 1 side/, [0.75, 0.5], [0.25, 0.5]],
		['stack them', /^Stacked image 1 and image 2/, [0.5, 0.25], [0.5, 0.75]],
		['put image 2 into the corner of image 1', /^Laid image 2 over image 1\./, [0.2, 0.2], [0.8, 0.8]],
		[
			'image 1 mirrored horizontally next to image 2',
			/^Image 1: mirrored left to right\. Placed image 1 and image 2 side by side\.$/,
			[0.25, 0.5],
			[0.75, 0.5],
		],
		[
			'replace the background of image 1 with image 2',
			/^Laid image 1 over image 2\. Only possible in a scene .*taking a subject out/,
			[0.8, 0.8],
			[0.1, 0.1],
		],
		['frame image 1 with image 2', /^Framed image 1 with image 2\./, [0.5, 0.5], [0.05, 0.05]],
	])('%s', async (prompt, expected, [redX, redY], [blueX, blueY]) => {
		const images = [await flat('#d02020'), await flat('#2040d0')];
		const { png, said } = await made(images, prompt, { size: '160x120' });
		expect(await sizeOf(png)).toEqual([160, 120]);
		expect(said).toMatch(expected);
		const at = (x: number, y: number) => meanOf(png, [x - 0.02, y - 0.02, x + 0.02, y + 0.02]);
		const [red, blue] = [await at(redX, redY), await at(blueX, blueY)];
		expect([red.red > red.blue + 100, blue.blue > blue.red + 100]).toEqual([true, true]);
	});

	it.each(['put the logo on the flag', 'put image 1 on image 2', 'replace the background of image 1 with image 2'])(
		'%s: lays on what has a background of one colour, without it',
		async (prompt) => {
			const logo = await svg(
				60,
				40,
				'<rect width="60" height="40" fill="#ffffff"/><rect x="20" y="10" width="20" height="20" fill="#20d020"/>',
			);
			const flag = await svg(
				60,
				40,
				'<rect width="60" height="20" fill="#d02020"/><rect y="20" width="60" height="20" fill="#2040d0"/>',
			);
			const { png, said } = await made([logo, flag], prompt, { size: '160x120' });
			expect(said).toMatch(/^Image 1: removed the background, which is of one colour\. Laid image 1 over image 2\./);
			const corner = await meanOf(png, [0, 0, 0.05, 0.05]);
			expect([corner.red > 150, corner.green < 100]).toEqual([true, true]);
			const all = await meanOf(png);
			expect(all.green).toBeGreaterThan(48);
		},
	);
});
