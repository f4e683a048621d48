import type { ServerResponse } from 'node:http';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
	answers,
	answersInPieces,
	diesWithinAnswer,
	type FaultyService,
	smallPng,
	startFaultyService,
} from '../../packages/fakes/src/service.ts';
import { ServiceClient } from './client.ts';
import type { ChatPart, Service, ToolCall } from './service.ts';

let fake: FaultyService;
let service: Service;
const { signal } = new AbortController();
const request = { messages: [{ role: 'user' as const, content: 'hi' }] };
const STREAM = { 'content-type': 'text/event-stream' };

beforeAll(async () => {
	fake = await startFaultyService();
	const models = { image: 'i', chat: 'alpha-chat', embedding: 'e' };
	service = new ServiceClient({ baseUrl: fake.url, apiKey: 'key-123', timeoutMs: 10_000, models });
});

afterAll(async () => {
	await service.close();
	await fake.close();
});

function frame(content: string): string {
	return `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;
}

type Heard = {
	text: string;
	pictures?: Buffer[];
	lost?: number;
	retracted?: true;
	unshown?: true;
	calls?: readonly ToolCall[];
	error?: unknown;
};

/** Returns what came, and what the loop threw at the end. */
async function listen(model = 'alpha-chat'): Promise<Heard> {
	const heard: Heard = { text: '' };
	try {
		for await (const part of service.chat({ ...request, model }, signal)) {
			if (typeof part === 'string') heard.text += part;
			else if ('retract' in part) Object.assign(heard, { text: '', retracted: true });
			else if ('calls' in part) heard.calls = part.calls;
			else if ('unshown' in part) heard.unshown = true;
			else {
				const pictures = part.pictures.map(({ bytes }) => Buffer.from(bytes));
				heard.pictures = [...(heard.pictures ?? []), ...pictures];
				heard.lost = (heard.lost ?? 0) + part.lost;
			}
		}
		return heard;
	} catch (error) {
		return { ...heard, error };
	}
}

async function hear(body: string, model?: string) {
	fake.next(answers(200, body, STREAM));
	return listen(model);
}

const words = (text: ChatPart) => (typeof text === 'string' ? text : '');

test('requests a stream and yields its text', async () => {
	expect(await hear(`${frame('a red')}${frame(' fox 😀')}data: [DONE]\n\n`)).toEqual({ text: 'a red fox 😀' });
	expect(JSON.parse(fake.requests.at(-1)!.body.toString())).toEqual({ model: 'alpha-chat', ...request, stream: true });
});

const finish = (reason: string, delta?: object) =>
	`data: ${JSON.stringify({ choices: [{ index: 0, ...(delta && { delta }), finish_reason: reason }] })}\n\n`;
const usage = 'data: {"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5}}\n\n';

describe('the tokens of an answer', () => {
	const tokensOf = async (body: string) => {
		fake.next(answers(200, body, STREAM));
		const counted: unknown[] = [];
		await Array.fromAsync(service.chat(request, signal, (tokens) => counted.push(tokens))).catch(() => {});
		return counted;
	};

	test('are counted once, from the last frame that has them', async () => {
		const growing = 'data: {"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":1}}\n\n';
		const whole = [{ input: 3, output: 2 }];
		expect(await tokensOf(`${growing}${frame('a fox')}${finish('stop', {})}${usage}data: [DONE]\n\n`)).toEqual(whole);
		expect(await tokensOf(`${frame('a fox')}${finish('length')}${usage}`)).toEqual(whole);
		const completion = {
			choices: [{ message: { content: 'a fox' } }],
			usage: { prompt_tokens: 3, completion_tokens: 2 },
		};
		expect(await tokensOf(JSON.stringify(completion))).toEqual(whole);
	});

	test.each(['{"total_tokens":3}', '{"prompt_tokens":-1,"completion_tokens":2}', 'null', '"3"'])(
		'are absent when the usage is %s',
		async (given) => {
			const last = `data: {"choices":[],"usage":${given}}\n\n`;
			expect(await tokensOf(`${frame('a fox')}${finish('stop')}${last}data: [DONE]\n\n`)).toEqual([]);
		},
	);
});

describe('the end of a stream', () => {
	test('is the reason to finish, when the end mark is missing', async () => {
		expect(await hear(`${frame('a fox')}${finish('stop', {})}${usage}`)).toEqual({ text: 'a fox' });
		expect(await hear(`${frame('a fox')}${finish('stop')}`)).toEqual({ text: 'a fox' });
	});

	test.each([
		['length', 'length'],
		['content_filter', 'content'],
	])('%s is an error after the text', async (reason, kind) => {
		const { text, error } = await hear(`${frame('a red')}${finish(reason, {})}${usage}data: [DONE]\n\n`);
		expect([text, error]).toEqual(['a red', expect.objectContaining({ kind, status: 200, code: reason })]);
		const whole = JSON.stringify({ choices: [{ message: { content: 'a red' }, finish_reason: reason }] });
		expect(await hear(whole)).toMatchObject({ text: 'a red', error: { kind } });
	});
});

describe('the reasoning of a model is left out', () => {
	const reasoning = (field: string) => `data: {"choices":[{"delta":{"${field}":"hmm"}}]}\n\n`;

	test('in fields of its own', async () => {
		const frames = `${reasoning('reasoning_content')}${reasoning('reasoning')}${frame('a fox')}data: [DONE]\n\n`;
		expect(await hear(frames)).toEqual({ text: 'a fox' });
	});

	test('at the beginning of the text, wherever it is cut', async () => {
		const cases: [string, string][] = [
			['<think>a red or\n a grey one?</think>\n\nA fox', 'A fox'],
			['\n<think></think>A <think>fox</think>', 'A <think>fox</think>'],
			['<think>without an end', ''],
			['<thinking>hm</thinking>A fox', 'A fox'],
			['[THINK]hm[/THINK]A fox', 'A fox'],
			['◁think▷hm◁/think▷A fox', 'A fox'],
			['<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>A fox', 'A fox'],
			['<|start|>assistant<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>A', 'A'],
			['<reasoning>hm</reasoning>A fox', 'A fox'],
			['<seed:think>hm</seed:think>A fox', 'A fox'],
			['<THINK>hm</THINK>\n<answer>\nA fox</answer><|im_end|>', 'A fox'],
			['Here is my thought process: hm Here is my response: A fox', 'A fox'],
			['[unused16]hm[unused17]A fox', 'A fox'],
			['<|begin_of_box|>A fox<|end_of_box|>', 'A fox'],
			['Here are my reasoning steps: hm [BEGIN FINAL RESPONSE] A fox[END FINAL RESPONSE]\n<|end|>\n', 'A fox'],
			['<|START_THINKING|>hm<|END_THINKING|><|START_RESPONSE|>A fox<|END_RESPONSE|>', 'A fox'],
			['<answer>42</answer> is a tag, as is <', '<answer>42</answer> is a tag, as is <'],
			['A fox</s> A boat [', 'A fox</s> A boat ['],
			['<analysis>hm</analysis>A fox', 'A fox'],
			['<|begin_of_thought|>hm<|end_of_thought|>A fox', 'A fox'],
			['<|channel>thought\nhm<channel|>A fox', 'A fox'],
			['<|START_THINKING|>hm<|END_THINKING|>A fox', 'A fox'],
			['<think>a</think>\n<think>b</think>\nA fox', 'A fox'],
			['<think>a</think><thought>b</thought>', ''],
			['[THIS] fox', '[THIS] fox'],
			['<thin ice', '<thin ice'],
			['<', '<'],
			['A fox', 'A fox'],
		];
		await fc.assert(
			fc.asyncProperty(fc.constantFrom(...cases), fc.integer({ min: 1, max: 9 }), async ([sent, text], size) => {
				const pieces = sent.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
				expect(await hear(`${pieces.map(frame).join('')}data: [DONE]\n\n`)).toEqual({ text });
			}),
			{ numRuns: 60 },
		);
	});
});

test.each(['<|return|>', '<|im_end|>', '<|eot_id|>', '<end_of_turn>', '</s>', '<｜end▁of▁sentence｜>\n'])(
	'leaves out the mark of an end that a server has left in the text: %s',
	async (mark) => {
		expect(await hear(`${frame('A fox.')}${frame(mark)}data: [DONE]\n\n`)).toEqual({ text: 'A fox.' });
	},
);

test('holds no more back than marks may take, however many there are', async () => {
	const marks = '</s>'.repeat(50_000);
	const { text } = (await hear(
		`${frame('A fox.')}${frame(marks)}${frame(`<${' '.repeat(1000)}`)}${frame('!')}data: [DONE]\n\n`,
	)) as { text: string };
	expect(text).toBe(`A fox.${marks}<${' '.repeat(1000)}!`);
});

const chunk = (choice: object) => JSON.stringify({ choices: [choice] });
const completion = { choices: [{ message: { content: 'A fox' }, finish_reason: 'stop' }] };

test.each([
	['a number as the reason of the end', `${frame('A fox')}data: ${chunk({ delta: {}, finish_reason: 1 })}\n\n`],
	['an object as the reason of the end', `${frame('A fox')}data: ${chunk({ finish_reason: { type: 'stop' } })}\n\n`],
	['an event as its end', `${frame('A fox')}event: done\ndata: {}\n\n`],
	['a word as its end', `${frame('A fox')}data: DONE\n\n`],
	[
		'the usage as its end',
		`${frame('A fox')}data: {"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2}}\n\n`,
	],
	['no blank lines', `${frame('A')}${frame(' fox')}data: [DONE]`.replaceAll('\n\n', '\n')],
	[
		'lines of JSON',
		`${chunk({ delta: { content: 'A' } })}\n${chunk({ delta: { content: ' fox' }, finish_reason: 'stop' })}`,
	],
	["lines of Ollama's own", '{"message":{"content":"A"},"done":false}\n{"message":{"content":" fox"},"done":true}\n'],
	['an envelope', JSON.stringify({ code: 200, data: completion })],
	['a text as the message', chunk({ message: 'A fox', finish_reason: 'stop' })],
])('reads an answer with %s', async (_, body) => {
	expect(await hear(body)).toEqual({ text: 'A fox' });
});

