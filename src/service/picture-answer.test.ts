import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { imageResult, smallPng } from '../../packages/fakes/src/service.ts';
import { InvalidResponseError } from './errors.ts';
import { decodePictures, IMAGE_LIMITS } from './picture-answer.ts';

let png: Buffer;
let other: Buffer;

beforeAll(async () => {
	png = await smallPng('#c0392b', 8, 8);
	other = await smallPng('#2980b9', 5, 3);
});

function decodeText(text: string | Uint8Array, { pictures = 10 } = {}) {
	return decodePictures(Buffer.from(text), { leavesOutBlocked: false }, pictures);
}

function answer(b64: string): string {
	return `{"created":7,"data":[{"b64_json":"${b64}"}]}`;
}

function bytesOf(result: { images: { bytes: Uint8Array }[] }): Buffer[] {
	return result.images.map(({ bytes }) => Buffer.from(bytes));
}

describe('more pictures than were asked for', () => {
	test('are read over, and counted', () => {
		const many = Array.from({ length: 20_000 }, (_, index) => (index < 2 ? png : other));
		const { images, dropped } = decodeText(imageResult(...many), { pictures: 2 });
		expect(images.map(({ width }) => width)).toEqual([8, 8]);
		expect(dropped).toBe(19_998);
		expect(decodeText(imageResult(png, png), { pictures: 2 }).dropped).toBeUndefined();
	});

	test('need not be valid', () => {
		const rest = [
			'{"b64_json":"no \\" picture"}',
			'{"a":[{"b64_json":"x"}]}',
			'"text"',
			'7',
			'{"url":"a","b64_json":{}}',
		];
		const item = `{"b64_json":"${png.toString('base64')}"}`;
		const result = decodeText(`{"data":[${[item, item, ...rest].join()}],"created":7}`, { pictures: 2 });
		expect(bytesOf(result)).toEqual([png, png]);
		expect(result.dropped).toBe(rest.length);
	});

	test('are refused when they are nothing but structure', () => {
		const empty = '{},'.repeat(500_000);
		expect(() => decodeText(`{"data":[${empty}{}]}`)).toThrow('bytes beside its pictures');
	});
});

describe('the sound parts of an answer are kept', () => {
	const b64 = () => png.toString('base64');
	test.each<[string, (text: string) => string]>([
		['nothing at all', () => 'null'],
		['no picture', () => '{"b64_json":null,"url":null}'],
		['an error', () => '{"error":{"code":"moderation_blocked","message":"No"}}'],
		['a damaged picture', (text) => `{"b64_json":"${text.slice(9)}"}`],
		['a picture that is not base64', () => '{"b64_json":"????"}'],
		['another type', () => `{"b64_json":"${Buffer.from('BM9999\0\0\0\0 and so on').toString('base64')}"}`],
	])('beside %s', (_, make) => {
		const result = decodeText(`{"data":[${make(b64())},{"b64_json":"${b64()}"}]}`);
		expect([bytesOf(result), result.addresses, result.dropped]).toEqual([[png], [], undefined]);
	});

	test('beside values that are empty', () => {
		expect(bytesOf(decodeText(`{"data":[{"url":"","b64_json":"${b64()}","revised_prompt":""}]}`))).toEqual([png]);
		const both = Buffer.from('{"data":[{"b64_json":"","url":"\\/f.png"}]}');
		expect(decodePictures(both, { leavesOutBlocked: false })).toMatchObject({
			images: [],
			addresses: ['/f.png'],
		});
	});

	test.each(['b64_json', 'image', 'url'])('at an address under the key %s', (key) => {
		const body = Buffer.from(JSON.stringify({ data: [{ [key]: 'https://example.com/a.png' }] }));
		const { addresses } = decodePictures(body, { leavesOutBlocked: false });
		expect(addresses).toEqual(['https://example.com/a.png']);
	});

	test('at its own address, before those of smaller ones', () => {
		const entry = { thumbnail_url: '/small.png', download_url: '/file.png', url: '/a.png' };
		expect(decodeText(JSON.stringify({ data: [entry] })).addresses).toEqual(['/a.png']);
	});

	test('at an address in a place that nobody knows, unless it is an error', () => {
		const state = { state: 'done', assets: { still: 'https://a.test/a.webp?x=1', page: 'https://a.test/b' } };
		expect(decodeText(JSON.stringify(state)).addresses).toEqual([state.assets.still]);
		expect(() => decodeText(JSON.stringify({ ...state, error: 'No.' }))).toThrow('it has no picture');
	});

	test('at an address in Markdown of a chat model', () => {
		const content = '![a fox](https://example.com/a.png)\n\n[Download](https://example.com/b.png)';
		const body = Buffer.from(JSON.stringify({ choices: [{ message: { content } }] }));
		const { addresses } = decodePictures(body, { leavesOutBlocked: false });
		expect(addresses).toEqual(['https://example.com/a.png']);
	});

	test('at an address in the words of a chat model', () => {
		const message = {
			content: 'Your picture: <a href="https://example.com/a.png?b=1">here</a>, by https://example.com',
		};
		expect(decodeText(JSON.stringify({ choices: [{ message }] })).addresses).toEqual(['https://example.com/a.png?b=1']);
	});

	test('with a damaged caption, and after a byte order mark', () => {
		const item = (caption: string) => `{"data":[{"b64_json":"${b64()}","revised_prompt":"${caption}"}]}`;
		expect(decodeText(item('a \\ud800 fox')).revisedPrompt).toBe('a \ufffd fox');
		const cut = Buffer.from(item('a fox'));
		cut[cut.length - 5] = 0xe2;
		expect(decodeText(cut).revisedPrompt).toBe('a fo\ufffd');
		expect(bytesOf(decodeText(`\ufeff${item('a')}`))).toEqual([png]);
	});

	test('as a data URL in place of an address', () => {
		const url = `data:image/png;base64,${b64().replaceAll('/', '\\/')}`;
		expect(bytesOf(decodeText(`{"data":[{"url":"${url}"}]}`))).toEqual([png]);
	});
});

