import { describe, expect, test } from 'vitest';
import { readEmbeddings, readModeration } from './answers.ts';
import { noContents, readContents } from './contents.ts';
import { readModels } from './models.ts';

/** Reads events one after the other, or one whole answer. */
function read(...events: unknown[]) {
	const contents = noContents();
	for (const event of events) readContents(event, contents);
	const { words, reason } = contents;
	return { words, reason };
}

const text = 'A fox';
const parts = [{ type: 'text', text }];

describe('the words of a chat model are read from', () => {
	test.each<[string, unknown[], string?]>([
		[
			'events of Claude',
			[
				{ type: 'message_start', message: { type: 'message', content: [], usage: { input_tokens: 5 } } },
				{ type: 'content_block_start', content_block: { type: 'thinking', thinking: '' } },
				{ type: 'content_block_delta', delta: { type: 'thinking_delta', thinking: 'hm' } },
				{ type: 'content_block_start', content_block: { type: 'text', text: '' } },
				{ type: 'content_block_delta', delta: { type: 'text_delta', text: 'A' } },
				{ type: 'content_block_delta', delta: { type: 'text_delta', text: ' fox' } },
				{ type: 'message_delta', delta: { stop_reason: 'end_turn' } },
				{ type: 'message_stop' },
			],
			'end_turn',
		],
		['an answer of Claude', [{ type: 'message', content: parts, stop_reason: 'max_tokens' }], 'max_tokens'],
		[
			'events of responses, once',
			[
				{
					type: 'response.created',
					response: { status: 'in_progress', error: null, output: [], text: { format: {} } },
				},
				{ type: 'response.reasoning_summary_text.delta', delta: 'hm' },
				{ type: 'response.function_call_arguments.delta', delta: '{}' },
				{ type: 'response.output_text.delta', delta: 'A' },
				{ type: 'response.output_text.delta', delta: ' fox' },
				{ type: 'response.output_text.done', text },
				{ type: 'response.completed', response: { output: [{ type: 'message', content: parts }] } },
			],
			'stop',
		],
		[
			'the ends of responses, without what they repeat',
			[
				{ type: 'response.output_text.done', text },
				{ type: 'response.output_item.done', item: { type: 'message', content: parts } },
				{ type: 'response.completed', response: { output: [{ type: 'message', content: parts }] } },
			],
			'stop',
		],
		[
			'the end of responses alone',
			[
				{
					type: 'response.incomplete',
					response: {
						output: [{ type: 'message', content: parts }],
						incomplete_details: { reason: 'max_output_tokens' },
					},
				},
			],
			'max_output_tokens',
		],
		[
			'a response',
			[
				{
					object: 'response',
					output: [
						{ type: 'reasoning', summary: parts },
						{ type: 'message', content: parts },
					],
				},
			],
		],
		['Cloudflare', [{ response: 'A', p: 'x' }, { response: ' fox' }, { response: '', usage: {} }]],
		['the envelope of Cloudflare', [{ result: { response: text }, success: true, errors: [], messages: [] }]],
		['Cohere', [{ type: 'content-delta', delta: { message: { content: { text } } } }, { type: 'message-end' }], 'stop'],
		['Bedrock', [{ output: { message: { content: [{ text }] } }, stopReason: 'end_turn' }], 'end_turn'],
		['DashScope', [{ output: { text, finish_reason: 'stop' } }], 'stop'],
		['Hunyuan', [{ Response: { Choices: [{ Message: { Content: text }, FinishReason: 'stop' }] } }], 'stop'],
		[
			'Ollama',
			[
				{ response: 'A', done: false },
				{ response: ' fox', done: true, done_reason: 'length' },
			],
			'length',
		],
		['an envelope of Gemini', [{ response: { candidates: [{ content: { parts }, finishReason: 'STOP' }] } }], 'STOP'],
		['a list', [[{ generated_text: text }]]],
		['the first choice', [{ choices: [{ index: 1, delta: { content: 'B' } }] }, { choices: [{ message: text }] }]],
		[
			'a message that a last event repeats',
			[{ choices: [{ delta: { content: text } }] }, { choices: [{ delta: {}, message: { content: text } }] }],
		],
		[
			'a message that repeats those of all events',
			[
				{ choices: [{ delta: { content: 'A' } }] },
				{ choices: [{ delta: { content: ' fox' } }] },
				{ choices: [{ message: text }] },
			],
		],
		['messages in place of deltas', [{ choices: [{ message: 'A' }] }, { choices: [{ message: ' fox' }] }]],
		['numbers', [{ choices: [{ delta: { content: 4 } }] }, { choices: [{ delta: { content: 2 } }] }]],
	])('%s', (name, events, reason) => {
		expect(read(...events)).toEqual({ words: name === 'numbers' ? '42' : text, reason });
	});
});

