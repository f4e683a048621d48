import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import {
	apart,
	difference,
	flat,
	landscape,
	lightOf,
	meanOf,
	pixelsOf,
	portrait,
	svg,
} from '../operations/pictures.fixture.ts';
import { editPicture } from './edit-picture.ts';

const { signal } = new AbortController();
const edit = (image: Uint8Array, instruction: string, { variation = 0, sharp = false } = {}) =>
	editPicture({ image, instruction, variation, sharp }, signal);

const scene = await landscape();
const person = await portrait();
const sky = [0.05, 0.05, 0.95, 0.35] as const;
const grass = [0, 0.7, 0.15, 1] as const;
const disc = [0.45, 0.62, 0.55, 0.78] as const;
const corner = [0, 0, 0.1, 0.1] as const;

describe('tones', () => {
	it.each([
		['brighter', 12],
		['much brighter', 25],
		['darker', -25],
		['slightly darker', -8],
		['make it night', -60],
	])('%s', async (instruction, least) => {
		const change = lightOf(await meanOf(await edit(scene, instruction))) - lightOf(await meanOf(scene));
		expect(change * Math.sign(least)).toBeGreaterThan(Math.abs(least));
	});

	it('takes the colour away', async () => {
		const { red, green, blue } = await meanOf(await edit(scene, 'black and white'), disc);
		expect(Math.abs(red - green) + Math.abs(green - blue)).toBeLessThan(3);
	});

	it('warms and cools', async () => {
		const balance = async (instruction: string) => {
			const { red, blue } = await meanOf(await edit(scene, instruction));
			return red - blue;
		};
		const [warm, plain, cool] = [await balance('warmer'), await balance('flip it'), await balance('cooler')];
		expect(warm).toBeGreaterThan(plain + 15);
		expect(cool).toBeLessThan(plain - 15);
	});

	it('inverts, and back', async () => {
		expect(await difference(await edit(scene, 'invert, then invert'), scene)).toBe(0);
	});

	it('tints towards a colour', async () => {
		const { red, green, blue } = await meanOf(await edit(await flat('#888888'), 'make it blue'));
		expect(blue).toBeGreaterThan(Math.max(red, green) + 20);
	});
});

describe('one part, and not another', () => {
	it('moves a named colour and leaves the others', async () => {
		const result = await edit(scene, 'turn the red ball blue', { sharp: true });
		const { red, blue } = await meanOf(result, disc);
		expect(blue).toBeGreaterThan(red + 80);
		expect(apart(await meanOf(result, sky), await meanOf(scene, sky))).toBeLessThan(2);
		expect(apart(await meanOf(result, grass), await meanOf(scene, grass))).toBeLessThan(2);
	});

	it('colours the sky alone', async () => {
		const result = await edit(scene, 'make the sky purple');
		const { red, green, blue } = await meanOf(result, sky);
		expect(Math.min(red, blue)).toBeGreaterThan(green + 40);
		expect(apart(await meanOf(result, grass), await meanOf(scene, grass))).toBeLessThan(3);
	});

	it('keeps one colour and greys the rest', async () => {
		const result = await edit(scene, 'only the red in colour');
		expect(apart(await meanOf(result, disc), await meanOf(scene, disc))).toBeLessThan(4);
		const { red, green } = await meanOf(result, grass);
		expect(Math.abs(red - green)).toBeLessThan(3);
	});

	it('removes the background', async () => {
		const result = await edit(person, 'remove the background');
		expect((await meanOf(result, corner)).alpha).toBe(0);
		expect(await meanOf(result, [0.4, 0.4, 0.6, 0.6])).toMatchObject({ alpha: 255, red: 32, blue: 154 });
	});

	it('cuts softly about the middle where no background can be told', async () => {
		const result = await edit(await flat('#3377aa'), 'remove the background');
		expect((await meanOf(result, corner)).alpha).toBeLessThan(60);
		expect((await meanOf(result, [0.45, 0.45, 0.55, 0.55])).alpha).toBe(255);
	});

	it('replaces the background by a colour', async () => {
		const result = await edit(person, 'make the background green');
		expect(await meanOf(result, corner)).toMatchObject({ red: 46, green: 158, blue: 79 });
		expect(await meanOf(result, [0.45, 0.45, 0.55, 0.55])).toMatchObject({ red: 32, green: 64, blue: 154 });
	});

	it('blurs what is behind the subject', async () => {
		const stripes = Array.from(
			{ length: 24 },
			(_, index) => `<rect x="${index * 8}" width="4" height="192" fill="#d8cdb8"/>`,
		);
		const image = await svg(
			192,
			192,
			`<rect width="192" height="192" fill="#efe6d6"/>${stripes.join('')}<circle cx="96" cy="96" r="50" fill="#20409a"/><rect x="94" y="60" width="4" height="70" fill="#fff"/>`,
		);
		const spread = async (png: Uint8Array, box: { left: number; top: number; width: number; height: number }) =>
			(await sharp(await sharp(png).extract(box).toBuffer()).stats()).channels[0]?.stdev ?? 0;
		const result = await edit(image, 'blur the background a lot');
		const [outside, inside] = [
			{ left: 4, top: 4, width: 40, height: 20 },
			{ left: 76, top: 76, width: 40, height: 40 },
		];
		expect(await spread(result, outside)).toBeLessThan((await spread(image, outside)) * 0.5);
		expect(await spread(result, inside)).toBeGreaterThan((await spread(image, inside)) * 0.9);
	});
});

