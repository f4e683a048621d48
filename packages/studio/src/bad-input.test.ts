import { type ClientRequest, request as open } from 'node:http';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { flatPicture, hugePng, KEY, picturesOf, plainArtist, refusalOf, startStudio } from '../test/studio.fixture.ts';
import { MAX_INPUT_BYTES } from './input.ts';

const GENERATE = '/v1/images/generations';
const EDIT = '/v1/images/edits';
const COMPOSE = '/v1/images/compose';
const CHAT = '/v1/chat/completions';
const EMBED = '/v1/embeddings';

const picture = await flatPicture(20, 20);
const image = picture.toBase64();
const good = {
	[GENERATE]: { prompt: 'a fox' },
	[EDIT]: { prompt: 'night', image },
	[COMPOSE]: { prompt: 'blend', images: [image, image] },
	[CHAT]: { messages: [{ role: 'user', content: 'hi' }] },
	[EMBED]: { input: 'a fox' },
} as const;
type Path = keyof typeof good;

/** Refused, uncounted, and the next request works. */
async function expectRefusal(path: Path, body: unknown, status = 400) {
	const plain = plainArtist();
	const { post, used } = await startStudio(plain);
	const refusal = await refusalOf(await post(path, body));
	expect(refusal).toMatchObject({ status, type: 'invalid_request_error' });
	expect(await used()).toBe(0);
	expect(plain.asked).toEqual([]);
	expect((await post(path, good[path])).status).toBe(200);
	return refusal;
}

const not = {
	texts: [null, 7, true, {}, ['a'], '', ' \n\t ', 'a\0b', 'a\x1b[31mb', 'a\x7fb', '\ud800', 'x\udfffx'],
	n: [0, 5, -1, 1.5, '2', true, [], 1e99],
	sizes: [
		'',
		'1024',
		'1024x',
		'x1024',
		'63x64',
		'2049x64',
		'64x99999',
		'0x0',
		'-64x64',
		'1024×1024',
		'1e3x1e3',
		1024,
		{},
	],
	models: ['', 'gamma', 'dall-e-3', 7, {}, 'x'.repeat(10_000), '\ud800'],
	pictures: [7, {}, '', '!!!', 'https://example.com/a.png', 'data:image/png;base64,', 'aGVsbG8=', 'A'],
	bodies: [null, 7, 'text', [], [{}]],
};

describe.each([
	[GENERATE, 4000],
	[EDIT, 2000],
	[COMPOSE, 2000],
] as const)('%s refuses', (path, longest) => {
	it.each([...not.texts, undefined, 'a'.repeat(longest + 1), '🦊'.repeat(longest + 1)])(
		'the prompt %j',
		async (prompt) => {
			expect((await expectRefusal(path, { ...good[path], prompt })).param).toBe('prompt');
		},
	);
	it('no prompt of the longest length', async () => {
		const { post } = await startStudio(plainArtist());
		for (const letter of ['a', '🦊']) {
			const { prompt } = good[path];
			await picturesOf(
				await post(path, { ...good[path], prompt: `${prompt} ${letter.repeat(longest - prompt.length - 1)}` }),
			);
		}
	});
	it.each(not.n)('n %j', async (n) => {
		expect((await expectRefusal(path, { ...good[path], n })).param).toBe('n');
	});
	it.each(not.models)('the model %j', async (model) => {
		const { post, used } = await startStudio(plainArtist());
		const refusal = await refusalOf(await post(path, { ...good[path], model }));
		expect([400, 404]).toContain(refusal.status);
		expect(refusal.param).toBe('model');
		expect(await used()).toBe(0);
	});
	it('a chat model, naming those for images', async () => {
		const { message } = await expectRefusal(path, { ...good[path], model: 'alpha3.6-35b' });
		expect(message).toContain('alpha-image and beta');
	});
	it.each([{ response_format: 'url' }, { stream: true }, { stream: 'yes' }])('%j', async (extra) => {
		await expectRefusal(path, { ...good[path], ...extra });
	});
	it.each(not.bodies)('the body %j', async (body) => {
		await expectRefusal(path, body);
	});
});

describe.each([GENERATE, COMPOSE] as const)('%s refuses', (path) => {
	it.each(not.sizes)('the size %j', async (size) => {
		expect((await expectRefusal(path, { ...good[path], size })).param).toBe('size');
	});
});

