import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { apart, difference, flat, landscape, lightOf, meanOf, pixelsOf, svg } from '../../test/pictures.fixture.ts';
import { describeOperation } from '../scene/captions/describe.ts';
import { LOOKS, type Operation, operation, PAINTERLY } from '../scene/scene.ts';
import { edit } from './operate.ts';

const scene = await landscape();
const stripes = await svg(
	96,
	96,
	`<rect width="96" height="96" fill="#666"/>${Array.from({ length: 12 }, (_, at) => `<rect x="${at * 8}" width="4" height="96" fill="#aaa"/>`).join('')}`,
);
const disc = [0.45, 0.62, 0.55, 0.78] as const;
const corner = [0, 0, 0.05, 0.05] as const;
const middle = [0.4, 0.4, 0.6, 0.6] as const;

const apply = (
	image: Uint8Array,
	operations: Operation | readonly Operation[],
	{ variation = 0, sharpText = false } = {},
) => edit({ pictures: [image], operations: [operations].flat(), variation, sharpText });

describe('tones', () => {
	it.each([
		['brightness', 1, 12],
		['brightness', 1.6, 20],
		['brightness', -1, -25],
		['brightness', -0.5, -12],
	] as const)('%s %d', async (what, amount, least) => {
		const change =
			lightOf(await meanOf(await apply(scene, { do: 'adjust', what, amount }))) - lightOf(await meanOf(scene));
		expect(change * Math.sign(least)).toBeGreaterThan(Math.abs(least));
	});

	it('spreads light and dark with contrast, and colours with saturation', async () => {
		const spread = async (what: 'contrast' | 'saturation', amount: number) => {
			const png = await apply(scene, { do: 'adjust', what, amount });
			const [sky, ball] = [await meanOf(png, corner), await meanOf(png, disc)];
			return what === 'contrast' ? lightOf(sky) - lightOf(ball) : ball.red - ball.green;
		};
		for (const what of ['contrast', 'saturation'] as const)
			expect(await spread(what, 1)).toBeGreaterThan((await spread(what, -1)) + 40);
	});

	it('warms and cools', async () => {
		const balance = async (amount: number) => {
			const { red, blue } = await meanOf(await apply(scene, { do: 'adjust', what: 'warmth', amount }));
			return red - blue;
		};
		expect(await balance(1)).toBeGreaterThan((await balance(0)) + 15);
		expect(await balance(-1)).toBeLessThan((await balance(0)) - 15);
	});

	it('takes the colour away, in every variation', async () => {
		for (const variation of [0, 1, 2]) {
			const { red, green, blue } = await meanOf(
				await apply(scene, { do: 'look', name: 'greyscale' }, { variation }),
				disc,
			);
			expect(Math.abs(red - green) + Math.abs(green - blue)).toBeLessThan(3);
		}
	});

	it('tints towards a colour', async () => {
		const { red, green, blue } = await meanOf(
			await apply(await flat('#888888'), { do: 'tint', colour: '#2040d0', amount: 1 }),
		);
		expect(blue).toBeGreaterThan(Math.max(red, green) + 20);
	});

	it('inverts, and back', async () => {
		const invert = { do: 'look', name: 'invert' } as const;
		expect(await difference(await apply(scene, [invert, invert]), scene)).toBe(0);
	});

	it('tones like night and like sunset', async () => {
		const night = await meanOf(await apply(scene, { do: 'look', name: 'night' }));
		expect(lightOf(night)).toBeLessThan(lightOf(await meanOf(scene)) - 60);
		const sunset = await meanOf(await apply(scene, { do: 'look', name: 'sunset' }), corner);
		expect(sunset.red).toBeGreaterThan(sunset.blue);
	});

	it.each([...LOOKS, ...PAINTERLY])('changes the picture visibly: %s', async (name) => {
		const look = operation.parse(PAINTERLY.includes(name as never) ? { do: 'style', name } : { do: 'look', name });
		expect(await difference(await apply(scene, look), scene)).toBeGreaterThan(1.5);
	});
});

