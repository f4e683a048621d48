import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { imageResult, smallPng } from '../../../test/fakes/service.ts';
import { InvalidResponseError } from '../errors.ts';
import { IMAGE_LIMITS, ImageDecoder, type ImageLimits } from './image-decoder.ts';

let png: Buffer;
let other: Buffer;

beforeAll(async () => {
	png = await smallPng('#c0392b', 8, 8);
	other = await smallPng('#2980b9', 5, 3);
});

/** Decodes pieces and then overwrites them, as the client does when it releases their memory. */
function decode(pieces: Iterable<Uint8Array>, length?: number, limits?: ImageLimits) {
	const decoder = new ImageDecoder(length, limits);
	for (const piece of pieces) {
		const lent = Buffer.from(piece);
		decoder.write(lent);
		lent.fill(0x22);
	}
	return decoder.end();
}

function decodeText(text: string | Uint8Array, limits?: ImageLimits) {
	return decode([Buffer.from(text)], undefined, limits);
}

function answer(b64: string): string {
	return `{"created":7,"data":[{"b64_json":"${b64}"}]}`;
}

function bytesOf(result: { images: { bytes: Uint8Array }[] }): Buffer[] {
	return result.images.map(({ bytes }) => Buffer.from(bytes));
}

describe('more pictures than were asked for', () => {
	const limits = { ...IMAGE_LIMITS, pictures: 2 };

	test('are read over, and counted', () => {
		const many = Array.from({ length: 20_000 }, (_, index) => (index < 2 ? png : other));
		const { images, dropped } = decodeText(imageResult(...many), limits);
		expect(images.map(({ width }) => width)).toEqual([8, 8]);
		expect(dropped).toBe(19_998);
		expect(decodeText(imageResult(png, png), limits).dropped).toBeUndefined();
	});

	test('need not be valid, wherever the network cuts them', () => {
		const rest = [
			'{"b64_json":"no \\" picture"}',
			'{"a":[{"b64_json":"x"}]}',
			'"text"',
			'7',
			'{"url":"a","b64_json":{}}',
		];
		const item = `{"b64_json":"${png.toString('base64')}"}`;
		const body = Buffer.from(`{"data":[${[item, item, ...rest].join()}],"created":7}`);
		fc.assert(
			fc.property(fc.array(fc.nat(body.length), { maxLength: 5 }), (cuts) => {
				const ends = [...cuts, body.length].sort((one, two) => one - two);
				const result = decode(
					ends.map((end, index) => body.subarray(ends[index - 1] ?? 0, end)),
					undefined,
					limits,
				);
				expect(bytesOf(result)).toEqual([png, png]);
				expect(result).toMatchObject({ created: 7, dropped: rest.length });
			}),
			{ numRuns: 50 },
		);
		expect(() => decodeText(`{"data":[${item},${item},{"b64_json":"cut`, limits)).toThrow(InvalidResponseError);
	});

	test('are refused when they are nothing but structure', () => {
		const empty = '{},'.repeat(500_000);
		expect(() => decodeText(`{"data":[${empty}{}]}`, { ...limits, otherBytes: 64 * 1024 * 1024 })).toThrow(
			'too many parts',
		);
	});
});