describe('reasoning that ends with a mark but does not begin with one', () => {
	test.each([
		['hmm</think>A fox.', 'A fox.'],
		['a red one?\n</thinking>\n\nA fox', 'A fox'],
		['hm</thought> A fox </thought>', 'A fox </thought>'],
		['hm[/THINK]A fox', 'A fox'],
		['hm◁/think▷A fox', 'A fox'],
		['analysis: hm<|end|><|start|>assistant<|channel|>final<|message|>A fox', 'A fox'],
		['hmm</think>', ''],
	])('is taken back, and held back from then on: %j', async (sent, text) => {
		const pieces = (size: number) => sent.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
		for (const size of [1, 5, 100]) {
			const body = `${pieces(size).map(frame).join('')}data: [DONE]\n\n`;
			const model = `${sent} ${size}`;
			expect(await hear(body, model)).toEqual({ text, retracted: true });
			expect(await hear(body, model)).toEqual({ text });
			// An answer without reasoning is whole, and so is the next.
			for (const _ of [1, 2])
				expect(await hear(`${frame('A')}${frame(' hen')}${finish('stop')}`, model)).toEqual({ text: 'A hen' });
		}
	});

	test.each([
		'The template has `</think>` at its end.',
		'Between <think> and </think> it reasons.',
		'```\n{{ prompt }}</think>\n```',
	])('is told from words about the mark: %j', async (text) => {
		const pieces = [...text].map(frame).join('');
		expect(await hear(`${pieces}data: [DONE]\n\n`)).toEqual({ text });
		expect(await hear(`${frame(text)}data: [DONE]\n\n`)).toEqual({ text });
	});
});