describe('sharpness', () => {
	const spread = async (png: Uint8Array, left = 2, top = 2) => {
		const part = await sharp(png).extract({ left, top, width: 24, height: 16 }).toBuffer();
		return (await sharp(part).stats()).channels[0]?.stdev ?? 0;
	};

	it('blurs and sharpens', async () => {
		expect(await spread(await apply(stripes, { do: 'blur', where: 'everything', amount: 2 }))).toBeLessThan(
			(await spread(stripes)) * 0.7,
		);
		expect(await spread(await apply(stripes, { do: 'sharpen', amount: 1 }))).toBeGreaterThan(
			(await spread(stripes)) * 1.1,
		);
	});

	it('blurs the edges, and not the middle', async () => {
		const result = await apply(stripes, { do: 'blur', where: 'edges', amount: 2 });
		expect(await spread(result)).toBeLessThan((await spread(stripes)) * 0.8);
		expect(await spread(result, 36, 40)).toBeGreaterThan((await spread(stripes, 36, 40)) * 0.9);
	});

	it('makes blocks', async () => {
		const { data, width } = await pixelsOf(await apply(scene, { do: 'pixelate', amount: 5 }));
		const row = Array.from({ length: width }, (_, x) =>
			data.subarray((width * 50 + x) * 4, (width * 50 + x) * 4 + 3).join(),
		);
		expect(row.filter((colour, x) => colour === row[x + 1]).length).toBeGreaterThan(width * 0.7);
	});

	it('darkens the corners, and not the middle', async () => {
		const result = await apply(scene, { do: 'vignette', amount: 1 });
		expect(lightOf(await meanOf(result, corner))).toBeLessThan(lightOf(await meanOf(scene, corner)) - 40);
		expect(apart(await meanOf(result, middle), await meanOf(scene, middle))).toBeLessThan(3);
	});
});

describe('shapes', () => {
	it.each<[operations: readonly Operation[], width: number, height: number]>([
		[[{ do: 'crop', ratio: 1 }], 72, 72],
		[[{ do: 'rotate', degrees: -90 }], 72, 96],
		[
			[
				{ do: 'rotate', degrees: 90 },
				{ do: 'crop', ratio: 1 },
			],
			72,
			72,
		],
		[[{ do: 'scale', factor: 0.5 }], 48, 36],
		[
			[
				{ do: 'scale', factor: 8 },
				{ do: 'scale', factor: 8 },
			],
			2048,
			1536,
		],
		[[{ do: 'resize', width: 50, height: 20 }], 50, 20],
		[[{ do: 'flip', axis: 'horizontal' }], 96, 72],
		[[{ do: 'zoom', factor: 1.6 }], 96, 72],
		[[{ do: 'zoom', factor: 0.5 }], 96, 72],
		[[{ do: 'frame', style: 'circle', colour: '#ffffff' }], 72, 72],
	])('%j', async (operations, width, height) => {
		expect(await sharp(await apply(scene, operations)).metadata()).toMatchObject({ format: 'png', width, height });
	});

	it('turns and mirrors the right way round', async () => {
		const image = await svg(
			40,
			40,
			'<rect width="40" height="40" fill="#fff"/><rect width="20" height="20" fill="#f00"/>',
		);
		const redAt = async (operation: Operation) => {
			const png = await apply(image, operation);
			const quarters = { nw: [0, 0], ne: [0.5, 0], sw: [0, 0.5], se: [0.5, 0.5] } as const;
			for (const [name, [x, y]] of Object.entries(quarters)) {
				if ((await meanOf(png, [x, y, x + 0.45, y + 0.45])).green < 60) return name;
			}
			return 'nowhere';
		};
		expect(await redAt({ do: 'rotate', degrees: 90 })).toBe('ne');
		expect(await redAt({ do: 'rotate', degrees: -90 })).toBe('sw');
		expect(await redAt({ do: 'rotate', degrees: 180 })).toBe('se');
		expect(await redAt({ do: 'flip', axis: 'vertical' })).toBe('sw');
		expect(await redAt({ do: 'flip', axis: 'horizontal' })).toBe('ne');
	});

	it('leaves no corner empty after a slight turn', async () => {
		expect((await meanOf(await apply(scene, { do: 'rotate', degrees: 7 }), corner)).alpha).toBe(255);
	});

	it('zooms into the middle and out of it', async () => {
		const share = async (factor: number) => {
			const { data } = await pixelsOf(await apply(scene, { do: 'zoom', factor }));
			return data.filter((value, at) => at % 4 === 0 && value > 190 && (data[at + 1] ?? 0) < 60).length;
		};
		const own = await share(1);
		expect(await share(1.5)).toBeGreaterThan(own * 1.5);
		expect(await share(0.5)).toBeLessThan(own * 0.5);
	});
});

