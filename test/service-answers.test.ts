import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { answersDrawn, DRAWING_DIALECTS } from '../packages/fakes/src/chat.ts';
import { answers, type Behaviour, smallPng } from '../packages/fakes/src/service.ts';
import type { ServiceOptions } from '../src/service/client.ts';
import { PROFILES, type ProfileName } from '../src/service/profiles.ts';
import { ada, BotHarness } from './harness/bot-harness.ts';

/** Base64 of the picture, where an answer has it. */
const PICTURE = '<picture>';

let harness: BotHarness;

beforeEach(async () => {
	harness = await BotHarness.create();
	harness.faulty.always(answers(500, '{"error":"Nothing more was expected."}'));
});

afterEach(() => harness.close());

const SSE = { 'content-type': 'text/event-stream' };

type Shape = string | readonly [status: number, body: string, headers?: Record<string, string>];

/** Answers with this, as an event stream where it looks like one. */
function shaped(shape: Shape): Behaviour {
	const [status, text, headers] = typeof shape === 'string' ? [200, shape, undefined] : shape;
	const body = text.replaceAll(PICTURE, harness.png.toString('base64'));
	return answers(status, body, headers ?? (/^(data|event|error):/.test(text) ? SSE : {}));
}

/** What the person sees, how many requests that may cost money were sent, and how many calls are counted. */
type Seen = { text: string; pictures: number; paid: number; today: number };

async function seenAfter(work: () => Promise<unknown>): Promise<Seen> {
	const before = new Set(harness.messages.keys());
	await work();
	const replies = [...harness.messages].filter(([key]) => !before.has(key)).map(([, reply]) => reply);
	return {
		text: replies.at(-1)?.text ?? '',
		pictures: replies.flatMap(({ pictures = [] }) => pictures).length,
		paid: harness.faulty.requests.filter(({ method }) => method === 'POST').length,
		today: await harness.callsToday(),
	};
}

async function drawn(profile: ProfileName, shapes: readonly Behaviour[], options = {}, client = {}): Promise<Seen> {
	await harness.useService(PROFILES[profile], client);
	harness.faulty.next(...shapes);
	const bot = await harness.start({ followUpMs: 0 });
	return seenAfter(() => bot.invoke(harness.imagine('job', options)));
}

async function told(shapes: readonly Behaviour[], client: Partial<ServiceOptions> = {}): Promise<Seen> {
	await harness.useService(PROFILES.openai, client);
	harness.faulty.next(...shapes);
	const bot = await harness.start({ followUpMs: 0 });
	const channel = { ...harness.channel, place: { ...harness.channel.place, thread: 't' } };
	return seenAfter(() =>
		bot.hear({ id: 'said', text: 'Is it red?', uploads: [], addressed: true, person: ada, channel }),
	);
}

const UNCOUNTED = 'Nothing was counted.';
const COUNTED = 'The call stays counted, because the service may have made the picture.';
const RULES = 'The image service refused this because of its content rules';