describe('pictures of a chat model', () => {
	let png: Buffer;
	let url: string;
	beforeAll(async () => {
		png = await smallPng();
		url = `data:image/png;base64,${png.toString('base64')}`;
	});
	const stream = (...deltas: object[]) =>
		`${deltas.map((delta) => `data: ${JSON.stringify({ choices: [{ delta }] })}\n\n`).join('')}data: [DONE]\n\n`;
	const whole = (message: object) => JSON.stringify({ choices: [{ message, finish_reason: 'stop' }] });
	const image = (of = url) => ({ type: 'image_url', image_url: { url: of } });

	test('beside the text', async () => {
		const text = 'A fox:';
		const cases = [
			stream({ content: text, images: [image()] }),
			stream({ content: text }, { content: '', images: [{ index: 0, ...image() }] }),
			stream({ content: [{ type: 'text', text }, image()] }),
			stream({ content: text, images: [png.toString('base64')] }),
			stream({ content: text, images: [image()] }, { images: [image()] }),
			whole({ content: text, images: [image()] }),
			whole({
				content: [
					{ type: 'text', text },
					{ type: 'image_url', image_url: url },
				],
			}),
			whole({ content: text, images: [{ type: 'output_image', b64_json: png.toString('base64') }] }),
		];
		for (const body of cases) expect(await hear(body)).toEqual({ text, pictures: [png], lost: 0 });
	});

	test('alone are an answer', async () => {
		expect(await hear(whole({ content: null, images: [image()] }))).toEqual({ text: '', pictures: [png], lost: 0 });
	});

	test('in Markdown, wherever it is cut', async () => {
		const large = Buffer.concat([png, Buffer.alloc(900, 7)]);
		const alone = `data:image/png;base64,${large.toString('base64')}`;
		const cases: [string, string, Buffer[]][] = [
			[`Here: ![a fox](${url}) Nice?`, 'Here:  Nice?', [png]],
			[`![](${url})![](<${url}>)`, '', [png]],
			[`A <img alt="fox" src="${alone}" width="9"> fox`, 'A  fox', [large]],
			[`![a](${url} "title") b`, ' b', [png]],
			[`Two ${alone} one`, 'Two  one', [large]],
			[`![a](${url}`, '', [png]],
			[`Here:\n\n![a fox][1]\n\n[1]: ${url}\n\nNice?`, 'Here:\n\n\nNice?', [png]],
			[`![][image1]\n\n[image1]: <${url}>`, '', [png]],
			[`See ![fox].\n[fox]: ${url} "title"`, 'See ![fox].\n', [png]],
		];
		for (const [sent, text, pictures] of cases)
			for (const size of [1, 7, 100, 5000]) {
				const pieces = sent.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
				const heard = await hear(`${pieces.map(frame).join('')}data: [DONE]\n\n`);
				expect(heard).toEqual({ text, pictures, lost: 0 });
			}
	});

	test('are told from text', async () => {
		const texts = [
			'![a fox](https://example.com/a.png) is a link',
			'Wow![1] and![',
			'![a fox][1]\n\n[1]: https://example.com/a.png\n[2]: da',
			'the data: a, the end d',
			'<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">',
			'data:image/png,no',
		];
		for (const text of texts)
			for (const pieces of [[text], [...text]])
				expect(await hear(`${pieces.map(frame).join('')}data: [DONE]\n\n`)).toEqual({ text });
	});

	test('that are none, too many or too large are counted', async () => {
		const svg = `data:image/svg+xml;base64,${Buffer.from('<svg/>').toString('base64')}`;
		const heard = await hear(stream({ content: `a![](${svg})b`, images: [image(svg), image('x')] }));
		expect(heard).toEqual({ text: 'ab', pictures: [], lost: 3 });
		const six = Array.from('abcdef', (end) =>
			image(`data:image/png;base64,${Buffer.concat([png, Buffer.from(end)]).toString('base64')}`),
		);
		expect((await hear(whole({ content: '', images: six }))).pictures).toHaveLength(4);
		const huge = `${url}${'A'.repeat(17_000_000)}`;
		const pieces = huge
			.match(/.{1,4000000}/g)!
			.map(frame)
			.join('');
		expect(await hear(`${frame('![](')}${pieces}${frame(')ok')}data: [DONE]\n\n`)).toEqual({
			text: 'ok',
			pictures: [],
			lost: 1,
		});
	});

	test('at an address of the service are fetched, and others are counted', async () => {
		const images = [image(`${fake.url}/a.png`), image('https://example.com/b.png')];
		fake.next(answers(200, whole({ content: 'Two:', images })), answers(200, png));
		expect(await listen()).toEqual({ text: 'Two:', pictures: [png], lost: 1 });
		expect(fake.requests.at(-1)!.path).toBe('/a.png');
	});
});

