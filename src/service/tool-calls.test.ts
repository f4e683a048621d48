import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { answersCalls, answersChat, chatOf, type FakeCall } from '../../packages/fakes/src/chat.ts';
import { startOpenaiService } from '../../packages/fakes/src/openai/openai-service.ts';
import { answers, type FaultyService, startFaultyService } from '../../packages/fakes/src/service.ts';
import { ToolCalls } from './chat.ts';
import { ServiceClient } from './client.ts';
import { PROFILES } from './profiles.ts';
import type { ChatMessage, ChatTool, ToolCall } from './service.ts';

const { signal } = new AbortController();
const tools: ChatTool[] = [
	{ name: 'draw', description: 'Draws.', parameters: { type: 'object', properties: {}, required: [] } },
];
const models = { image: 'i', chat: 'some-model', embedding: 'e' };
let fake: FaultyService;
let service: ServiceClient;
beforeAll(async () => {
	fake = await startFaultyService();
});
beforeEach(() => {
	service = new ServiceClient({ baseUrl: fake.url, apiKey: 'key', timeoutMs: 10_000, models });
});
afterAll(() => fake.close());

const hi: ChatMessage[] = [{ role: 'user', content: 'hi' }];
async function hear(client = service, model?: string, messages = hi) {
	const heard: { text: string; calls: ToolCall[] } = { text: '', calls: [] };
	for await (const part of client.chat({ messages, tools, ...(model && { model }) }, signal))
		if (typeof part === 'string') heard.text += part;
		else if ('calls' in part) heard.calls.push(...part.calls);
	return heard;
}

describe('calls of tools', () => {
	const calls: FakeCall[] = [
		{ name: 'draw', arguments: { prompt: 'a “fox” in the snow' } },
		{ name: 'draw', arguments: '{"prompt": "a bo' },
	];
	test.each([{ isWhole: false }, { isWhole: true }])('come at the end with their arguments: %j', async (how) => {
		fake.next(answersCalls(calls, { text: 'Here they are.', ...how }));
		expect(await hear()).toEqual({
			text: 'Here they are.',
			calls: [
				{ id: 'call_0', name: 'draw', arguments: '{"prompt":"a “fox” in the snow"}' },
				{ id: 'call_1', name: 'draw', arguments: '{"prompt": "a bo' },
			],
		});
	});

	test('may come in many fragments at once', async () => {
		const draw = (text: string) => ({ name: 'draw', arguments: { prompt: text.repeat(20) } });
		fake.next(answersCalls(['a', 'b', 'c', 'd'].map(draw)));
		const prompts = (await hear()).calls.map((call) => JSON.parse(call.arguments).prompt);
		expect(prompts).toEqual(['a', 'b', 'c', 'd'].map((text) => text.repeat(20)));
	});

	test('are told apart where a service numbers all of them 0, and have ids where it has none', () => {
		const read = (...parts: unknown[]) => {
			const found = new ToolCalls();
			for (const part of parts) found.push([part]);
			return found.take();
		};
		const call = (name: string, id?: string, index?: number, more = '{}') => ({
			...{ id, index },
			function: { name, arguments: more },
		});
		expect(read(call('a', 'x', 0), call('b', 'y', 0))).toMatchObject([
			{ name: 'a', id: 'x' },
			{ name: 'b', id: 'y' },
		]);
		expect(read(call('a'), call('b'))).toMatchObject([{ id: 'call00000' }, { id: 'call00001' }]);
		expect(read(call('a', 'x', 0, '{"p":'), call('a', 'x', 0, '1}'))).toEqual([
			{ name: 'a', id: 'x', arguments: '{"p":1}' },
		]);
		expect(read(call('a', 'x', undefined, ''), { function: { arguments: '{}' } })).toMatchObject([{ arguments: '{}' }]);
		expect(read({ function: { name: 'a', arguments: { p: 1 } } })).toMatchObject([{ arguments: '{"p":1}' }]);
		expect(read(null, 7, {}, { function: { arguments: '{}' } })).toEqual([]);
		const many = Array.from({ length: 50 }, (_, index) => call('a', `x${index}`, index, 'y'.repeat(50_000)));
		expect(JSON.stringify(read(...many)).length).toBeLessThan(200_000);
	});

	const named = { name: 'draw', id: 'x' };
	const item = { type: 'function_call', id: 'fc_1', call_id: 'x', name: 'draw', arguments: '{"prompt":"a fox"}' };
	const prompt = { prompt: 'a fox' };
	const block = { type: 'tool_use', ...named, input: {} };
	const piece = (partial_json: string) => ({ type: 'input_json_delta', partial_json });
	const cohere = (type: string, tool_calls: object) => ({ type, index: 0, delta: { message: { tool_calls } } });
	test.each<[string, ...object[]]>([
		[
			'the events of Claude',
			{ type: 'message_start', message: { role: 'assistant', content: [] } },
			{ type: 'content_block_start', index: 1, content_block: block },
			{ type: 'content_block_delta', index: 1, delta: piece('') },
			{ type: 'content_block_delta', index: 1, delta: piece('{"prompt":') },
			{ type: 'content_block_delta', index: 1, delta: piece('"a fox"}') },
			{ type: 'message_delta', delta: { stop_reason: 'tool_use' } },
			{ type: 'message_stop' },
		],
		['Claude', { type: 'message', content: [{ ...block, input: prompt }], stop_reason: 'tool_use' }],
		[
			'the events of the responses API',
			{ type: 'response.output_item.added', item: { ...item, arguments: '' } },
			{ type: 'response.function_call_arguments.delta', item_id: 'fc_1', delta: '{"prompt":' },
			{ type: 'response.function_call_arguments.done', item_id: 'fc_1', arguments: item.arguments },
			{ type: 'response.output_item.done', item },
			{ type: 'response.completed', response: { output: [item] } },
		],
		[
			'a message that repeats the calls of all events',
			{
				choices: [
					{ delta: { tool_calls: [{ index: 0, id: 'x', function: { name: 'draw', arguments: '{"prompt":' } }] } },
				],
			},
			{ choices: [{ delta: { tool_calls: [{ index: 0, function: { arguments: '"a fox"}' } }] } }] },
			{
				choices: [
					{
						finish_reason: 'tool_calls',
						message: { tool_calls: [{ index: 0, id: 'x', function: { name: 'draw', arguments: item.arguments } }] },
					},
				],
			},
		],
		['the responses API', { object: 'response', status: 'completed', output: [item] }],
		['Gemini', { candidates: [{ content: { parts: [{ functionCall: { name: 'draw', args: prompt, id: 'x' } }] } }] }],
		[
			'the events of Cohere',
			{ type: 'tool-plan-delta', delta: { message: { tool_plan: 'I will draw it.' } } },
			cohere('tool-call-start', { id: 'x', type: 'function', function: { name: 'draw', arguments: '' } }),
			cohere('tool-call-delta', { function: { arguments: '{"prompt":"a fox"}' } }),
			{ type: 'message-end', delta: { finish_reason: 'TOOL_CALL' } },
		],
		['Ollama', { message: { content: '', tool_calls: [{ id: 'x', function: { name: 'draw', arguments: prompt } }] } }],
		[
			'those with empty fields',
			{ choices: [{ delta: { tool_calls: [{ index: 0, id: 'x', function: { name: 'draw', arguments: null } }] } }] },
			{ choices: [{ delta: { tool_calls: [{ index: 0, id: null, function: item }] }, finish_reason: 'stop' }] },
		],
	])('are read in the dialect of %s', async (_, ...events) => {
		const body = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
		fake.next(
			events.length > 1
				? answers(200, body, { 'content-type': 'text/event-stream' })
				: answers(200, JSON.stringify(events[0])),
		);
		expect(await hear()).toEqual({ text: '', calls: [{ ...named, arguments: item.arguments }] });
	});

	test('without arguments have none', async () => {
		fake.next(answers(200, JSON.stringify({ type: 'message', content: [block], stop_reason: 'tool_use' })));
		expect((await hear()).calls).toEqual([{ ...named, arguments: '{}' }]);
	});

	test('of an answer that is cut off are none', async () => {
		const begun = { index: 0, id: 'x', function: { name: 'draw', arguments: '{}' } };
		const frame = (choice: object) => `data: ${JSON.stringify({ choices: [choice] })}\n\n`;
		for (const end of ['', frame({ delta: {}, finish_reason: 'length' })]) {
			fake.next(answers(200, frame({ delta: { tool_calls: [begun] } }) + end, { 'content-type': 'text/event-stream' }));
			await expect(hear()).rejects.toThrow();
		}
	});
});