describe('frames and texts', () => {
	it('frames in a colour, and does things in their order', async () => {
		const frame = { do: 'frame', style: 'plain', colour: '#d02020' } as const;
		const grey = { do: 'look', name: 'greyscale' } as const;
		const edge = [0, 0, 0.01, 1] as const;
		const red = await meanOf(await apply(scene, [grey, frame]), edge);
		expect(red).toMatchObject({ red: 208, green: 32 });
		const greyed = await meanOf(await apply(scene, [frame, grey]), edge);
		expect(Math.abs(greyed.red - greyed.green)).toBeLessThan(3);
	});

	it.each(['polaroid', 'ornate'] as const)('adds a %s frame around the picture', async (style) => {
		const result = await apply(scene, { do: 'frame', style, colour: '#c99e3c' });
		const { width } = await sharp(result).metadata();
		expect(width).toBeGreaterThan(style === 'ornate' ? 96 : 72);
		const { red, blue } = await meanOf(result, [0, 0, 0.03, 1]);
		expect(red).toBeGreaterThan(blue + 40);
	});

	it.each(['circle', 'rounded'] as const)('leaves nothing in the corners: %s', async (style) => {
		const result = await apply(scene, { do: 'frame', style, colour: '#ffffff' });
		expect((await meanOf(result, [0, 0, 0.001, 0.001])).alpha).toBeLessThan(20);
		expect((await meanOf(result, middle)).alpha).toBeGreaterThan(254);
	});

	it('writes a text where it is told to', async () => {
		const image = await flat('#204060', 200, 100);
		const result = await apply(image, { do: 'text', text: 'HELLO', place: 'top', colour: '#ffe020' });
		const top = await meanOf(result, [0.2, 0, 0.8, 0.3]);
		expect(top.red - top.blue).toBeGreaterThan(0x20 - 0x60 + 12);
		expect(apart(await meanOf(result, [0, 0.5, 1, 1]), await meanOf(image))).toBeLessThan(1);
	});

	it('writes more crisply where sharp letters are asked for', async () => {
		const image = await flat('#204060', 400, 200);
		const inked = async (sharpText: boolean) => {
			const text = { do: 'text', text: 'HELLO', place: 'centre', colour: '#ffe020' } as const;
			const { data } = await pixelsOf(await apply(image, text, { sharpText }));
			return data.filter((value, at) => at % 4 === 2 && Math.abs(value - 32) < 3 && (data[at - 2] ?? 0) > 240).length;
		};
		expect(await inked(true)).toBeGreaterThan((await inked(false)) * 1.1);
	});

	it('keeps what is transparent', async () => {
		const image = await svg(60, 60, '<rect x="30" width="30" height="60" fill="#d02020"/>');
		const operations: Operation[] = [
			...(['sharpen', 'vignette', 'grain', 'glow'] as const).map((name) => ({ do: name, amount: 1 }) as const),
			{ do: 'look', name: 'vintage' },
			{ do: 'style', name: 'poster' },
		];
		for (const one of operations) {
			const result = await apply(image, one);
			expect((await meanOf(result, [0, 0, 0.3, 1])).alpha, one.do).toBe(0);
			expect((await meanOf(result, [0.7, 0, 1, 1])).alpha, one.do).toBe(255);
			expect((await sharp(await apply(await flat('#888'), one)).metadata()).hasAlpha, one.do).toBe(false);
		}
	});
});