test('yields text before the rest arrives, and reads nothing after [DONE]', async () => {
	const began = Promise.withResolvers<ServerResponse>();
	fake.next(({ response }) => {
		response.writeHead(200, STREAM).write(frame('one'));
		began.resolve(response);
	});
	const heard: ChatPart[] = [];
	for await (const text of service.chat(request, signal)) {
		heard.push(text);
		const response = await began.promise;
		response.write(heard.length === 1 ? frame('two') : `data: [DONE]\n\n${frame('three')}`);
	}
	expect(heard).toEqual(['one', 'two']);
});

test('reads nothing after an event that ends the stream of another dialect', async () => {
	const events = [
		{ type: 'content_block_delta', delta: { type: 'text_delta', text: 'one' } },
		{ type: 'message_stop' },
	];
	fake.next(({ response }) => {
		response.writeHead(200, STREAM).write(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
	});
	expect(await listen()).toEqual({ text: 'one' });
});

test('is the same wherever the network cuts it', async () => {
	const body = Buffer.from(`: hello\r\n\r\n${frame('é').replaceAll('\n', '\r\n')}${frame('😀\u2028')}data: [DONE]\n\n`);
	await fc.assert(
		fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 30 }), async (sizes) => {
			const pieces: Buffer[] = [];
			let at = 0;
			for (const size of sizes) {
				pieces.push(body.subarray(at, at + size));
				at += size;
			}
			fake.next(answersInPieces([...pieces.filter(({ length }) => length > 0), body.subarray(at)]));
			expect(await listen()).toEqual({ text: 'é😀\u2028' });
		}),
		{ numRuns: 30 },
	);
});