describe('a picture is posted', () => {
	const whole = `{"data":[{"b64_json":"${PICTURE}"}]}`;
	test.each<[string, ProfileName, Shape, object?]>([
		['after white space', 'openai', `\n   \n${whole}`],
		['beside an empty address', 'openai', `{"data":[{"url":"","b64_json":"${PICTURE}"}]}`],
		['called by another type', 'openai', `{"data":[{"url":"data:image/jpeg;base64,${PICTURE}"}]}`],
		[
			'of a stream without its last blank line',
			'openai',
			`data: {"type":"image_generation.completed","b64_json":"${PICTURE}"}\n`,
		],
		[
			'of a stream with signs of life',
			'openai',
			`data: : PING\n\ndata: ping\n\nevent: x\ndata: data: {"type":"image_generation.completed","b64_json":"${PICTURE}"}\n\n`,
		],
		['beside a NaN', 'openai', `{"created":NaN,"data":[{"b64_json":"${PICTURE}"}]}`],
		['of an answer that is cut', 'openai', `{"data":[{"b64_json":"${PICTURE}"}`],
		['beside base64 that is none', 'openai', `{"data":[{"b64_json":"null","url":"data:image/png;base64,${PICTURE}"}]}`],
		['where its address should be', 'openai', `{"data":[{"url":"${PICTURE}"}]}`],
		['without a list', 'openai', `{"data":{"b64_json":"${PICTURE}"}}`],
		['under other keys', 'openai', `{"images":[{"base64":"${PICTURE}"}]}`],
		['of a whole answer as an event', 'openai', `data: {"data":[{"b64_json":"${PICTURE}"}]}\n\n`],
		[
			'after parts that are none',
			'gemini',
			`{"candidates":[null,{"content":{"parts":[null,{"inlineData":{"data":""}},{"inline_data":{"data":"${PICTURE}"}}]}}]}`,
		],
		['with a damaged caption', 'openai', `{"data":[{"b64_json":"${PICTURE}","revised_prompt":"a \\ud800"}]}`],
	])('%s', async (_, profile, shape) => {
		expect(await drawn(profile, [shaped(shape)])).toMatchObject({ pictures: 1, paid: 1, today: 1 });
	});

	test('at its address, beside an empty text', async () => {
		const seen = await drawn('openai', [
			shaped('{"data":[{"url":"/f.png","b64_json":""}]}'),
			answers(200, harness.png),
		]);
		expect(seen).toMatchObject({ pictures: 1, paid: 1, today: 1 });
	});

	test.each<[ProfileName, string, string?]>([
		['openai', '{"b64_json":null,"url":null}'],
		['openai', 'null'],
		['openai', '{"error":{"code":"moderation_blocked"}}'],
		['openai', '{"error":{"code":"moderation_blocked","message":"Not this."}}', ' (Not this.)'],
		['xai', '{"url":"","respect_moderation":false}'],
	])('of two, to %s, beside %s', async (profile, other, why = '') => {
		const seen = await drawn(profile, [shaped(`{"data":[{"b64_json":"${PICTURE}"},${other}]}`)], { n: 2 });
		expect(seen).toMatchObject({ pictures: 1, paid: 1, today: 1 });
		expect(seen.text).toContain(`The image service returned 1 of 2 pictures; missing: 1${why}. This`);
	});

	test.each([
		['dall-e-3', '1792x1024'],
		['dall-e-2', '1024x1024'],
		['openai/dall-e-3', '1792x1024'],
		['gpt-image-1.5', '1536x1024'],
	])('of a size that %s has', async (model, size) => {
		await drawn('litellm', [shaped(whole)], { size: 'landscape', model });
		expect(JSON.parse(String(harness.faulty.requests[0]?.body))).toMatchObject({ size });
	});
});

