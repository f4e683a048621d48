import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { photo, withChunks } from '../../test/harness/odd-pictures.ts';
import { credentials, signedJpeg, signedPng, signedWebp } from '../../test/harness/signed-pictures.ts';
import { type Marks, readMarks, withMark } from './marks.ts';
import { pngChunk } from './parts.ts';

const [png, jpeg, webp] = await Promise.all([
	photo().png().toBuffer(),
	photo().jpeg().toBuffer(),
	photo().webp().toBuffer(),
]);
const xmp = (source: string) =>
	`<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
	xmlns:e="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"><e:DigitalSourceType>http://cv.iptc.org/newscodes/digitalsourcetype/${source}</e:DigitalSourceType></rdf:Description></rdf:RDF></x:xmpmeta>`;
const text = (flag: 0 | 1, data: Uint8Array) =>
	pngChunk('iTXt', Buffer.concat([Buffer.from(`XML:com.adobe.xmp\0${flag ? '\x01' : '\0'}\0en\0x\0`), data]));

const signed: Marks = { signed: true, source: 'trainedAlgorithmicMedia' };
const marked: Marks = { signed: false, source: 'trainedAlgorithmicMedia' };
const trained = xmp('trainedAlgorithmicMedia');
const large = credentials('trainedAlgorithmicMedia', 200_001);

const FILES: [name: string, bytes: Uint8Array, marks: Marks][] = [
	['a signed PNG', signedPng(png), signed],
	['a signed PNG with a large store', signedPng(png, large), signed],
	['a signed JPEG', signedJpeg(jpeg), signed],
	['a JPEG whose credentials take four segments', signedJpeg(jpeg, large), signed],
	['a JPEG whose credentials are cut within the term', signedJpeg(jpeg, credentials(), 190), signed],
	['a signed WebP', signedWebp(webp), signed],
	['a signed WebP with a large store', signedWebp(webp, large), signed],
	['credentials without a term', signedPng(png, credentials('')), { signed: true }],
	['a term that is the beginning of another', signedJpeg(jpeg, credentials('compositeCapture'), 60), { signed: true }],
	['a signed camera picture', signedPng(png, credentials('digitalCapture')), { signed: true }],
	['a PNG with XMP', withChunks(png, text(0, Buffer.from(trained))), marked],
	['a PNG with compressed XMP', withChunks(png, text(1, deflateSync(trained))), marked],
	['a PNG as libvips writes XMP', await photo().withXmp(trained).png().toBuffer(), marked],
	[
		'the program of a PNG as libvips writes XMP',
		await photo()
			.withXmp(trained.replace('rdf:about=""', 'rdf:about="" xmp:CreatorTool="Easel studio"'))
			.png()
			.toBuffer(),
		{ ...marked, tool: 'Easel studio' },
	],
	['a JPEG with XMP', await photo().withXmp(trained).jpeg().toBuffer(), marked],
	['a WebP with XMP', await photo().withXmp(trained).webp().toBuffer(), marked],
	['XMP of a camera', withChunks(png, text(0, Buffer.from(xmp('digitalCapture')))), { signed: false }],
	[
		'several terms',
		withChunks(
			png,
			...['composite', 'trainedAlgorithmicMedia', 'compositeSynthetic'].map((one) => text(0, Buffer.from(xmp(one)))),
		),
		marked,
	],
	['a term in another text', withChunks(png, pngChunk('tEXt', Buffer.from(`Comment\0${trained}`))), { signed: false }],
	[
		'a chunk that is no box',
		signedPng(png, Buffer.from('not credentials at all, but with their name')),
		{ signed: false },
	],
	[
		'a box of another kind',
		signedJpeg(jpeg, Buffer.from(credentials('').toString('latin1').replace('c2pa', 'j360'), 'latin1')),
		{ signed: false },
	],
	['a PNG whose credentials are cut off', signedPng(png, large).subarray(0, 100_000), { signed: false }],
	['a JPEG without the last part of its credentials', signedJpeg(jpeg, large).subarray(0, 190_000), { signed: false }],
	['neither', png, { signed: false }],
	['no picture', Buffer.from('GIF89a, or something like it'), { signed: false }],
	['nothing', new Uint8Array(), { signed: false }],
];

describe('marks', () => {
	test.each(FILES)('are read in %s', (_, bytes, marks) => {
		expect(readMarks(bytes)).toEqual(marks);
	});

	test('are read in any damaged file without an error', () => {
		const files = fc.constantFrom(...FILES.map(([, bytes]) => bytes).filter(({ length }) => length < 20_000));
		const changes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 12 });
		const property = fc.property(files, changes, fc.nat(), (file, edits, cut) => {
			const bytes = Uint8Array.from(file);
			for (const [at, value] of edits) if (bytes.length > 0) bytes[at % Math.min(bytes.length, 600)] = value;
			const damaged = bytes.subarray(0, cut % 3 ? bytes.length : cut % (bytes.length + 1));
			expect(typeof readMarks(damaged).signed).toBe('boolean');
		});
		fc.assert(property, { numRuns: 1000 });
	});

	test('are read with little work in files that are made to cost much', () => {
		const bomb = text(1, deflateSync(Buffer.alloc(50_000_000)));
		const before = process.threadCpuUsage();
		readMarks(withChunks(png, ...Array.from({ length: 200 }, () => bomb)));
		readMarks(
			withChunks(png, Buffer.concat(Array.from({ length: 500_000 }, () => pngChunk('aaAa', new Uint8Array())))),
		);
		readMarks(Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(10_000_000, 0xff)]));
		readMarks(withChunks(png, text(0, Buffer.from('http://cv.iptc.org/newscodes/digitalsourcetype/'.repeat(20_000)))));
		// The work of this thread, in microseconds, which no other process adds to.
		expect(process.threadCpuUsage(before).user).toBeLessThan(5_000_000);
		// What comes after a bomb counts, unless it is compressed as well.
		expect(readMarks(withChunks(png, bomb, text(0, Buffer.from(trained))))).toEqual(marked);
	});
});

test.each([
	['PNG', png],
	['JPEG', jpeg],
])('a mark is written into a %s without changing its picture', async (_, bytes) => {
	const written = withMark(bytes, 'algorithmicMedia');
	expect(readMarks(written)).toEqual({ signed: false, source: 'algorithmicMedia' });
	const { xmpAsString } = await sharp(written).metadata();
	expect(xmpAsString).toContain('DigitalSourceType="http://cv.iptc.org/newscodes/digitalsourcetype/algorithmicMedia"');
	expect((await sharp(written).raw().toBuffer()).equals(await sharp(bytes).raw().toBuffer())).toBe(true);
});