test.each<[string, string]>([
	['comments and blank lines', `: ping\n\n\n\n${frame('ok')}:\n\ndata: [DONE]\n\n`],
	['carriage returns', `${frame('ok')}data: [DONE]\n\n`.replaceAll('\n', '\r\n')],
	['a byte order mark', `\ufeff${frame('ok')}data: [DONE]\n\n`],
	['no space after the colon', `${frame('ok').replace('data: ', 'data:')}data:[DONE]\n\n`],
	['other fields', `id: 1\nretry: x\nfoo: bar\nevent: message\n${frame('ok')}data: [DONE]\n\n`],
	[
		'frames without text',
		`data: {"choices":[{"delta":{"role":"assistant","content":null}}]}\n\ndata: {"choices":[]}\n\ndata: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\ndata: {"usage":{"total_tokens":3}}\n\n${frame('ok')}data: null\n\ndata: 7\n\ndata: {"choices":[null]}\n\ndata: [DONE]\n\n`,
	],
	['empty events', `data\n\ndata:\n\nevent: ping\ndata: \n\n${frame('ok')}data:  \n\ndata:\ndata:\n\ndata: [DONE]\n\n`],
	['a frame of several lines', 'data: {"choices":\ndata: [{"delta":{"content":"ok"}}]}\n\ndata: [DONE]\n\n'],
	['no JSON', `data: : PROCESSING\n\ndata: ping\n\ndata: ${frame('ok')}data: [DONE] \n\n`],
	['no blank line at the end', `${frame('o')}${frame('k')}data: [DONE]\n`],
	['no blank line at the end, and no mark', `${frame('o')}${finish('stop', { content: 'k' }).trimEnd()}`],
	['an empty reason to finish', `${finish('', { content: 'o' })}${frame('k')}data: [DONE]\n\n`],
	[
		'parts',
		`${finish('stop', {
			content: [
				{ type: 'thinking', thinking: [] },
				{ type: 'text', text: 'ok' },
			],
		})}`,
	],
	['a refusal', finish('stop', { content: null, refusal: 'ok' })],
	['one JSON answer in parts', '{"choices":[{"message":{"content":[{"type":"text","text":"ok"}]}}]}'],
	['one JSON answer', ' {"choices":[{"message":{"role":"assistant","content":"ok"}}]}'],
])('takes %s', async (_, body) => {
	expect(await hear(body)).toEqual({ text: 'ok' });
});