describe('a valid answer', () => {
	test('gives pictures with their size, and the time', () => {
		expect(decodeText(imageResult(png, other))).toEqual({
			created: 1_760_000_000,
			images: [
				{ bytes: new Uint8Array(png), width: 8, height: 8 },
				{ bytes: new Uint8Array(other), width: 5, height: 3 },
			],
			addresses: [],
		});
	});

	test('gives the tokens that the service counted', () => {
		const usage = { input_tokens: 12, output_tokens: 100, total_tokens: 112 };
		const body = JSON.stringify({ ...JSON.parse(imageResult(png)), usage });
		expect(decodeText(body).tokens).toEqual({ input: 12, output: 100 });
	});

	test('is the same wherever the network cuts it', () => {
		const escaped = png.toString('base64').replaceAll('/', '\\/').replace('+', '\\u002B').replace('A', '\\u0041');
		const body = Buffer.from(
			`{"é€😀":"\\"\\\\","created":7,"deep":[{"b64_json":"no"}],"data":[{"b64_json":"data:image/png;base64,${escaped}"}]}`,
		);
		for (let at = 0; at <= body.length; at++) {
			expect(bytesOf(decode([body.subarray(0, at), body.subarray(at)]))).toEqual([png]);
		}
		expect(bytesOf(decode([...body].map((byte) => Buffer.of(byte))))).toEqual([png]);
	});

	test('is what JSON.parse and Buffer return, for any pictures, layout and chunks', () => {
		const picture = fc.uint8Array({ maxLength: 3000 }).map((tail) => Buffer.concat([png, tail]));
		const written = (b64: string, which: number) =>
			[
				b64,
				b64.replaceAll('/', '\\/'),
				b64.replace(/=+$/, ''),
				`data:image/png;base64,${b64}`,
				b64.replaceAll('+', '-').replaceAll('/', '_'),
				(b64.match(/.{1,76}/g) ?? []).join('\\r\\n'),
				[...b64].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
			][which % 7]!;
		fc.assert(
			fc.property(
				fc.array(fc.tuple(picture, fc.nat(6), fc.json()), { minLength: 1, maxLength: 4 }),
				fc.array(fc.nat(2000), { maxLength: 20 }),
				fc.constantFrom('', ' ', '\n\t'),
				fc.boolean(),
				(items, sizes, space, known) => {
					const data = items.map(
						([bytes, which, junk]) =>
							`{"x":${junk},${space}"b64_json"${space}:"${written(bytes.toString('base64'), which)}","y":${junk}}`,
					);
					const body = Buffer.from(
						`${space}{"junk":${items[0]![2]},"created":1,"data":[${data.join(`${space},`)}]}${space}`,
					);
					const pieces: Buffer[] = [];
					let at = 0;
					for (const size of sizes) {
						pieces.push(body.subarray(at, at + size));
						at += size;
					}
					pieces.push(body.subarray(at));
					const result = decode(pieces, known ? body.length : undefined);
					expect(bytesOf(result)).toEqual(items.map(([bytes]) => bytes));
				},
			),
			{ numRuns: 200 },
		);
	});

	test('may have unknown fields of any depth, also ones named b64_json', () => {
		const b64 = png.toString('base64');
		const text = `{"b64_json":"x","data":[{"revised":{"b64_json":"0","data":[{"b64_json":"1"}]},"b64_json":"${b64}","list":["b64_json","b64_json"]}],"meta":{"data":[{"b64_json":"2"}]}}`;
		expect(bytesOf(decodeText(text))).toEqual([png]);
		const nested = `${'['.repeat(200)}${']'.repeat(200)}`;
		expect(bytesOf(decodeText(`{"n":${nested},"data":[{"b64_json":"${b64}"}]}`))).toEqual([png]);
	});

	test('may have keys twice, of which the last counts, and keys written with escapes', () => {
		const [one, two] = [png.toString('base64'), other.toString('base64')];
		expect(bytesOf(decodeText(`{"data":[{"b64_json":"${one}","b64_json":"${two}"}]}`))).toEqual([other]);
		expect(bytesOf(decodeText(`{"data":[{"b64_json":"${one}"}],"data":[{"b64_json":"${two}"}]}`))).toEqual([other]);
		expect(bytesOf(decodeText(`{"d\\u0061ta":[{"b64\\u005fjson":"${one}"}]}`))).toEqual([png]);
	});

	test('may lack the time', () => {
		expect(decodeText(`{"data":[{"b64_json":"${png.toString('base64')}"}]}`).created).toBeGreaterThan(1.7e9);
	});

	test('may have a picture larger than the first block of memory', async () => {
		const large = Buffer.concat([png, Buffer.alloc(3_000_000, 0x5a)]);
		const body = Buffer.from(imageResult(large, large));
		const pieces = Array.from({ length: Math.ceil(body.length / 65_536) }, (_, i) =>
			body.subarray(i * 65_536, (i + 1) * 65_536),
		);
		expect(bytesOf(decode(pieces)).map((one) => one.equals(large))).toEqual([true, true]);
		expect(bytesOf(decode(pieces, body.length)).map((one) => one.equals(large))).toEqual([true, true]);
	});
});

