import { describe, expect, it } from 'vitest';
import { flatPicture, startStudio } from '../../test/studio.fixture.ts';

const PATH = '/v1/chat/completions';
const ask = (content: unknown) => ({ model: 'alpha3.6-35b', messages: [{ role: 'user', content }] });

type Chunk = {
	id: string;
	object: string;
	choices: { delta: { role?: string; content?: string }; finish_reason: string | null }[];
	usage?: { prompt_tokens: number; completion_tokens: number; total_tokens: number } | null;
};

/** Returns the data of the events of a stream, after checking their framing. */
async function framesOf(answer: Response): Promise<string[]> {
	expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
	const text = await answer.text();
	expect(text.endsWith('\n\n')).toBe(true);
	return text
		.slice(0, -2)
		.split('\n\n')
		.map((frame) => frame.replace(/^data: /, ''));
}

describe('an answer in one piece', () => {
	it("has the shape of OpenAI's chat completions", async () => {
		const { post } = await startStudio({ now: () => new Date('2026-07-14T00:00:00Z') });
		const answer = await (await post(PATH, ask('my name is Ada'))).json();
		expect(answer).toEqual({
			id: expect.stringMatching(/^chatcmpl-\w{32}$/),
			object: 'chat.completion',
			created: 1_783_987_200,
			model: 'alpha3.6-35b',
			choices: [
				{
					index: 0,
					message: { role: 'assistant', content: 'Nice to meet you, Ada! What would you like to make?', refusal: null },
					logprobs: null,
					finish_reason: 'stop',
				},
			],
			usage: { prompt_tokens: 8, completion_tokens: 14, total_tokens: 22 },
		});
	});

	it('ends at max_tokens and at a stop text', async () => {
		const { post } = await startStudio();
		const ending = async (extra: object) => {
			const answer = (await (await post(PATH, { ...ask('my name is Ada'), ...extra })).json()) as {
				choices: { message: { content: string }; finish_reason: string }[];
				usage: { completion_tokens: number };
			};
			const [choice] = answer.choices;
			return [choice?.message.content, choice?.finish_reason, answer.usage.completion_tokens];
		};
		expect(await ending({ max_tokens: 2 })).toEqual(['Nice to', 'length', 2]);
		expect(await ending({ max_tokens: 9, max_completion_tokens: 2 })).toEqual(['Nice to', 'length', 2]);
		expect(await ending({ stop: ', Ada' })).toEqual(['Nice to meet you', 'stop', 4]);
		expect(await ending({ stop: ['never', ' meet'] })).toEqual(['Nice to', 'stop', 2]);
	});

	it('reads content parts, and says that it cannot see pictures', async () => {
		const { post } = await startStudio();
		const url = `data:image/png;base64,${(await flatPicture(4, 4)).toString('base64')}`;
		const parts = [
			{ type: 'text', text: 'my name is Ada' },
			{ type: 'image_url', image_url: { url } },
		];
		const answer = JSON.stringify(await (await post(PATH, ask(parts))).json());
		expect(answer).toContain("I got your picture, but I can't look at it");
		expect(answer).toContain('Nice to meet you, Ada!');
	});
});

describe('a stream', () => {
	it('sends the same answer, token by token', async () => {
		const { post } = await startStudio();
		const whole = (await (await post(PATH, ask('help'))).json()) as { choices: { message: { content: string } }[] };
		const answer = await post(PATH, { ...ask('help'), stream: true });
		expect(answer.headers.get('cache-control')).toBe('no-cache');
		const frames = await framesOf(answer);
		expect(frames.at(-1)).toBe('[DONE]');
		const chunks = frames.slice(0, -1).map((frame) => JSON.parse(frame) as Chunk);
		expect(new Set(chunks.map(({ id, object }) => `${object} ${id}`)).size).toBe(1);
		expect(chunks[0]?.choices[0]).toMatchObject({ delta: { role: 'assistant', content: '' }, finish_reason: null });
		expect(chunks.at(-1)?.choices[0]).toMatchObject({ delta: {}, finish_reason: 'stop' });
		const deltas = chunks.slice(1, -1).map(({ choices }) => choices[0]?.delta.content ?? '');
		expect(deltas.join('')).toBe(whole.choices[0]?.message.content);
		expect(deltas.length).toBeGreaterThan(50);
		expect(chunks.every((chunk) => !('usage' in chunk))).toBe(true);
	});

	it('ends with the usage on request', async () => {
		const { post } = await startStudio();
		const asked = { ...ask('my name is Ada'), stream: true, stream_options: { include_usage: true } };
		const frames = await framesOf(await post(PATH, asked));
		const chunks = frames.slice(0, -1).map((frame) => JSON.parse(frame) as Chunk);
		expect(chunks.at(-1)).toMatchObject({
			choices: [],
			usage: { prompt_tokens: 8, completion_tokens: 14, total_tokens: 22 },
		});
		expect(chunks.slice(0, -1).every(({ usage }) => usage === null)).toBe(true);
	});

	it('is sent token by token, and ends when the client disconnects', async () => {
		// At this pace the whole would take hours: only what is sent at once can arrive.
		const { post, call } = await startStudio({ msPerToken: 60_000 });
		const leaving = new AbortController();
		const answer = await post(PATH, { ...ask('help'), stream: true }, { signal: leaving.signal });
		const reader = answer.body?.getReader();
		const first = await reader?.read();
		expect(new TextDecoder().decode(first?.value)).toContain('"role":"assistant"');
		leaving.abort();
		await expect(reader?.read()).rejects.toThrow();
		expect((await call('/v1/models')).status).toBe(200);
	});

	it('is not held up by drawing', async () => {
		const studio = await startStudio();
		const events: string[] = [];
		const draw = async (index: number) => {
			const prompt = `a lighthouse in a storm at dusk, ${index}`;
			const answer = await studio.post('/v1/images/generations', { prompt });
			expect(answer.status).toBe(200);
			await answer.arrayBuffer();
			events.push('picture');
		};
		const talk = async () => {
			await (await studio.post(PATH, { ...ask('my name is Ada'), stream: true })).text();
			events.push('stream');
		};
		// The threads start, which takes longer than a conversation.
		await Promise.all([draw(0), draw(1), talk()]);
		events.length = 0;
		const pictures = [2, 3, 4, 5].map(draw);
		let open = true;
		const streams = async () => {
			while (open) await talk();
		};
		const talking = streams();
		await Promise.all(pictures);
		open = false;
		await talking;
		// Whole conversations, each of a dozen frames, begin and end before the first picture is there.
		expect(events.indexOf('picture')).toBeGreaterThan(3);
	});
});