describe('variations', () => {
	it.each<Operation>([
		{ do: 'rotate', degrees: -90 },
		{ do: 'look', name: 'greyscale' },
		{ do: 'adjust', what: 'brightness', amount: 1 },
		{ do: 'frame', style: 'plain', colour: '#d02020' },
		{ do: 'text', text: 'SALE', place: 'top' },
	])('are the same again, and visibly different from each other: $do', async (one) => {
		const results = await Promise.all([0, 1, 2].map((variation) => apply(scene, one, { variation })));
		const sized = await Promise.all(results.map((png) => sharp(png).resize(60, 60, { fit: 'fill' }).png().toBuffer()));
		expect(Buffer.compare(await apply(scene, one, { variation: 1 }), results[1]!)).toBe(0);
		for (const [first, second] of [
			[0, 1],
			[0, 2],
			[1, 2],
		] as const)
			expect(await difference(sized[first]!, sized[second]!)).toBeGreaterThan(2);
	});
});

it('turns any operations on any picture into a picture of bounded size, and says what it did', async () => {
	const images = [await flat('#888', 1, 1), await landscape(300, 3), await landscape(2, 90), await landscape(41, 30)];
	const amount = fc.double({ min: -2, max: 2, noNaN: true });
	const simple = ['sharpen', 'vignette', 'pixelate', 'grain', 'glow'] as const;
	const any = fc.oneof(
		fc.record({ do: fc.constantFrom(...simple), amount }),
		fc.record({
			do: fc.constant('adjust'),
			what: fc.constantFrom('brightness', 'contrast', 'saturation', 'warmth'),
			amount,
		}),
		fc.record({ do: fc.constant('look'), name: fc.constantFrom(...LOOKS) }),
		fc.record({ do: fc.constant('style'), name: fc.constantFrom(...PAINTERLY) }),
		fc.record({ do: fc.constant('blur'), where: fc.constantFrom('everything', 'edges'), amount }),
		fc.record({ do: fc.constant('crop'), ratio: fc.double({ min: 0.1, max: 10, noNaN: true }) }),
		fc.record({ do: fc.constant('zoom'), factor: fc.double({ min: 0.25, max: 4, noNaN: true }) }),
		fc.record({ do: fc.constant('rotate'), degrees: fc.integer({ min: -360, max: 360 }) }),
		fc.record({ do: fc.constant('scale'), factor: fc.double({ min: 0.05, max: 8, noNaN: true }) }),
		fc.record({
			do: fc.constant('frame'),
			style: fc.constantFrom('plain', 'polaroid', 'ornate', 'rounded', 'circle'),
			colour: fc.constant('#c99e3c'),
		}),
		fc.record({
			do: fc.constant('text'),
			text: fc.string({ unit: 'grapheme', maxLength: 20 }),
			place: fc.constantFrom('top', 'centre', 'bottom'),
		}),
	);
	const run = async (image: Uint8Array, operations: readonly Operation[], variation: number) => {
		const { width = 0, height = 0, format } = await sharp(await apply(image, operations, { variation })).metadata();
		expect(format).toBe('png');
		expect(Math.max(width, height)).toBeLessThanOrEqual(2048);
		for (const one of operations) expect(describeOperation(one)).toMatch(/^[A-Z][^.]{3,}/);
	};
	await fc.assert(
		fc.asyncProperty(
			fc.constantFrom(...images),
			fc.array(
				any.map((one) => operation.parse(one)),
				{ maxLength: 4 },
			),
			fc.nat(3),
			run,
		),
		{ numRuns: 60 },
	);
});