describe('yields what came and then throws, for', () => {
	test.each<[string, string, object]>([
		['no end mark', frame('half'), { kind: 'cut-off', code: 'NO_END_MARK' }],
		['an end within a frame', `${frame('half')}data: {"choi`, { kind: 'cut-off', code: 'NO_END_MARK' }],
		['nothing at all', '', { kind: 'cut-off', code: 'NO_END_MARK' }],
		[
			'an error frame',
			`${frame('half')}data: {"error":{"message":"overloaded","code":"busy"}}\n\ndata: [DONE]\n\n`,
			{ kind: 'cut-off', code: 'busy', detail: 'overloaded', status: 200 },
		],
		[
			'an error event',
			`${frame('half')}event: error\ndata: {"message":"overloaded"}\n\n`,
			{ kind: 'cut-off', detail: 'overloaded' },
		],
		['an error in words', `${frame('half')}data: Error: it went\n\n`, { kind: 'cut-off', detail: 'Error: it went' }],
		['a frame that is no JSON', `${frame('half')}data: a secret\n\n`, { kind: 'cut-off', code: 'NO_END_MARK' }],
		['a frame without end', `${frame('half')}data: ${'x'.repeat(17_000_000)}`, { kind: 'invalid' }],
		['a text without end', `${frame('half')}${frame('x'.repeat(1_100_000))}`, { kind: 'invalid' }],
		['a page', '<html><title>x</title></html>', { kind: 'failure', status: 200, detail: 'x' }],
		['JSON of another kind', '{"secret":"choices"}', { kind: 'invalid' }],
	])('%s', async (_, body, expected) => {
		const { text, error } = await hear(body);
		expect(text).toBe(body.includes('half') ? 'half' : '');
		expect(error).toMatchObject({ name: 'ServiceError', ...expected });
		expect(String(error)).not.toContain('secret');
	});

	test.each<[string, string, object]>([
		['in place of a frame', 'data: {"error":{"code":429,"message":"slow"}}\n\n', { kind: 'busy', status: 429 }],
		[
			'in a field',
			'error: {"code":400,"message":"too long"}\n\ndata: [DONE]\n\n',
			{ kind: 'request', detail: 'too long' },
		],
		['on a line', '{"error":{"code":"rate_limit_exceeded","message":"slow"}}\n', { kind: 'busy' }],
		[
			'on the first line',
			'{"error":{"code":429,"message":"slow"}}\n\ndata: [DONE]\n\n',
			{ kind: 'busy', detail: 'slow' },
		],
		['beside a comment', ': hi\n{"error":{"code":402,"message":"no"}}\n\n', { kind: 'balance' }],
		[
			'in a choice',
			finish('error').replace('"finish', '"error":{"code":502},"finish'),
			{ kind: 'failure', status: 500, code: '502' },
		],
		['in a list', '[{"error":{"code":429,"details":[{"retryDelay":"26s"}]}}]', { kind: 'busy', retryAfterSeconds: 26 }],
		[
			'with the key',
			'{"error":"The key key-123 is wrong"}',
			{ kind: 'failure', status: 500, detail: 'The key … is wrong' },
		],
	])('an error %s', async (_, body, expected) => {
		const { text, error } = await hear(body);
		expect(text).toBe('');
		expect(error).toMatchObject({ name: 'ServiceError', ...expected });
	});

	test('a broken connection', async () => {
		fake.next(diesWithinAnswer(frame('half'), 200, STREAM));
		const { text, error } = await listen();
		expect(text).toBe('half');
		expect(error).toMatchObject({ name: 'ServiceError', kind: 'cut-off' });
	});

	test('an error status', async () => {
		fake.next(answers(429, '{"error":"slow down"}', { 'retry-after': '3' }));
		expect((await listen()).error).toMatchObject({ kind: 'busy', retryAfterSeconds: 3 });
	});
});