describe('a valid answer', () => {
	test('gives pictures with their size', () => {
		expect(decodeText(imageResult(png, other))).toEqual({
			images: [
				{ bytes: new Uint8Array(png), width: 8, height: 8 },
				{ bytes: new Uint8Array(other), width: 5, height: 3 },
			],
			addresses: [],
			lacking: [],
		});
	});

	test('gives the tokens that the service counted', () => {
		const usage = { input_tokens: 12, output_tokens: 100, total_tokens: 112 };
		const body = JSON.stringify({ ...JSON.parse(imageResult(png)), usage });
		expect(decodeText(body).usage?.tokens).toEqual({ input: 12, output: 100 });
	});

	test('may have escapes, and a data URL', () => {
		const escaped = png.toString('base64').replaceAll('/', '\\/').replace('+', '\\u002B').replace('A', '\\u0041');
		const body = `{"é€😀":"\\"\\\\","deep":[{"b64_json":"no"}],"data":[{"b64_json":"data:image/png;base64,${escaped}"}]}`;
		expect(bytesOf(decodeText(body))).toEqual([png]);
	});

	test('is what JSON.parse and Buffer return, for any pictures and layout', () => {
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
				fc.constantFrom('', ' ', '\n\t'),
				(items, space) => {
					const data = items.map(
						([bytes, which, junk]) =>
							`{"x":${junk},${space}"b64_json"${space}:"${written(bytes.toString('base64'), which)}","y":${junk}}`,
					);
					const body = Buffer.from(
						`${space}{"junk":${items[0]![2]},"created":1,"data":[${data.join(`${space},`)}]}${space}`,
					);
					const result = decodeText(body);
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

	test('may have keys twice, of which the last counts', () => {
		const [one, two] = [png.toString('base64'), other.toString('base64')];
		expect(bytesOf(decodeText(`{"data":[{"b64_json":"${one}","b64_json":"${two}"}]}`))).toEqual([other]);
		expect(bytesOf(decodeText(`{"data":[{"b64_json":"${one}"}],"data":[{"b64_json":"${two}"}]}`))).toEqual([other]);
	});
});

/** Returns a body with whole answers, lists of pictures and pictures in it. */
function filled(body: string): string {
	const b64 = png.toString('base64');
	return body.replaceAll('OKDATA', `[{"b64_json":"${b64}"}]`).replaceAll('OK', answer(b64)).replaceAll('B64', b64);
}

describe('a sound picture is read, whatever is wrong around it', () => {
	const damaged: Record<string, string> = {
		'leading garbage': ")]}',\nOK",
		'trailing garbage': 'OK x',
		'two values': 'OKOK',
		'trailing comma in an array': '{"a":[1,],"data":OKDATA}',
		'double comma': '{"a":[1,,2],"data":OKDATA}',
		'missing comma': '{"a":1 "data":OKDATA}',
		'missing colon': '{"a" 1,"data":OKDATA}',
		'double colon': '{"a"::1,"data":OKDATA}',
		'missing colon before the picture': '{"data":[{"b64_json" "B64"}]}',
		'comma for a colon': '{"data":[{"b64_json","B64"}]}',
		'key without quotes': '{a:1,"data":OKDATA}',
		'key that is a number': '{1:1,"data":OKDATA}',
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
		'closed too often': 'OK}',
		'closed before it begins': ']OK',
		'mismatched brackets': '{"data":[{"b64_json":"B64"}}]',
		'a string': '"OK"',
		'what is no number': '{"usage":{"input_tokens":1,"total_token_count":{"toString":null}},"data":OKDATA}',
		'what is no text': '{"type":{"\\u0074oString":null},"data":OKDATA}',
		'data is no array': '{"data":{"b64_json":"B64"}}',
		'cut off after it': '{"data":[{"b64_json":"B64"},{"b64_json":"iVBO',
	};

	test.each(Object.entries(damaged))('%s', (_, body) => {
		expect(bytesOf(decodeText(filled(body), { pictures: 1 }))).toEqual([png]);
	});

	const envelopes: Record<string, string> = {
		'a list of texts': '{"images":["B64"],"parameters":{},"info":"{}"}',
		'a list of data URLs': '{"output":["data:image/png;base64,B64"]}',
		'artifacts with their type': '{"artifacts":[{"base64":"B64","finishReason":"SUCCESS"}]}',
		predictions: '{"predictions":[{"bytesBase64Encoded":"B64","mimeType":"image/png"}]}',
		'one picture': '{"image":"B64"}',
		'a result with a picture': '{"result":{"image":"B64"},"success":true,"errors":[]}',
		'a result with an answer': '{"result":OK}',
		'the output of a tool': '{"output":[{"type":"image_generation_call","status":"completed","result":"B64"}]}',
		'an object in the entry': '{"data":[{"image":{"b64_json":"B64"}}]}',
		'the list alone': 'OKDATA',
		'a list of answers': '[OK]',
		'a list of lists': '{"data":[[{"b64_json":"B64"}]]}',
		'lists of addresses and of base64':
			'{"data":{"image_urls":null,"image_base64":["B64"]},"base_resp":{"status_code":0}}',
		'names in capital letters': '{"Response":{"ResultImage":"B64","RequestId":"r"}}',
		'a place that nobody knows': '{"job":{"made":[{"file":["B64"]}]},"message":"ok"}',
		'pieces of a stream in a list':
			'[{"candidates":[{"content":{"parts":[{"text":"A"}]}}]},{"candidates":[{"content":{"parts":[{"inlineData":{"data":"B64"}}]}}]}]',
		'Markdown of a chat model':
			'{"choices":[{"message":{"content":"Here it is: ![a fox](data:image/png;base64,B64)"}}]}',
	};

	test.each(Object.entries(envelopes))('in the envelope of others: %s', (_, body) => {
		expect(bytesOf(decodeText(filled(body), { pictures: 1 }))).toEqual([png]);
	});

	test('also in a stream that is not called one, behind its previews', () => {
		const event = (type: string, picture: Buffer) =>
			`data: ${JSON.stringify({ type: `image_generation.${type}`, b64_json: picture.toString('base64') })}\n\n`;
		const body = `${event('partial_image', other)}${event('partial_image', other)}${event('completed', png)}data: [DONE]\n\n`;
		expect(bytesOf(decodeText(body, { pictures: 1 }))).toEqual([png]);
	});

	test('also as the body itself', () => {
		expect(bytesOf(decodeText(png))).toEqual([png]);
	});

	test('also after an entry that is none, however many were asked for', () => {
		const item = `{"b64_json":"${png.toString('base64')}"}`;
		for (const bad of ['null', '{}', '{"b64_json":"AAAA"}'])
			expect(bytesOf(decodeText(`{"data":[${bad},${item}]}`, { pictures: 1 }))).toEqual([png]);
	});

	test('also when the base64 beside its address is none, and where its address should be', () => {
		const b64 = png.toString('base64');
		for (const item of [{ b64_json: ' ', url: `data:image/png;base64,${b64}` }, { url: b64 }, { image: b64 }])
			expect(bytesOf(decodeText(JSON.stringify({ data: [item] })))).toEqual([png]);
		expect(bytesOf(decodeText(JSON.stringify({ images: [{ base64: b64 }] })))).toEqual([png]);
	});
});

describe('an invalid answer', () => {
	const invalid: Record<string, string | Uint8Array> = {
		nothing: '',
		'white space': ' \n ',
		'UTF-16': Buffer.from('OK', 'utf16le'),
		HTML: '<!doctype html><title>502</title>',
		'trailing comma in an object': '{"a":1,}',
		'single quotes': "{'a':1}",
		'nesting bomb': '['.repeat(100_000),
		'nesting bomb of objects': '{"a":'.repeat(100_000),
		'nesting bomb that ends': `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
		null: 'null',
		'no data': '{"created":1}',
		'data is empty': '{"data":[]}',
		'b64_json is null': '{"data":[{"b64_json":null}]}',
		'b64_json is a number': '{"data":[{"b64_json":0}]}',
		'b64_json is an array': '{"data":[{"b64_json":["0"]}]}',
		'b64_json is empty': '{"data":[{"b64_json":""}]}',
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
		expect(() => decodeText(typeof body === 'string' ? filled(body) : body)).toThrow(InvalidResponseError);
	});

	test('has an escape beyond ASCII in its picture', () => {
		const b64 = png.toString('base64');
		expect(decodeText(answer(b64.replace('i', '\\u0069'))).images).toHaveLength(1);
		expect(() => decodeText(answer(b64.replace('i', '\\u0169')))).toThrow('its picture is not base64');
	});

	test('is every answer that is cut off before the end of a picture', () => {
		const body = Buffer.from(imageResult(png, other));
		const end = body.indexOf(png.toString('base64')) + png.toString('base64').length;
		for (let length = 0; length <= end; length++)
			expect(() => decodeText(body.subarray(0, length))).toThrow(InvalidResponseError);
		for (let length = end + 1; length < body.length; length++)
			expect(bytesOf(decodeText(body.subarray(0, length), { pictures: 1 }))).toEqual([png]);
	});

	test('never gives other pictures than it has, for any damage around them', () => {
		const body = imageResult(png);
		const start = body.indexOf(png.toString('base64'));
		const place = fc.oneof(
			fc.nat(start - 1),
			fc.integer({ min: start + png.toString('base64').length, max: body.length - 1 }),
		);
		fc.assert(
			fc.property(place, fc.integer({ min: 0, max: 127 }), (at, code) => {
				try {
					expect(bytesOf(decodeText(body.slice(0, at) + String.fromCharCode(code) + body.slice(at + 1)))).toEqual([
						png,
					]);
				} catch (error) {
					expect(error).toBeInstanceOf(InvalidResponseError);
				}
			}),
			{ numRuns: 1000 },
		);
	});

	test('is described without quoting it', () => {
		expect(() => decodeText('{"secret')).toThrow('it is not well-formed JSON');
	});
});

describe('limits', () => {
	const { pictureBytes, otherBytes } = IMAGE_LIMITS;
	const big = (bytes: number) => Buffer.concat([png, Buffer.alloc(bytes - png.length)]).toString('base64');

	test('of the bytes of a picture', () => {
		expect(decodeText(answer(big(pictureBytes))).images).toHaveLength(1);
		expect(() => decodeText(answer(big(pictureBytes + 100)))).toThrow(
			`its picture is larger than ${pictureBytes} bytes`,
		);
	});

	test('of everything else', () => {
		const beside = (bytes: number) => `{"x":"${'x'.repeat(bytes)}","data":[{"b64_json":"${big(1000)}"}]}`;
		expect(decodeText(beside(otherBytes - 100)).images).toHaveLength(1);
		expect(() => decodeText(beside(otherBytes))).toThrow(`it has more than ${otherBytes} bytes beside its pictures`);
	});

	test('of pixels, by the header', () => {
		const header = Buffer.from(png);
		header.writeUInt32BE(60_000, 16);
		header.writeUInt32BE(60_000, 20);
		expect(() => decodeText(answer(header.toString('base64')))).toThrow(/^its picture has more than \d+ pixels$/);
	});

	test('of processor time, whatever comes', { timeout: 120_000 }, () => {
		const pieces = [
			'"',
			'\\',
			'\\"',
			'"b64_json":',
			'"b64_json":"',
			'"url":"\\\\',
			'\\"url":',
			'data:,',
			'{"a":"',
			'\\n',
			'"data:',
			'"/9j/',
			'\\"/9j/',
			'"thoughtSignature":"',
		];
		for (const start of ['', '{"data":[{"b64_json":"', '{"data":[{"url":"'])
			for (const piece of pieces) {
				const body = start + piece.repeat(2_000_000 / piece.length);
				const before = process.threadCpuUsage();
				expect(() => decodeText(body)).toThrow(InvalidResponseError);
				expect(() => decodeText(`${body}"}]}`)).toThrow(InvalidResponseError);
				// In microseconds: one look at each character takes a hundredth of it.
				expect(process.threadCpuUsage(before).user, piece).toBeLessThan(2_000_000);
			}
	});
});