describe('a refusal is told with its reason, and costs nothing', () => {
	const blocked = '{"error":{"code":"moderation_blocked","message":"Not this."}}';
	test.each<[string, Shape, ProfileName?]>([
		[`${RULES}: Not this. Try other words or another picture.`, `  \n${blocked}`],
		[`${RULES}: Not this.`, `event: error\ndata: ${blocked}\n\n`],
		[`${RULES}: Not this.`, `data: {"type":"error","error":{"code":"moderation_blocked","message":"Not this."}}\n\n`],
		[`${RULES}. Try`, '{"data":[{"url":"","respect_moderation":false}]}', 'xai'],
		[`${RULES}. Try`, '{"data":[{"url":""}]}', 'xai'],
		[`${RULES}. Try`, '{"data":[]}', 'xai'],
		[
			`${RULES}: Input data may`,
			[400, '{"code":"DataInspectionFailed","message":"Input data may contain inappropriate content."}'],
		],
		[`${RULES}: Has sensitive`, [400, '{"error":{"message":"Has sensitive words. Responsible AI"}}']],
		[`${RULES}: Request Moderated`, [400, '{"error":{"message":"Request Moderated"}}']],
		[`${RULES}: It was flagged`, [403, '{"error":{"message":"It was flagged as sensitive."}}']],
		[`${RULES}: Your input was flagged`, [403, '{"error":{"code":403,"message":"Your input was flagged."}}']],
		[
			`${RULES}: Filtered due to`,
			[400, `{"error":{"message":"Filtered due to Azure OpenAI's content management policy."}}`],
		],
		[
			`${RULES}: The response`,
			[400, '{"error":{"message":"The response","innererror":{"code":"ResponsibleAIPolicyViolation"}}}'],
		],
		[`${RULES}: 不安全`, [400, '{"error":{"code":"1301","message":"不安全"}}']],
		[`${RULES}: Blocked.`, [500, '{"error":{"code":"content_policy_violation","message":"Blocked."}}']],
		[`${RULES}: input new`, '{"base_resp":{"status_code":1026,"status_msg":"input new_sensitive"}}'],
		[
			`${RULES}: No.`,
			'data: {"type":"response.failed","response":{"error":{"code":"moderation_blocked","message":"No."}}}\n\n',
		],
		[
			`${RULES}: NSFW content detected`,
			'{"data":[{"url":null,"b64_json":null,"error":"NSFW content detected"}]}',
			'together',
		],
		[
			`${RULES}: Not this.`,
			`{"choices":[{"error":{"code":502,"message":"Not this.","metadata":{"raw":${JSON.stringify(blocked)}}}}]}`,
			'openrouter',
		],
		['failed (status 500): No GPU left.', '{"error":true,"message":"No GPU left."}'],
		['failed (status 500): Out of memory.', '{"error":"Out of memory."}'],
		['failed (status 500): Provider lost.', '{"error":{"code":502,"message":"Provider lost."}}'],
		[
			'failed (status 500): Provider lost.',
			'event: error\ndata: {"error":{"code":524,"message":"Provider lost."}}\n\n',
		],
		['failed (status 500): It died.', '{"result":"error","reason":"It died."}'],
		['failed (status 500): It died.', '{"data":[{"b64_json":"AAAA"}],"error":{"message":"It died."}}'],
		['failed (status 500).', '{"status":"failed"}'],
		[
			'failed (status 500): The quota of the day is gone.',
			'{"success":false,"message":"The quota of the day is gone."}',
		],
		['busy: overloaded', 'event: error\ndata: overloaded, try later\n\n'],
		['rejected the request: Too long.', 'data: {"object":"error","message":"Too long.","code":400}\n\n'],
		[
			'rejected the request: Unable to show it.',
			'{"candidates":[{"finishReason":"IMAGE_OTHER","finishMessage":"Unable to show it."}]}',
			'gemini',
		],
		[
			'rejected the request: Prompt "nsfw" is too long.',
			[400, '{"error":{"message":"Prompt \\"nsfw\\" is too long."}}'],
		],
		[
			"rejected the request: Prompt 'the safety system' is",
			[400, `{"error":{"message":"Prompt 'the safety system' is too long."}}`],
		],
		[
			'rejected the request: Width must be even.',
			[400, '{"ok":0,"failure":{"path":"x","text":"Width must be even."}}'],
		],
		['rejected the request: Unknown field', [422, '{"detail":[{"loc":["body","x"],"msg":"Unknown field"}]}']],
		[
			"rejected this bot's key: Your organization must be verified to use the model. The operator of Easel has to check SERVICE_API_KEY.",
			[403, '{"error":{"message":"Your organization must be verified to use the model.","code":null}}'],
		],
		[
			'is busy: Check your plan and billing details. Try again in 26 sec.',
			[
				429,
				'[{"error":{"code":429,"message":"Check your plan and billing details.","details":[{"retryDelay":"26s"}]}}]',
			],
			'google',
		],
		[
			'is busy: Too many free pictures. Try again in 3 hr.',
			[
				429,
				'{"error":"Too many free pictures."}',
				{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': `${Date.now() + 10_700_000}` },
			],
		],
		['is busy: 稍后重试. Try again in 1 sec. Nothing', [429, '{"error":{"message":"稍后重试。","retry_after":0}}']],
		['rejected the request: Did you mean gpt-image-2. Nothing', [400, '{"error":"Did you mean gpt-image-2?"}']],
		[
			'The plan at the image service is used up and its balance is empty: Budget has been exceeded',
			[400, '{"error":{"message":"Budget has been exceeded! Current cost: 5","type":"budget_exceeded"}}'],
			'litellm',
		],
		[
			'The address of the image service has moved. The operator of Easel has to check SERVICE_BASE_URL.',
			[307, '', { location: 'https://a.test' }],
		],
		[
			'A proxy does not let this bot reach the image service (status 407). The operator of Easel has to check HTTP_PROXY.',
			[407, ''],
		],
	])('%s', async (text, shape, profile = 'openai') => {
		const seen = await drawn(profile, [shaped(shape)]);
		expect(seen).toMatchObject({ pictures: 0, paid: 1, today: 0 });
		expect(seen.text).toContain(text);
		expect(seen.text).toContain(UNCOUNTED);
	});

	test('no word of the prompt decides', async () => {
		const prompt = 'a poster of the safety system';
		const message = `The prompt ${prompt} is longer than the 10 characters allowed.`;
		const seen = await drawn('openai', [shaped([400, JSON.stringify({ error: { message } })])], { prompt });
		expect(seen.text).toMatch(/^.*rejected the request/s);
	});
});

test.each<[string, Shape]>([
	['The image service answered without a picture.', '{"data":[]}'],
	['The image service answered without a picture.', '{"code":200,"msg":"success","data":{"task":"x"}}'],
	['The image service answered without a picture.', '{"data":[{"url":"","b64_json":""}]}'],
	['The image service answered without a picture.', '{"data":[{"url":"null","b64_json":" "}]}'],
	['The image service answered without a picture.', '{"data":[{"url":"#","b64_json":"None"}]}'],
	['The image service returned an invalid picture.', '{"data":[{"b64_json":"AAAA"}]}'],
	['The image service failed (status 200): Sign in.', '<!doctype html><title>Sign in</title>'],
	['The address of the image service has moved. The operator of Easel has to check SERVICE_BASE_URL.', [302, '']],
	['The image service failed (status 524): 524: A timeout', [524, '<html><title>524: A timeout</title>']],
	["The image service's answer was cut off.", 'data: {"type":"image_generation.partial_image","b64_json":"x"}\n\n'],
])('what may have been made stays counted: %s', async (text, shape) => {
	const seen = await drawn('openai', [shaped(shape)]);
	expect(seen).toMatchObject({ text: expect.stringContaining(text), pictures: 0, paid: 1, today: 1 });
	expect(seen.text).toContain(COUNTED);
});

describe('a chat', () => {
	const delta = (value: object) => `data: ${JSON.stringify({ choices: [{ delta: value }] })}\n\n`;
	const done = 'data: [DONE]';
	test.each<[string, string, Shape]>([
		[
			'text without a last blank line',
			'Yes.',
			'data: {"choices":[{"delta":{"content":"Yes."},"finish_reason":"stop"}]}\n',
		],
		['parts', 'A', `${delta({ content: [{ type: 'text', text: 'A' }] })}${done}`],
		['texts in a list', 'A fox', `${delta({ content: ['A ', 'fox'] })}${done}`],
		['a text in an object', 'A fox', `${delta({ content: { type: 'output_text', text: { value: 'A fox' } } })}${done}`],
		['an older answer', 'A fox', '{"choices":[{"text":"A fox","finish_reason":"stop"}]}'],
		['a mark of the end in small letters', 'A', `${delta({ content: 'A' })}data: [done]`],
		[
			'a cut by another name',
			'A\n\n*The answer was cut off here.* The answer reached the longest length that the model writes.',
			`data: {"choices":[{"delta":{"content":"A"},"finish_reason":"MAX_TOKENS"}]}\n\n${done}`,
		],
		['a refusal', "I can't", `${delta({ refusal: "I can't" })}${done}`],
		['signs of life', 'A', `data: : PROCESSING\n\ndata: ping\n\ndata: ${delta({ content: 'A' })}${done} \n\n`],
		[
			'reasoning between marks',
			'A fox.',
			`${delta({ content: '<thought>hm</thought>' })}${delta({ content: 'A fox.' })}${done}`,
		],
	])('shows %s', async (_, text, shape) => {
		const seen = await told([shaped(shape)]);
		expect(seen).toMatchObject({ paid: 1, text });
	});

	const dialects = Object.keys(DRAWING_DIALECTS) as (keyof typeof DRAWING_DIALECTS)[];
	describe.each([{ isWhole: false }, { isWhole: true }])('%j', (how) => {
		test.each(dialects)('shows a picture as %s', async (dialect) => {
			const seen = await told([answersDrawn(dialect, harness.png, { text: 'A fox.', ...how })]);
			expect(seen).toMatchObject({ paid: 1, pictures: 1 });
			expect([...harness.messages.values()].map(({ text }) => text)).toContain('A fox.');
		});

		test.each(dialects)('names a picture that cannot be shown, as %s', async (dialect) => {
			const seen = await told([answersDrawn(dialect, Buffer.from('<svg/>'), { type: 'image/svg+xml', ...how })]);
			expect(seen).toMatchObject({ paid: 1, pictures: 0, text: 'A picture of this answer could not be shown.' });
		});

		test.each(['inlineData', 'inline_data', 'parts', 'multi_mod_content', 'file'] as const)(
			'names sound as %s, also below a text',
			async (dialect) => {
				const sound = answersDrawn(dialect, Buffer.from('RIFF'), { type: 'audio/wav', text: 'Listen.', ...how });
				const { text, paid } = await told([sound]);
				expect([text, paid]).toEqual([`Listen.\n\n${UNSHOWN}`, 1]);
			},
		);
	});

	const UNSHOWN = 'Parts of this answer, such as sound or a file, could not be shown.';
	test.each<[string, string, object]>([
		[
			'sound with its words',
			`A fox.\n\n${UNSHOWN}`,
			{ content: null, audio: { data: 'UklGRg==', transcript: 'A fox.' } },
		],
		['a video', UNSHOWN, { content: [{ type: 'video_url', video_url: { url: 'https://example.com/a.mp4' } }] }],
		['a part that is unknown, alone', UNSHOWN, { content: [{ type: 'hologram', beam: 'x' }] }],
		['a part that is unknown, beside text', 'A', { content: [{ type: 'reference', reference_ids: [1] }, 'A'] }],
		['thoughts', 'A', { content: [{ text: 'hm', thought: true }, { type: 'thinking', thinking: [] }, { text: 'A' }] }],
	])('says what is to be said of %s', async (_, text, message) => {
		expect(await told([shaped(`${delta(message)}${done}`)])).toMatchObject({ text, paid: 1 });
		await harness.close();
		harness = await BotHarness.create();
		const whole = JSON.stringify({ choices: [{ message, finish_reason: 'stop' }] });
		expect(await told([shaped(whole)])).toMatchObject({ text, paid: 1 });
	});

	test.each([
		[422, '{"detail":[{"loc":["body","stream_options"],"msg":"Extra inputs are not permitted"}]}'],
		[400, '{"error":{"message":"Unrecognized request argument supplied: stream_options"}}'],
		[400, '{"message":{"detail":"Something is wrong"}}'],
	])('is asked again, once, without an option that the service refuses with %d %s', async (status, body) => {
		const shapes = [answers(status, body), shaped(`${delta({ content: 'A' })}${done}`)];
		expect(await told(shapes)).toMatchObject({ paid: 2, text: 'A' });
		const bodies = harness.faulty.requests.map(({ body: sent }) => JSON.parse(String(sent)).stream_options);
		expect(bodies).toEqual([{ include_usage: true }, undefined]);
	});

	test.each([
		[400, '[{"error":{"code":400,"message":"Developer instruction is not enabled for models/gemma-3-27b-it"}}]'],
		[400, '{"object":"error","message":"System role not supported","type":"BadRequestError","code":400}'],
		[
			400,
			`{"error":{"message":"Unsupported value: 'messages[0].role' does not support 'system' with this model.","param":"messages[0].role"}}`,
		],
		[500, '{"error":{"message":"Jinja Exception: System role not supported"}}'],
	])('says to a model without the role "system" what it has to know: %d %s', async (status, body) => {
		harness.faulty.always(shaped(`${delta({ content: 'A' })}${done}`));
		expect(await told([answers(status, body)])).toMatchObject({ paid: 2, text: 'A' });
		const [first, second] = harness.faulty.requests.map(({ body: sent }) => JSON.parse(String(sent)).messages);
		expect(first.map(({ role }: { role: string }) => role)).toEqual(['system', 'user']);
		expect(second).toEqual([{ role: 'user', content: `${first[0].content}\n\n${first[1].content}` }]);
	});

	test('is bounded by the other field where the service refuses the one', async () => {
		const message = "Unsupported parameter: 'max_completion_tokens' is not supported. Use 'max_tokens' instead.";
		const answer = shaped(`${delta({ content: 'A' })}${done}`);
		const shapes = [answers(400, JSON.stringify({ error: { message } })), answer];
		expect(await told(shapes, { chatMaxTokens: 50 })).toMatchObject({ paid: 2, text: 'A' });
		const bounds = harness.faulty.requests.map(({ body }) => {
			const { max_tokens: one, max_completion_tokens: other } = JSON.parse(String(body));
			return [one, other];
		});
		expect(bounds).toEqual([
			[undefined, 50],
			[50, undefined],
		]);
	});

	test.each<[string, Shape, string?]>([
		['busy: rate limited', '{"success":false,"msg":"rate limited"}'],
		['rejected the request: context size.', 'error: {"code":400,"message":"context size"}\n\ndata: [DONE]\n\n'],
		['is busy: slow. Try again in a minute.', 'data: {"error":{"code":429,"message":"slow"}}\n\n'],
		[
			'The service refused this because of its content rules: No. Try other words.',
			'\n{"error":{"code":"content_filter","message":"No."}}',
		],
		["rejected this bot's key. The operator of Easel has to check CHAT_API_KEY.", [401, '{"error":"Wrong: key-123"}']],
		['has moved. The operator of Easel has to check CHAT_BASE_URL.', [308, '']],
	])('says %s', async (text, shape) => {
		const seen = await told([shaped(shape)], { chat: { baseUrl: harness.faulty.url, apiKey: 'key-123' } });
		expect(seen).toMatchObject({ paid: 1, text: expect.stringContaining(text) });
		expect(seen.text).toContain(UNCOUNTED);
	});

	test.each<[string, Shape]>([
		[
			'The service refused this because of its content rules. Try other words.',
			`data: {"choices":[{"delta":{},"finish_reason":"SAFETY"}]}\n\n${done}`,
		],
		['The chat model answered with nothing.', done],
		['The service returned an invalid answer.', '{"something":"else"}'],
		['The service failed (status 200): Sign in.', '<title>Sign in</title>'],
	])('that may have been answered stays counted: %s', async (text, shape) => {
		const seen = await told([shaped(shape)]);
		expect(seen.text).toContain(`${text} The call stays counted, because the service may have written the answer.`);
		expect(seen.paid).toBe(1);
	});
});

describe('a message with five pictures', () => {
	const upload = (name: string, bytes: Uint8Array) => ({
		name,
		type: 'image/png',
		size: bytes.length,
		read: async () => bytes,
	});
	const sentIn = (index: number) => {
		const { body } = harness.faulty.requests[index] ?? {};
		return String(body).match(/filename="|"image_url"/g)?.length;
	};

	test.each<[ProfileName, number]>([
		['openai', 5],
		['xai', 3],
	])('is composed of as many as %s takes, also again: %d', async (profile, count) => {
		await harness.useService(PROFILES[profile]);
		const pictures = await Promise.all(['#111', '#222', '#333', '#444', '#555'].map((colour) => smallPng(colour)));
		const uploads = pictures.map((bytes, index) => upload(`${index}.png`, bytes));
		harness.faulty.always(shaped(`{"data":[{"b64_json":"${PICTURE}"}]}`));
		const bot = await harness.start({ followUpMs: 0 });
		const channel = { ...harness.channel, place: { ...harness.channel.place, thread: 't' } };
		const seen = await seenAfter(() =>
			bot.hear({ id: 'said', text: 'Put them side by side', uploads, addressed: true, person: ada, channel }),
		);
		expect(seen).toMatchObject({ pictures: 1, paid: 1, today: 1 });
		expect(sentIn(0)).toBe(count);
		const again = [...harness.messages].flatMap(([key, { buttons = [] }]) =>
			buttons.filter(({ id }) => id.startsWith('again:')).map(({ id }) => ({ key, id })),
		);
		await harness.press(bot, 'pressed', again[0]!.id, again[0]!.key);
		expect([harness.faulty.requests.length, sentIn(1)]).toEqual([2, count]);
	});
});