test.each([
	[400, { error: { message: 'Your organization must be verified to stream this model.', param: 'stream' } }],
	[403, { error: { message: 'Your organization must be verified to stream this model.' } }],
	[422, { detail: 'stream must be False' }],
	[501, { error: 'Streaming is not implemented' }],
])('asks a model that may not stream for whole answers from then on: %d %j', async (status, refusal) => {
	const before = fake.requests.length;
	const whole = answers(200, '{"choices":[{"message":{"content":"ok"}}]}');
	fake.next(answers(status, JSON.stringify(refusal)), whole, whole, whole);
	const model = JSON.stringify(refusal);
	for (const one of [model, model, `${model}, another`]) expect(await listen(one)).toEqual({ text: 'ok' });
	const streams = fake.requests.slice(before).map(({ body }) => JSON.parse(String(body)).stream);
	expect(streams).toEqual([true, undefined, undefined, true]);
});

test('aborts the request when the loop is left', async () => {
	const { promise, resolve } = Promise.withResolvers<void>();
	fake.next(({ response }) => {
		response.on('close', resolve);
		response.writeHead(200, STREAM).write(frame('one'));
	});
	for await (const text of service.chat(request, signal)) {
		expect(text).toBe('one');
		break;
	}
	await promise;
});

test('throws with the reason as its cause when the caller aborts', async () => {
	const controller = new AbortController();
	const cause = new Error('stopped');
	fake.next(({ response }) => void response.writeHead(200, STREAM).write(frame('one')));
	const heard: ChatPart[] = [];
	const loop = async () => {
		for await (const text of service.chat(request, controller.signal)) {
			heard.push(text);
			controller.abort(cause);
		}
	};
	await expect(loop()).rejects.toMatchObject({ kind: 'cut-off', code: 'ABORTED', cause });
	expect(heard).toEqual(['one']);
});

test('sends nothing before the loop begins, nor with an aborted signal', async () => {
	const before = fake.requests.length;
	service.chat(request, signal);
	await expect(Array.fromAsync(service.chat(request, AbortSignal.abort('late')))).rejects.toBe('late');
	expect(fake.requests).toHaveLength(before);
});

test('holds the service back for a slow reader, who gets everything', async () => {
	const content = 'x'.repeat(1000);
	const total = 20_000;
	let written = 0;
	let stuck: () => void = () => {};
	const full = new Promise<void>((resolve) => {
		stuck = resolve;
	});
	fake.next(async ({ response }) => {
		response.writeHead(200, STREAM);
		for (; written < total; written++) {
			if (response.write(frame(content))) continue;
			// The kernel's buffers are full once a write stays unfinished over several turns of the loop.
			const drained = new Promise<void>((resolve) => response.once('drain', resolve));
			for (let turn = 0; turn < 50 && response.writableNeedDrain; turn++) await new Promise(setImmediate);
			if (response.writableNeedDrain) stuck();
			await drained;
		}
		response.end('data: [DONE]\n\n');
	});
	let length = 0;
	for await (const text of service.chat(request, signal)) {
		if (length === 0) await full;
		length += words(text).length;
	}
	expect(length).toBe(total * content.length);
});

test('goes on after each stop of a reader that is faster than the service', async () => {
	const content = 'x'.repeat(70_000);
	const began = Promise.withResolvers<ServerResponse>();
	fake.next(({ response }) => {
		response.writeHead(200, STREAM).write(frame(content));
		began.resolve(response);
	});
	let length = 0;
	for await (const text of service.chat(request, signal)) {
		length += words(text).length;
		if (length % content.length !== 0) continue;
		const response = await began.promise;
		setImmediate(() => response.write(length < 5 * content.length ? frame(content) : 'data: [DONE]\n\n'));
	}
	expect(length).toBe(5 * content.length);
});