describe('pictures', () => {
	it.each([...not.pictures, null])('cannot be %j', async (bad) => {
		await expectRefusal(EDIT, { prompt: 'night', image: bad });
		await expectRefusal(COMPOSE, { prompt: 'blend', images: [image, bad] });
	});

	it.each([[[]], [[image]], [[image, image, image, image]], [image], [undefined], [null]])(
		'to compose cannot be %#',
		async (images) => {
			expect((await expectRefusal(COMPOSE, { prompt: 'blend', images })).param).toBe('images');
		},
	);

	it('name the one that is at fault', async () => {
		const { message } = await expectRefusal(COMPOSE, { prompt: 'blend', images: [image, 'aGVsbG8='] });
		expect(message).toMatch(/^image 2: /);
	});

	it('are refused by their bytes, in either format', async () => {
		const jpeg = await flatPicture(300, 300, 'jpeg');
		const rotten: [Buffer<ArrayBuffer>, number][] = [
			[Buffer.from('a text, named .png'), 400],
			[jpeg.subarray(0, jpeg.length / 2), 400],
			[picture.subarray(0, 30), 400],
			[Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'), 400],
			[hugePng(), 400],
			[Buffer.alloc(MAX_INPUT_BYTES + 1, picture), 413],
		];
		for (const [bytes, status] of rotten) {
			await expectRefusal(EDIT, { prompt: 'night', image: bytes.toString('base64') }, status);
			const form = new FormData();
			form.set('prompt', 'night');
			form.set('image', new Blob([bytes], { type: 'image/png' }), 'a.png');
			await expectRefusal(EDIT, form, status);
		}
	});

	it('may be animated: the first frame is taken', async () => {
		const { post } = await startStudio(plainArtist());
		const gif = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
		await picturesOf(await post(EDIT, { prompt: 'night', image: gif }));
	});
});

describe('forms', () => {
	const fields = { prompt: 'night', image: new Blob([picture]) };
	const form = (entries: [string, string | Blob][]) => {
		const form = new FormData();
		for (const [name, value] of entries) form.append(name, value as Blob);
		return form;
	};
	it.each<[string, [string, string | Blob][]]>([
		['two prompts', [...Object.entries(fields), ['prompt', 'day']]],
		[
			'a prompt that is a file',
			[
				['image', fields.image],
				['prompt', new Blob(['night'])],
			],
		],
		['no picture', [['prompt', 'night']]],
		['n in words', [...Object.entries(fields), ['n', 'two']]],
		['n beyond its end', [...Object.entries(fields), ['n', '5']]],
		['n without end', [...Object.entries(fields), ['n', '9'.repeat(1000)]]],
		['a stream', [...Object.entries(fields), ['stream', 'true']]],
		['a mask', [...Object.entries(fields), ['mask', fields.image]]],
	])('cannot have %s', async (_, entries) => {
		await expectRefusal(EDIT, form(entries));
	});

	it.each(['', '--b', '--b\r\n\r\n', '--b\r\ncontent-disposition: form-data\r\n\r\nx\r\n--b--', 'no form at all'])(
		'must be well-formed: %j',
		async (body) => {
			const { call, used } = await startStudio(plainArtist());
			const headers = { 'content-type': 'multipart/form-data; boundary=b' };
			for (const path of [EDIT, COMPOSE]) {
				expect(await refusalOf(await call(path, { method: 'POST', body, headers }))).toMatchObject({ status: 400 });
			}
			expect(await used()).toBe(0);
		},
	);

	it('need a boundary', async () => {
		const { call } = await startStudio();
		const answer = call(EDIT, { method: 'POST', body: 'x', headers: { 'content-type': 'multipart/form-data' } });
		expect(await refusalOf(await answer)).toMatchObject({ status: 400, code: 'invalid_multipart' });
	});
});

describe('bodies', () => {
	const invalidUtf8 = Buffer.from([...Buffer.from('{"prompt":"'), 0xff, 0xfe, ...Buffer.from('"}')]);
	it.each(['', '{', '{"prompt":"a fox"', '{"prompt":"a fox"}}', "{'prompt':1}", '\0', invalidUtf8, '['.repeat(50_000)])(
		'must be JSON: %j',
		async (body) => {
			const { call } = await startStudio(plainArtist());
			for (const path of Object.keys(good)) {
				const answer = call(path, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
				expect(await refusalOf(await answer)).toMatchObject({ status: 400, code: 'invalid_json' });
			}
		},
	);

	it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', 'image/png', ''])(
		'of the type %j are not taken',
		async (type) => {
			const { call } = await startStudio(plainArtist());
			for (const path of Object.keys(good)) {
				const body = new Blob([JSON.stringify(good[path as Path])]);
				const answer = call(path, { method: 'POST', body, headers: type ? { 'content-type': type } : {} });
				expect(await refusalOf(await answer)).toMatchObject({ status: 415 });
			}
		},
	);

	it.each(Object.keys(good) as Path[])('may not be too large at %s', async (path) => {
		const { message } = await expectRefusal(path, { ...good[path], user: 'x'.repeat(45 * 1024 * 1024) }, 413);
		expect(message).toMatch(/at most [\d.]+ MB/);
	});

	it('without end are cut off', async () => {
		const { url, post } = await startStudio(plainArtist());
		// A client that never stops sending may miss the answer.
		expect(['413', 'EPIPE', 'ECONNRESET']).toContain(await sendWithoutEnd(url + GENERATE));
		await picturesOf(await post(GENERATE, good[GENERATE]));
	});

	it('that break off do no harm', async () => {
		const { url, post } = await startStudio(plainArtist());
		const client = openPost(url + GENERATE, { 'content-length': '100' });
		client.on('error', () => {});
		client.write('{"prompt":');
		client.destroy();
		await picturesOf(await post(GENERATE, good[GENERATE]));
	});
});

describe('chat refuses', () => {
	const user = { role: 'user', content: 'hi' };
	it.each<[string, object]>([
		['no messages', {}],
		['an empty list', { messages: [] }],
		['a text for messages', { messages: 'hi' }],
		['too many messages', { messages: Array(1001).fill(user) }],
		['a message that is none', { messages: [7] }],
		['an unknown role', { messages: [{ role: 'king', content: 'hi' }] }],
		['no role', { messages: [{ content: 'hi' }] }],
		['an empty message', { messages: [{ role: 'user', content: '' }] }],
		['no content', { messages: [{ role: 'user' }] }],
		['a number for content', { messages: [{ role: 'user', content: 7 }] }],
		['an unknown part', { messages: [{ role: 'user', content: [{ type: 'input_audio' }] }] }],
		['a part without its text', { messages: [{ role: 'user', content: [{ type: 'text' }] }] }],
		['too long a message', { messages: [{ role: 'user', content: 'a'.repeat(100_001) }] }],
		['control characters', { messages: [{ role: 'user', content: 'a\0' }] }],
		['half a character', { messages: [{ role: 'user', content: '\ud83e' }] }],
		['a stream that is no flag', { messages: [user], stream: 'yes' }],
		['options that are none', { messages: [user], stream_options: true }],
		['no tokens', { messages: [user], max_tokens: 0 }],
		['too many stops', { messages: [user], stop: ['a', 'b', 'c', 'd', 'e'] }],
		['an empty stop', { messages: [user], stop: '' }],
		['several answers', { messages: [user], n: 2 }],
		['an image model', { messages: [user], model: 'beta' }],
		['JSON mode', { messages: [user], response_format: { type: 'json_object' } }],
	])('%s', async (_, body) => {
		await expectRefusal(CHAT, body);
	});
});

describe('embeddings refuse', () => {
	it.each<[string, object]>([
		...not.texts
			.filter((text) => !Array.isArray(text))
			.map((input): [string, object] => [JSON.stringify(input), { input }]),
		['nothing', {}],
		['an empty list', { input: [] }],
		['an empty text in a list', { input: ['a', ''] }],
		['tokens', { input: [1, 2, 3] }],
		['too many texts', { input: Array(2049).fill('a') }],
		['too long a text', { input: 'a'.repeat(32_769) }],
		['too few dimensions', { input: 'a', dimensions: 7 }],
		['too many dimensions', { input: 'a', dimensions: 4097 }],
		['an unknown format', { input: 'a', encoding_format: 'hex' }],
		['a chat model', { input: 'a', model: 'alpha3.6-35b' }],
	])('%s', async (_, body) => {
		await expectRefusal(EMBED, body);
	});
});

describe('anything at all', () => {
	it('gets an answer in the convention', async () => {
		const studio = await startStudio(plainArtist());
		const field = fc.constantFrom(
			...['prompt', 'image', 'images', 'size', 'n', 'model', 'messages', 'input', 'stream', 'role', 'content', 'stop'],
		);
		const anything = fc.oneof(fc.dictionary(field, fc.jsonValue()), fc.jsonValue());
		await fc.assert(
			fc.asyncProperty(fc.constantFrom(...(Object.keys(good) as Path[])), anything, async (path, value) => {
				const body = typeof value === 'object' && value ? { ...good[path], ...value } : value;
				const answer = await studio.post(path, body);
				if (answer.status === 200) await answer.arrayBuffer();
				else expect([400, 404]).toContain((await refusalOf(answer)).status);
			}),
			{ numRuns: 300 },
		);
	});
});

function openPost(url: string, headers: Record<string, string>): ClientRequest {
	return open(url, {
		method: 'POST',
		headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', ...headers },
	});
}

/** Sends until it is stopped; resolves to the status or what the network says. */
function sendWithoutEnd(url: string): Promise<string> {
	const client = openPost(url, { 'transfer-encoding': 'chunked' });
	const megabyte = Buffer.alloc(1024 * 1024, ' ');
	return new Promise((resolve) => {
		let answered = false;
		client.on('response', (answer) => {
			answered = true;
			client.destroy();
			resolve(String(answer.statusCode));
		});
		client.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
		const send = () => {
			while (!answered && client.write(megabyte));
		};
		client.on('drain', send);
		send();
	});
}

it('refuses a form of many parts before it is parsed', async () => {
	const { call, post, used } = await startStudio(plainArtist());
	const form = (fields: number) => {
		const all = new FormData();
		all.set('prompt', 'night');
		all.set('image', new File([picture], 'a.png'));
		for (let field = 2; field < fields; field++) all.set(`f${field}`, '');
		return all;
	};
	expect((await post(EDIT, form(100))).status).toBe(200);
	expect(await refusalOf(await post(EDIT, form(101)))).toMatchObject({ status: 400, code: 'invalid_multipart' });
	const part = (index: number) => `--x\r\nContent-Disposition: form-data; name="f${index}"\r\n\r\n\r\n`;
	const body = `${Array.from({ length: 100_000 }, (_, index) => part(index)).join('')}--x--\r\n`;
	const headers = { 'content-type': 'multipart/form-data; boundary=x' };
	const many = await call(EDIT, { method: 'POST', body, headers });
	expect(await refusalOf(many)).toMatchObject({ status: 400, code: 'invalid_multipart' });
	expect(await used()).toBe(1);
});

it.each<[string, Path, string]>([
	['a depth of 5,000,000', CHAT, `${'['.repeat(5_000_000)}${']'.repeat(5_000_000)}`],
	['a million keys', CHAT, `{${Array.from({ length: 1e6 }, (_, key) => `"${key}":0`)}}`],
	['100,000 messages', CHAT, `{"messages":[${Array.from({ length: 1e5 }, () => '{"role":"user","content":"hi"}')}]}`],
	['a million pictures', COMPOSE, `{"prompt":"blend","images":["${'","'.repeat(1e6)}"]}`],
	['brackets after an escaped quote', EMBED, `{"input":"\\"","other":[${'[],'.repeat(1e5)}[]]}`],
])('refuses %s before they are parsed', async (_, path, body) => {
	const { call } = await startStudio(plainArtist());
	const headers = { 'content-type': 'application/json' };
	// The parser would refuse the end.
	const answer = await call(path, { method: 'POST', body: `${body}]`, headers });
	expect(await refusalOf(answer)).toMatchObject({ status: 400, message: 'The body may hold at most 50000 values.' });
});

it('takes a text of as many commas and brackets as it may have, and quotes', async () => {
	const content = '[{,"\\'.repeat(20_000);
	const { post } = await startStudio();
	expect((await post(CHAT, { messages: [{ role: 'user', content }] })).status).toBe(200);
});

it('refuses a text of 30 MB', async () => {
	await expectRefusal(CHAT, { messages: [{ role: 'user', content: 'a'.repeat(30 * 1024 * 1024) }] });
});