describe('shapes', () => {
	it.each([
		['crop it square', 72, 72],
		['left half', 48, 72],
		['rotate left', 72, 96],
		['rotate 90 degrees and crop to 1:1', 72, 72],
		['half size', 48, 36],
		['twice as large', 192, 144],
		['resize to 50x20', 50, 20],
		['8 times larger, then 8 times larger', 2048, 1536],
		['flip it', 96, 72],
		['kaleidoscope', 72, 72],
		['zoom in', 96, 72],
	])('%s', async (instruction, width, height) => {
		expect(await sharp(await edit(scene, instruction)).metadata()).toMatchObject({ format: 'png', width, height });
	});

	it('turns and mirrors the right way round', async () => {
		const image = await svg(
			40,
			40,
			'<rect width="40" height="40" fill="#fff"/><rect width="20" height="20" fill="#f00"/>',
		);
		const redAt = async (instruction: string) => {
			const png = await edit(image, instruction);
			const quarters = { nw: [0, 0], ne: [0.5, 0], sw: [0, 0.5], se: [0.5, 0.5] } as const;
			for (const [name, [x, y]] of Object.entries(quarters)) {
				if ((await meanOf(png, [x, y, x + 0.45, y + 0.45])).green < 60) return name;
			}
			return 'nowhere';
		};
		expect(await redAt('rotate right')).toBe('ne');
		expect(await redAt('rotate left')).toBe('sw');
		expect(await redAt('flip vertically')).toBe('sw');
		expect(await redAt('mirror it')).toBe('ne');
		expect(await redAt('upside down')).toBe('se');
	});

	it('does things in their order', async () => {
		const framedFirst = await edit(scene, 'add a red border, then make it black and white');
		const greyFirst = await edit(scene, 'make it black and white, then add a red border');
		const edge = [0, 0, 0.01, 1] as const;
		const [grey, red] = [await meanOf(framedFirst, edge), await meanOf(greyFirst, edge)];
		expect(Math.abs(grey.red - grey.green)).toBeLessThan(3);
		expect(red.red).toBeGreaterThan(red.green + 100);
	});

	it('makes a circle with nothing around it', async () => {
		const result = await edit(scene, 'crop it to a circle');
		expect((await meanOf(result, [0, 0, 0.05, 0.05])).alpha).toBe(0);
		expect((await meanOf(result, [0.4, 0.4, 0.6, 0.6])).alpha).toBe(255);
	});
});

describe('additions', () => {
	it('writes a text where it is told to', async () => {
		const image = await flat('#204060', 200, 100);
		const result = await edit(image, 'write “HELLO” in yellow at the top', { sharp: true });
		const top = await meanOf(result, [0.2, 0, 0.8, 0.3]);
		expect(top.red - top.blue).toBeGreaterThan(0x20 - 0x60 + 12);
		expect(apart(await meanOf(result, [0, 0.5, 1, 1]), await meanOf(image))).toBeLessThan(1);
	});

	it('writes more crisply where sharp letters are asked for', async () => {
		const image = await flat('#204060', 400, 200);
		const inked = async (sharper: boolean) => {
			const { data } = await pixelsOf(await edit(image, 'write “HELLO” in yellow', { sharp: sharper }));
			return data.filter((value, at) => at % 4 === 2 && Math.abs(value - 39) < 3 && (data[at - 2] ?? 0) > 240).length;
		};
		expect(await inked(true)).toBeGreaterThan((await inked(false)) * 1.1);
	});

	it('brings falling snow to winter and stars to the night sky', async () => {
		const winter = await edit(scene, 'make it winter');
		const { red, green, blue } = await meanOf(winter, grass);
		expect(Math.min(red, green, blue)).toBeGreaterThan(150);
		const { data } = await pixelsOf(await edit(await landscape(320, 240), 'make it night'));
		expect(data.subarray(0, 320 * 90 * 4).some((value, at) => at % 4 === 0 && value > 190)).toBe(true);
	});
});