describe('a model that takes no tools', () => {
	const sent = () => fake.requests.map(({ body }) => Object.keys(chatOf({ body } as never).tools).length);

	test.each([
		[400, { error: { message: 'registry.ollama.ai/library/gemma:latest does not support tools' } }],
		[404, { error: { message: 'No endpoints found that support tool use.', code: 404 } }],
		[
			400,
			{ error: { message: '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set' } },
		],
		[500, { error: { code: 500, message: 'tools param requires --jinja flag', type: 'server_error' } }],
		[400, { error: { message: '`tool calling` is not supported with this model', type: 'invalid_request_error' } }],
		[422, { detail: [{ loc: ['body', 'tools'], msg: 'Extra inputs are not permitted' }] }],
	])('is asked without them from then on: %d %j', async (status, error) => {
		const before = fake.requests.length;
		fake.next(answers(status, JSON.stringify(error)), answersChat('Hi.'), answersChat('Hi.'), answersChat('Hi.'));
		for (const model of [undefined, undefined, 'another']) expect((await hear(service, model)).text).toBe('Hi.');
		expect(sent().slice(before)).toEqual([1, 0, 0, 1]);
	});

	test('gets a conversation without calls', async () => {
		const call = { id: 'x', name: 'draw', arguments: '{}' };
		const messages: ChatMessage[] = [
			...hi,
			{ role: 'assistant', content: '', calls: [call] },
			{ role: 'tool', content: 'Made.', resultOf: 'x' },
			{ role: 'assistant', content: 'Here.' },
			...hi,
		];
		fake.next(answers(400, '{"error":"does not support tools"}'), answersChat('Hi.'));
		await hear(service, undefined, messages);
		const [first, second] = fake.requests.slice(-2).map((request) => JSON.parse(String(request.body)).messages);
		expect(first[1]).toEqual({
			role: 'assistant',
			content: null,
			tool_calls: [{ id: 'x', type: 'function', function: { name: 'draw', arguments: '{}' } }],
		});
		expect(first[2]).toEqual({ role: 'tool', content: 'Made.', tool_call_id: 'x' });
		expect(second.map(({ role }: { role: string }) => role)).toEqual(['user', 'assistant', 'user']);
		const strict = await startOpenaiService({ key: 'key' });
		strict.always(answersChat('Hi.'));
		const client = new ServiceClient({ baseUrl: strict.url, apiKey: 'key', profile: PROFILES.openai, models });
		await hear(client, undefined, messages);
		expect(strict.refusals).toEqual([]);
		await client.close();
		await strict.close();
	});
});