describe('an invalid answer', () => {
	const invalid: Record<string, string | Uint8Array> = {
		nothing: '',
		'white space': ' \n ',
		'a byte order mark': '\ufeffOK',
		'UTF-16': Buffer.from('OK', 'utf16le'),
		HTML: '<!doctype html><title>502</title>',
		'leading garbage': ")]}',\nOK",
		'trailing garbage': 'OK x',
		'two values': 'OKOK',
		'trailing comma in an object': '{"a":1,}',
		'trailing comma in an array': '{"a":[1,],"data":OKDATA}',
		'double comma': '{"a":[1,,2],"data":OKDATA}',
		'missing comma': '{"a":1 "data":OKDATA}',
		'missing colon': '{"a" 1,"data":OKDATA}',
		'missing colon before the picture': '{"data":[{"b64_json" "B64"}]}',
		'comma for a colon': '{"data":[{"b64_json","B64"}]}',
		'double colon': '{"a"::1,"data":OKDATA}',
		'key without quotes': '{a:1,"data":OKDATA}',
		'key that is a number': '{1:1,"data":OKDATA}',
		'single quotes': "{'a':1}",
		NaN: '{"a":NaN,"data":OKDATA}',
		Infinity: '{"a":-Infinity,"data":OKDATA}',
		'leading zero': '{"a":012,"data":OKDATA}',
		'plus sign': '{"a":+1,"data":OKDATA}',
		'hex number': '{"a":0x1,"data":OKDATA}',
		'point without digits': '{"a":1.,"data":OKDATA}',
		'exponent without digits': '{"a":1e,"data":OKDATA}',
		'lone minus': '{"a":-,"data":OKDATA}',
		True: '{"a":True,"data":OKDATA}',
		'half a literal': '{"a":nul,"data":OKDATA}',
		comment: '{"a":1/* */,"data":OKDATA}',
		'control character in a string': '{"a":"\u0001","data":OKDATA}',
		'line break in a string': '{"a":"\n","data":OKDATA}',
		'unknown escape': '{"a":"\\x","data":OKDATA}',
		'short escape': '{"a":"\\u12","data":OKDATA}',
		'lone surrogate escape': '{"a":"\\ud800","data":OKDATA}',
		'surrogates the wrong way round': '{"a":"\\udc00\\ud800","data":OKDATA}',
		'lone surrogate in a key': '{"\\udc00":1,"data":OKDATA}',
		'overlong UTF-8': Buffer.from([0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x3a, 0x31, 0x7d]),
		'cut UTF-8': Buffer.from([0x7b, 0x22, 0xe2, 0x82, 0x22, 0x3a, 0x31, 0x7d]),
		'Latin-1': Buffer.from([0x7b, 0x22, 0xe9, 0x22, 0x3a, 0x31, 0x7d]),
		'UTF-8 of a surrogate': Buffer.from([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d]),
		'nesting bomb': '['.repeat(100_000),
		'nesting bomb of objects': '{"a":'.repeat(100_000),
		'nesting bomb that ends': `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
		'closed too often': 'OK}',
		'closed before it begins': ']OK',
		'mismatched brackets': '{"data":[{"b64_json":"B64"}}]',
		'not an object': '[OK]',
		'a string': '"OK"',
		null: 'null',
		'no data': '{"created":1}',
		'data is no array': '{"data":{"b64_json":"B64"}}',
		'data is empty': '{"data":[]}',
		'data holds no objects': '{"data":["B64"]}',
		'data nested once more': '{"data":[[{"b64_json":"B64"}]]}',
		'one of the items is empty': '{"data":[{"b64_json":"B64"},{}]}',
		'b64_json is null': '{"data":[{"b64_json":null}]}',
		'b64_json is a number': '{"data":[{"b64_json":0}]}',
		'b64_json is an array': '{"data":[{"b64_json":["0"]}]}',
		'b64_json is empty': '{"data":[{"b64_json":""}]}',
		'b64_json is in the wrong place': '{"data":[{"image":{"b64_json":"B64"}}]}',
		'an error with status 200': '{"error":{"message":"no"}}',
		'base64: a bare line break': '{"data":[{"b64_json":"iVBOR\nw0KGgo="}]}',
		'base64: a bare line break beside an escaped one': '{"data":[{"b64_json":"iV\\nBOR\nw0KGgo="}]}',
		'base64: a space': '{"data":[{"b64_json":"iVBO Rw0KGgo="}]}',
		'base64: a space at the end': '{"data":[{"b64_json":"B64 "}]}',
		'base64: padding in the middle': '{"data":[{"b64_json":"iVBORw==KGgo"}]}',
		'base64: something after the padding': '{"data":[{"b64_json":"iVBORw==","b64_json":"B64=A"}]}',
		'base64: one character too many': '{"data":[{"b64_json":"iVBORw0KG"}]}',
		'base64: foreign characters': '{"data":[{"b64_json":"iVBO*w0KGgo="}]}',
		'base64: beyond ASCII': '{"data":[{"b64_json":"iVBOéw0KGgo="}]}',
		'base64: an escaped quote': '{"data":[{"b64_json":"iVBO\\"w0KGgo="}]}',
		'base64: a backslash': '{"data":[{"b64_json":"iVBO\\\\w0KGgo="}]}',
		'base64: an unknown escape': '{"data":[{"b64_json":"iVBO\\qw0KGgo="}]}',
		'base64: a broken escape': '{"data":[{"b64_json":"iVBO\\u00zzw0KGgo="}]}',
		'a data URL without base64': '{"data":[{"b64_json":"data:image/png,B64"}]}',
		'a data URL without an end': `{"data":[{"b64_json":"data:${'x'.repeat(500)}"}]}`,
		'half a data URL': '{"data":[{"b64_json":"data:"}]}',
		'no PNG': `{"data":[{"b64_json":"${Buffer.from('GIF89a and so on, long enough').toString('base64')}"}]}`,
		'a PNG too short for its size': `{"data":[{"b64_json":"iVBORw0KGgo="}]}`,
	};

	test.each(Object.entries(invalid))('%s', (_, body) => {
		const b64 = png.toString('base64');
		const whole = answer(b64);
		const text =
			typeof body === 'string'
				? body.replaceAll('OKDATA', `[{"b64_json":"${b64}"}]`).replaceAll('OK', whole).replaceAll('B64', b64)
				: body;
		const bytes = Buffer.from(text);
		expect(() => decode([bytes])).toThrow(InvalidResponseError);
		expect(() =>
			decode(Array.from({ length: Math.ceil(bytes.length / 7) }, (_, i) => bytes.subarray(7 * i, 7 * i + 7))),
		).toThrow(InvalidResponseError);
		expect(() => decode([bytes], bytes.length)).toThrow(InvalidResponseError);
	});

	test('has an escape beyond ASCII in its picture', () => {
		const b64 = png.toString('base64');
		expect(decodeText(answer(b64.replace('i', '\\u0069'))).images).toHaveLength(1);
		expect(() => decodeText(answer(b64.replace('i', '\\u0169')))).toThrow('its picture is not base64');
	});

	test('is every answer that is cut off', () => {
		const body = Buffer.from(imageResult(png, other));
		for (let length = 0; length < body.length; length++) {
			expect(() => decode([body.subarray(0, length)])).toThrow(InvalidResponseError);
		}
	});

	test('is what JSON.parse refuses, for any damage', () => {
		const body = imageResult(png);
		fc.assert(
			fc.property(fc.nat(body.length - 1), fc.integer({ min: 0, max: 127 }), (at, code) => {
				const damaged = body.slice(0, at) + String.fromCharCode(code) + body.slice(at + 1);
				let expected: unknown;
				try {
					expected = JSON.parse(damaged).data[0].b64_json;
				} catch {
					expect(() => decodeText(damaged)).toThrow(InvalidResponseError);
					return;
				}
				try {
					const [image] = decodeText(damaged).images;
					const base64 = Buffer.from(expected as string, 'base64');
					expect(Buffer.from(image!.bytes)).toEqual(base64);
				} catch (error) {
					expect(error).toBeInstanceOf(InvalidResponseError);
				}
			}),
			{ numRuns: 1000 },
		);
	});

	test('is described without quoting it', () => {
		expect(() => decodeText('{"data":[{"url":"https://example.com/secret.png"}]}')).toThrow(
			'it gives an address where the picture should be',
		);
		expect(() => decodeText('{"secret')).toThrow('it is not well-formed JSON');
	});
});

describe('limits apply while the answer arrives', () => {
	const limits: ImageLimits = { pictureBytes: 2000, totalBytes: 3000, pixels: 64, otherBytes: 500 };
	const big = (bytes: number) => Buffer.concat([png, Buffer.alloc(bytes - png.length)]).toString('base64');

	test('bytes of one picture', () => {
		expect(decodeText(answer(big(2000)), limits).images).toHaveLength(1);
		const decoder = new ImageDecoder(undefined, limits);
		expect(() => decoder.write(Buffer.from(answer(big(2100)).slice(0, -10)))).toThrow(
			'its picture is larger than 2000 bytes',
		);
	});

	test('bytes of all pictures', () => {
		const two = (bytes: number) => `{"data":[{"b64_json":"${big(bytes)}"},{"b64_json":"${big(bytes)}"}]}`;
		expect(decodeText(two(1500), limits).images).toHaveLength(2);
		expect(() => decodeText(two(1501), limits)).toThrow('its pictures are larger than 3000 bytes');
	});

	test('pixels, by the header', () => {
		const header = Buffer.from(png.subarray(0, 36));
		header.writeUInt32BE(60_000, 16);
		header.writeUInt32BE(60_000, 20);
		const decoder = new ImageDecoder(undefined, IMAGE_LIMITS);
		const beginning = `{"data":[{"b64_json":"${header.toString('base64')}`;
		expect(() => decoder.write(Buffer.from(beginning))).toThrow(/^its picture has more than \d+ pixels$/);
	});

	test('a picture that is not one, by its beginning', () => {
		const decoder = new ImageDecoder(undefined, limits);
		const beginning = `{"data":[{"b64_json":"${Buffer.from('not a picture, but it is long enough').toString('base64')}`;
		expect(() => decoder.write(Buffer.from(beginning))).toThrow('its picture is not a PNG, JPEG or WebP');
	});

	test('an endless body of any content', () => {
		const b64 = big(1998);
		for (const piece of [' ', 'x', '"', '\\', '{', '[', ',', '"b64_json":', '\\n', 'A']) {
			for (const start of [
				'',
				'{"a":"',
				'{"data":[{"b64_json":"',
				`{"data":[{"b64_json":"${b64}`,
				'{"data":[{"b64_json":"data:',
			]) {
				const decoder = new ImageDecoder(undefined, limits);
				expect(() => {
					decoder.write(Buffer.from(start));
					for (let sent = 0; sent < 20_000; sent += piece.length) decoder.write(Buffer.from(piece));
				}).toThrow(InvalidResponseError);
			}
		}
	});

	test('an announced length', () => {
		expect(() => new ImageDecoder(7000, limits)).toThrow('it is longer than the 6500 bytes that are read');
	});
});