describe('an instruction that is not understood', () => {
	it('changes the picture gently, by its words', async () => {
		const one = await edit(scene, 'whimsical contraption');
		const other = await edit(scene, 'unfathomable jabberwock');
		for (const result of [one, other]) {
			const change = await difference(result, scene);
			expect(change).toBeGreaterThan(2);
			expect(change).toBeLessThan(30);
		}
		expect(await difference(one, other)).toBeGreaterThan(1);
	});
});

it.each(['make it night', 'rotate left', 'turn the red ball blue', 'blah'])(
	'varies visibly, and repeats itself: %s',
	async (instruction) => {
		const [first, again, second] = [
			await edit(scene, instruction),
			await edit(scene, instruction),
			await edit(scene, instruction, { variation: 1 }),
		];
		expect(Buffer.compare(first, again)).toBe(0);
		expect(await difference(first, second)).toBeGreaterThan(0.8);
	},
);

it('honours EXIF orientation, takes the first frame, keeps transparency', async () => {
	const turned = await sharp(scene).jpeg().withMetadata({ orientation: 6 }).toBuffer();
	expect(await sharp(await edit(turned, 'brighter')).metadata()).toMatchObject({ width: 72, height: 96 });
	const frames = await sharp([await flat('#ff0000', 16, 16), await flat('#0000ff', 16, 16)], {
		join: { animated: true },
	})
		.gif()
		.toBuffer();
	expect(await sharp(await edit(frames, 'flip')).metadata()).toMatchObject({ width: 16, height: 16 });
	expect((await meanOf(await edit(frames, 'flip'))).red).toBeGreaterThan(200);
	const clear = await svg(20, 20, '<circle cx="10" cy="10" r="6" fill="#0a0"/>');
	expect((await meanOf(await edit(clear, 'brighter'), [0, 0, 0.1, 0.1])).alpha).toBe(0);
});

it('rejects what is no picture', async () => {
	await expect(edit(new Uint8Array([1, 2, 3]), 'brighter')).rejects.toThrow();
});

describe('any instruction on any picture', () => {
	const everything =
		'night|sunset|golden hour|dawn|blue hour|sunny|winter|spring|summer|autumn|rain|storm|fog|overcast|sketch|edges|oil painting|watercolour|cartoon|comic|neon|halftone|emboss|mosaic|stained glass|glitch|blueprint|blur|motion blur|tilt-shift|blur the background|sharpen|denoise|grain|vignette|glow|pixelate|polaroid|golden frame|film strip|frame|rounded corners|heart shaped|star shaped|circle|extend|zoom in|kaleidoscope|mirror effect|tile|pop art|collage|sticker|silhouette|crop to content|rotate 5 degrees|rotate 33 degrees|add a rainbow|aurora|fireworks|lightning|bubbles|sparkles|balloons|birds|butterflies|flowers|leaves|light rays|bokeh|grid|scanlines|lens flare|clouds|hearts|confetti|moon|sun|stars|thermal|x-ray|underwater|cinematic|dramatic|vintage|matrix|posterize|duotone|threshold|hue shift|write “x”|watermark “y”|make the plants red|make the water green|make the dog pink'.split(
			'|',
		);

	it.each(['1x1', '1x40', '40x1', '3x2', '17x31'])('of %s pixels', async (size) => {
		const [width = 1, height = 1] = size.split('x').map(Number);
		const image = await landscape(width, height);
		for (const instruction of everything) {
			const { format } = await sharp(await edit(image, instruction)).metadata();
			expect(format, instruction).toBe('png');
		}
	});

	it('ends in a picture', async () => {
		const words = fc.oneof(fc.constantFrom(...everything), fc.string({ unit: 'binary', maxLength: 30 }));
		await fc.assert(
			fc.asyncProperty(fc.array(words, { maxLength: 4 }), fc.nat(5), fc.boolean(), async (list, variation, sharper) => {
				const png = await edit(scene, list.join(', then '), { variation, sharp: sharper });
				expect((await sharp(png).metadata()).format).toBe('png');
			}),
			{ numRuns: 25 },
		);
	});
});
