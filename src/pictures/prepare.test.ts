import { randomBytes } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import {
	blankPng,
	chunk,
	colourAt,
	photo,
	SIGNATURE,
	uint32,
	withChunks,
	withSegment,
} from '../../test/harness/odd-pictures.ts';
import { credentials, signedJpeg, signedPng, signedWebp } from '../../test/harness/signed-pictures.ts';
import { readMarks, withMark } from './marks.ts';
import { MAX_INPUT_BYTES, MAX_SENT_BYTES, PictureError, prepare } from './prepare.ts';

const RED = [200, 15, 0];
const BLUE = [0, 15, 200];

async function refusal(bytes: Uint8Array): Promise<string> {
	const error = await prepare(bytes).catch((error: unknown) => error);
	if (!(error instanceof PictureError)) throw new Error(`Not refused, but ${String(error)}`);
	return error.message;
}

const near = (colour: number[], expected: number[]) =>
	colour.every((channel, index) => Math.abs(channel - (expected[index] ?? Number.NaN)) < 16);

describe('prepare takes byte for byte', () => {
	test.each([
		['a PNG', () => photo().png()],
		['an interlaced PNG', () => photo().png({ progressive: true })],
		['a PNG with a palette', () => photo().png({ palette: true })],
		['a PNG with transparency', () => photo().ensureAlpha(0.5).png()],
		['a grey PNG', () => photo().greyscale().toColourspace('b-w').png()],
		['a JPEG', () => photo().jpeg()],
		['a progressive JPEG', () => photo().jpeg({ progressive: true })],
		['a grey JPEG', () => photo().greyscale().toColourspace('b-w').jpeg()],
	])('%s', async (_, make) => {
		const { data, info } = await make().toBuffer({ resolveWithObject: true });
		const prepared = await prepare(data);
		expect(prepared).toMatchObject({ type: `image/${info.format}`, width: 40, height: 30 });
		expect(data.equals(prepared.bytes)).toBe(true);
	});

	test.each([
		[1, 1],
		[16_383, 1],
		[1, 16_383],
	])('%d × %d pixels', async (width, height) => {
		const bytes = blankPng(width, height);
		expect(await prepare(bytes)).toMatchObject({ width, height });
	});
});

describe('prepare leaves out, without touching a pixel,', () => {
	const png = () => photo().png().toBuffer();
	const jpeg = () => photo().jpeg().toBuffer();

	test.each<[string, () => Promise<[given: Buffer, left: Buffer]>]>([
		['text', async () => [withChunks(await png(), chunk('tEXt', Buffer.from('Comment\0home'))), await png()]],
		['unknown chunks', async () => [withChunks(await png(), chunk('prVt', randomBytes(5000))), await png()]],
		[
			'animation',
			async () => [withChunks(await png(), chunk('acTL', uint32(2, 0)), chunk('fcTL', Buffer.alloc(26))), await png()],
		],
		[
			'an archive on the end of a PNG',
			async () => [Buffer.concat([await png(), Buffer.from('PK\x03\x04…')]), await png()],
		],
		['a comment', async () => [withSegment(await jpeg(), 0xfe, 'at home'), await jpeg()]],
		[
			'EXIF of what is upright',
			async () => [withSegment(await jpeg(), 0xe1, 'Exif\0\0MM\0*\0\0\0\x08\0\0'), await jpeg()],
		],
		['XMP', async () => [withSegment(await jpeg(), 0xe1, 'http://ns.adobe.com/xap/1.0/\0<x:xmpmeta/>'), await jpeg()]],
		[
			'several of these',
			async () => [
				withSegment(withSegment(await jpeg(), 0xe1, 'Exif\0\0MM\0*\0\0\0\x08\0\0'), 0xed, 'Photoshop'),
				await jpeg(),
			],
		],
		[
			'a colour profile that would decompress to gigabytes',
			async () => {
				const profile = Buffer.concat([Buffer.from('bomb\0\0'), deflateSync(Buffer.alloc(100_000_000))]);
				return [withChunks(await png(), chunk('iCCP', profile)), await png()];
			},
		],
		['a page on the end of a JPEG', async () => [Buffer.concat([await jpeg(), Buffer.from('<html>')]), await jpeg()]],
		['another picture on the end of a JPEG', async () => [Buffer.concat([await jpeg(), await png()]), await jpeg()]],
	])('%s', async (_, make) => {
		const [given, left] = await make();
		expect(left.equals((await prepare(given)).bytes)).toBe(true);
	});

	test('text that would decompress to gigabytes', async () => {
		const text = chunk('zTXt', Buffer.concat([Buffer.from('Comment\0\0'), deflateSync(Buffer.alloc(7_900_000))]));
		const bomb = withChunks(await png(), ...Array<Buffer>(1000).fill(text));
		const before = process.memoryUsage.rss();
		expect((await png()).equals((await prepare(bomb)).bytes)).toBe(true);
		expect(process.memoryUsage.rss() - before).toBeLessThan(400e6);
	});
});