test.each([
	{ data: [{ respect_moderation: false, url: '' }] },
	{ data: [{ is_image_safe: false, url: null }] },
	{ predictions: [{ raiFilteredReason: 'Filtered.' }] },
	{ images: [], has_nsfw_concepts: [true] },
	{ images: [], finish_reasons: ['Filter reason: prompt'] },
	{ promptFeedback: { blockReason: 'SAFETY' } },
])('tells that a filter has left out what %j should have', (answer) => {
	expect(readContents(answer).isBlocked).toBe(true);
});

test('leaves out what a tool has said', () => {
	const content = [
		{ type: 'tool_use', name: 'a', input: {} },
		{ type: 'mcp_tool_result', content: parts },
	];
	const { words, hasUnknown } = readContents({ type: 'message', content });
	expect([words, hasUnknown]).toEqual(['', true]);
});

test('leaves out the pictures that a search has found', () => {
	const images = [{ image_url: 'https://example.com/a.png' }];
	const { words, pictures } = readContents({ choices: [{ message: { content: text } }], images });
	expect([words, pictures]).toEqual([text, []]);
});

describe('vectors are read from', () => {
	const vectors = [
		[1, 0],
		[0, 1],
	];
	const base64 = vectors.map((vector) => Buffer.from(Float32Array.from(vector).buffer).toString('base64'));
	test.each<[string, unknown]>([
		['data in another order', { data: [1, 0].map((index) => ({ index: String(index), embedding: vectors[index] })) }],
		['base64', { data: base64.map((embedding) => ({ embedding })) }],
		['lists within lists', [{ embedding: [vectors[0]] }, { embedding: [vectors[1]] }]],
		['lists alone', vectors],
		['embeddings', { embeddings: vectors }],
		['embeddings by their type', { embeddings: { float: vectors } }],
		['values', { embeddings: vectors.map((values) => ({ values })) }],
		['an output', { output: { embeddings: vectors.map((embedding, text_index) => ({ embedding, text_index })) } }],
		['an envelope', { code: 0, data: { data: vectors.map((embedding) => ({ embedding })) } }],
		['a result', { result: { shape: [2, 2], data: vectors }, success: true }],
	])('%s', (_, answer) => {
		expect(readEmbeddings(answer, 2)).toEqual(vectors);
	});
});

test.each<[unknown, string[] | undefined]>([
	[{ results: [{ flagged: true, categories: { hate: false, violence: true } }, { flagged: false }] }, ['violence']],
	[{ results: [{ flagged: 1, categories: { hate: 1, violence: 0, other: null } }] }, ['hate']],
	[{ results: [{ flagged: true, categories: { hate: false } }] }, ['flagged']],
	[{ results: [{ categories: { hate: false } }] }, []],
	[{ results: [] }, undefined],
	[{ results: [{ flagged: false }, null] }, undefined],
	[{ results: [{ categories: null }] }, undefined],
	[{ error: 'No.' }, undefined],
])('a moderation is read from %j', (answer, flagged) => {
	if (flagged) expect(readModeration(answer)).toEqual(flagged);
	else expect(() => readModeration(answer)).toThrow('it is not a moderation');
});

test.each<[unknown, string[]]>([
	[{ models: [{ name: 'models/a', displayName: 'A' }] }, ['a']],
	[{ data: ['a', { model: 'b' }, { model_name: 'c' }, null, 7, {}] }, ['a', 'b', 'c']],
	[
		['a', { id: 'b' }],
		['a', 'b'],
	],
	[{ success: true, data: { data: [{ id: 'a' }] } }, ['a']],
	[{ models: [{ name: 'x' }], data: [{ id: 'a' }] }, ['a']],
])('models are read from %j', (list, ids) => {
	expect(readModels(list).map(({ id }) => id)).toEqual(ids);
});