test('prepare keeps one scene of the service, and no other text beside it', async () => {
	const scene = chunk('zTXt', Buffer.concat([Buffer.from('easel-scene\0\0'), deflateSync('{}')]));
	const large = chunk('zTXt', Buffer.concat([Buffer.from('easel-scene\0\0'), randomBytes(100_000)]));
	const text = chunk('tEXt', Buffer.from('Comment\0home'));
	const png = await photo().png().toBuffer();
	expect(withChunks(png, scene).equals((await prepare(withChunks(png, large, text, scene, scene))).bytes)).toBe(true);
});

describe('prepare converts', () => {
	test.each([
		['WebP', () => photo().webp({ lossless: true })],
		['GIF', () => photo().gif()],
		['a PNG of 16 bits', () => photo().toColourspace('rgb16').png()],
		['a PNG with a colour profile', () => photo().withIccProfile('p3').png()],
	])('%s to PNG', async (_, make) => {
		const { bytes, type, width, height } = await prepare(await make().toBuffer());
		expect({ type, width, height }).toEqual({ type: 'image/png', width: 40, height: 30 });
		expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', depth: 'uchar', space: 'srgb' });
		expect((await sharp(bytes).metadata()).icc).toBeUndefined();
		expect(near(await colourAt(bytes, 10, 4), RED) && near(await colourAt(bytes, 10, 24), BLUE)).toBe(true);
	});

	test.each([
		['CMYK', () => photo().toColourspace('cmyk')],
		['another colour space', () => photo().withIccProfile('p3')],
	])('a JPEG in %s to one in sRGB', async (_, make) => {
		const { bytes, type } = await prepare(await make().jpeg({ quality: 95 }).toBuffer());
		expect(type).toBe('image/jpeg');
		expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', space: 'srgb' });
		expect((await sharp(bytes).metadata()).icc).toBeUndefined();
		const [red = 0, , blue = 0] = await colourAt(bytes, 10, 4);
		expect(red).toBeGreaterThan(blue + 100);
	});

	test('a JPEG that EXIF turns, to one that is upright without EXIF', async () => {
		const exif = { IFD0: { Copyright: 'me' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' } };
		const turned = await photo().withExif(exif).withMetadata({ orientation: 6 }).jpeg().toBuffer();
		const { bytes, ...rest } = await prepare(turned);
		expect(rest).toEqual({ type: 'image/jpeg', width: 30, height: 40 });
		const { exif: left, orientation } = await sharp(bytes).metadata();
		expect([left, orientation]).toEqual([undefined, undefined]);
		expect(near(await colourAt(bytes, 24, 20), RED) && near(await colourAt(bytes, 2, 20), BLUE)).toBe(true);
	});

	test.each(['webp', 'gif'] as const)('the first frame of an animated %s', async (format) => {
		const frames = await Promise.all(
			['#c81000', '#0010c8'].map((background) =>
				sharp({ create: { width: 20, height: 20, channels: 3, background } })
					.png()
					.toBuffer(),
			),
		);
		const animated = await sharp(frames, { join: { animated: true } })
			.toFormat(format)
			.toBuffer();
		const { bytes, ...rest } = await prepare(animated);
		expect(rest).toEqual({ type: 'image/png', width: 20, height: 20 });
		expect(near(await colourAt(bytes, 8, 8), RED)).toBe(true);
	});

	// Noise, which no encoder compresses well.
	const noise = (channels: 3 | 4) =>
		sharp(randomBytes(2000 * 1800 * channels), { raw: { width: 2000, height: 1800, channels } });

	test('to JPEG what would be too large as PNG', async () => {
		const { bytes, type, width } = await prepare(await noise(3).webp({ quality: 50 }).toBuffer());
		expect([type, width]).toEqual(['image/jpeg', 2000]);
		expect(bytes.length).toBeLessThanOrEqual(MAX_SENT_BYTES);
	});

	test('to a smaller PNG what would be too large and has transparency', async () => {
		const { bytes, type, width, height } = await prepare(await noise(4).webp({ quality: 50 }).toBuffer());
		expect(type).toBe('image/png');
		expect(bytes.length).toBeLessThanOrEqual(MAX_SENT_BYTES);
		expect(width).toBeLessThan(2000);
		expect(width / height).toBeCloseTo(2000 / 1800, 2);
	});

	test('a picture between the smaller and the larger 10 MB', async () => {
		const size = { width: 1850, height: 1850, channels: 3 } as const;
		const png = await sharp(randomBytes(1850 * 1850 * 3), { raw: size })
			.png({ compressionLevel: 0 })
			.toBuffer();
		expect(png.length).toBeGreaterThan(MAX_SENT_BYTES);
		expect(png.length).toBeLessThan(MAX_INPUT_BYTES);
		expect((await prepare(png)).bytes.length).toBeLessThanOrEqual(MAX_SENT_BYTES);
	});
});

describe('prepare refuses with a message', () => {
	const half = async (format: 'png' | 'jpeg' | 'webp' | 'gif') => {
		const bytes = await photo(120, 90).toFormat(format).toBuffer();
		return bytes.subarray(0, bytes.length / 2);
	};
	const flipped = async (at: number) => {
		const png = await photo().png().toBuffer();
		png[at < 0 ? png.length + at : at]! ^= 1;
		return png;
	};

	test.each<[string, () => Promise<Uint8Array> | Uint8Array, string]>([
		['nothing', () => new Uint8Array(), 'The file is empty. Send another one.'],
		['text', () => Buffer.from('honestly'), 'The file is not a picture. Send a PNG, JPEG, WebP or GIF.'],
		['HEIC', () => Buffer.from('\0\0\0\x18ftypheic'), 'This is a HEIC picture. Send it as PNG, JPEG, WebP or GIF.'],
		['SVG', () => Buffer.from('<svg/>'.padEnd(9, ' ')), 'The file is not a picture. Send a PNG, JPEG, WebP or GIF.'],
		[
			'too many pixels',
			() => blankPng(60_000, 60_000, 1),
			'The picture has 60000 × 60000 pixels; the maximum is 50 million.',
		],
		['too wide a line', () => blankPng(20_000, 1), 'The picture has 20000 × 1 pixels; the maximum is 16383 per side.'],
		[
			'too many bytes',
			() => Buffer.concat([SIGNATURE, Buffer.alloc(14.15 * 1024 * 1024)]),
			'The picture has 14.2 MB; the maximum is 10 MB.',
		],
		[
			'one byte too many',
			() => Buffer.concat([SIGNATURE, Buffer.alloc(MAX_INPUT_BYTES - 7)]),
			'The picture has 10.1 MB; the maximum is 10 MB.',
		],
		['a signature alone', () => SIGNATURE, 'The picture is damaged. Send another one.'],
		['no pixels', () => blankPng(0, 5), 'The picture is damaged. Send another one.'],
		['missing rows', () => blankPng(100, 100, 50), 'The picture is damaged. Send another one.'],
		['a wrong checksum in the header', () => flipped(30), 'The picture is damaged. Send another one.'],
		['a wrong checksum of the data', () => flipped(-14), 'The picture is damaged. Send another one.'],
		['a flipped bit in the data', () => flipped(-40), 'The picture is damaged. Send another one.'],
		['a PNG cut off', () => half('png'), 'The picture is incomplete. Send it again.'],
		[
			'a PNG without its end',
			async () => (await photo().png().toBuffer()).subarray(0, -12),
			'The picture is incomplete. Send it again.',
		],
		['a JPEG cut off', () => half('jpeg'), 'The picture is incomplete. Send it again.'],
		['a GIF cut off', () => half('gif'), 'The picture is incomplete. Send it again.'],
		['a WebP cut off', () => half('webp'), 'The picture is damaged. Send another one.'],
		[
			'a JPEG that is named so by its start alone',
			() => Buffer.from('ffd8ffe000104a464946', 'hex'),
			'The picture is damaged. Send another one.',
		],
	])('%s', async (_, make, sentence) => {
		expect(await refusal(await make())).toBe(sentence);
	});

	test('or takes a picture with any damage', async () => {
		const formats = ['png', 'jpeg', 'webp', 'gif'] as const;
		const valid = await Promise.all(formats.map((format) => photo(24, 18).toFormat(format).toBuffer()));
		const damage = fc.oneof(
			fc.record({ flip: fc.nat(), bit: fc.nat(7) }),
			fc.record({ cut: fc.nat() }),
			fc.record({ put: fc.nat(), bytes: fc.uint8Array({ minLength: 1, maxLength: 12 }) }),
		);
		await fc.assert(
			fc.asyncProperty(
				fc.constantFrom(...valid),
				fc.array(damage, { minLength: 1, maxLength: 4 }),
				async (bytes, all) => {
					let broken = Buffer.from(bytes);
					for (const each of all) {
						if (broken.length === 0) break;
						if ('flip' in each) broken[each.flip % broken.length]! ^= 1 << each.bit;
						else if ('cut' in each) broken = broken.subarray(0, each.cut % broken.length);
						else
							broken.set(each.bytes.subarray(0, broken.length - (each.put % broken.length)), each.put % broken.length);
					}
					const result = await prepare(broken).catch((error: unknown) => error);
					if (result instanceof Error) {
						expect(result).toBeInstanceOf(PictureError);
						expect(result.message).toMatch(/^[A-Z].*\.$/);
					}
				},
			),
			{ numRuns: 400 },
		);
	});
});

const MORE_METADATA = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description
	rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:CreatorTool="A tool" xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"
	Iptc4xmpExt:DigitalSourceType="http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia"/></rdf:RDF></x:xmpmeta>`;

describe('a picture that says how it was made', () => {
	const [png, jpeg, webp] = [photo().png(), photo().jpeg(), photo().webp()];
	test.each([
		['a signed PNG', async () => signedPng(await png.toBuffer())],
		['a signed JPEG', async () => signedJpeg(await jpeg.toBuffer())],
		['a signed WebP, which is converted', async () => signedWebp(await webp.toBuffer())],
		['a signed JPEG, which is turned', async () => signedJpeg(await jpeg.withMetadata({ orientation: 6 }).toBuffer())],
		['a marked PNG', async () => withMark(await png.toBuffer(), 'trainedAlgorithmicMedia')],
		['a PNG with more metadata', () => photo().withXmp(MORE_METADATA).png().toBuffer()],
	])('says so afterwards, without credentials: %s', async (_, file) => {
		const { bytes } = await prepare(await file());
		expect(readMarks(bytes)).toEqual({ signed: false, source: 'trainedAlgorithmicMedia' });
		expect(Buffer.from(bytes).includes('c2pa')).toBe(false);
		expect((await sharp(bytes).metadata()).xmpAsString).not.toContain('CreatorTool');
	});

	test('says nothing when the original does not', async () => {
		for (const file of [signedPng(await png.toBuffer(), credentials('')), await jpeg.toBuffer()])
			expect((await sharp((await prepare(file)).bytes).metadata()).xmp).toBeUndefined();
	});
});
