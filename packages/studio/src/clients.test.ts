import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { embed, embedMany, generateImage, generateText, streamText } from 'ai';
import OpenAI, { APIError, AuthenticationError, toFile } from 'openai';
import sharp from 'sharp';
import { describe, expect, it, onTestFinished } from 'vitest';
import { flatPicture, KEY, picturesOf, refusalOf, startStudio } from '../test/studio.fixture.ts';

/** Clients as people have them, unchanged, against the whole studio over a real socket. */

const [one, two] = [await flatPicture(80, 60), await flatPicture(60, 80, 'jpeg')];

async function sizeOf(bytes: Uint8Array | string | undefined) {
	const picture = typeof bytes === 'string' ? Buffer.from(bytes, 'base64') : (bytes ?? Buffer.alloc(0));
	const { format, width, height } = await sharp(picture, { failOn: 'error' }).metadata();
	return `${format} ${width}x${height}`;
}

describe('the openai SDK', () => {
	async function startClient(options: Parameters<typeof startStudio>[0] = {}) {
		const studio = await startStudio(options);
		return { studio, client: new OpenAI({ apiKey: KEY, baseURL: `${studio.url}/v1`, maxRetries: 0 }) };
	}

	it('generates', async () => {
		const { client } = await startClient();
		const result = await client.images.generate({
			model: 'beta',
			prompt: 'a red fox in the snow, "Hello"',
			size: '256x192' as '256x256',
			n: 2,
			response_format: 'b64_json',
			quality: 'high',
			user: 'somebody',
		});
		expect(result.created).toBeGreaterThan(1_700_000_000);
		const pictures = result.data ?? [];
		expect(await Promise.all(pictures.map(({ b64_json }) => sizeOf(b64_json)))).toEqual(Array(2).fill('png 256x192'));
		expect(pictures[0]?.b64_json).not.toBe(pictures[1]?.b64_json);
	});

	it('edits one file, named image or image[], and composes several', async () => {
		const { client, studio } = await startClient();
		const file = () => toFile(one, 'fox.png', { type: 'image/png' });
		for (const image of [await file(), [await file()]]) {
			const { data } = await client.images.edit({ model: 'alpha-image', image, prompt: 'black and white', n: 1 });
			expect(await sizeOf(data?.[0]?.b64_json)).toBe('png 80x60');
		}
		const several = await client.images.edit({
			...{ model: 'beta', image: [await file(), await file()], prompt: 'side by side' },
			size: '512x256' as '256x256',
		});
		expect(await sizeOf(several.data?.[0]?.b64_json)).toBe('png 512x256');
		expect(await studio.used()).toBe(3);
	});

	it('chats, at once and streamed with its usage', async () => {
		const { client } = await startClient();
		const asked = {
			model: 'alpha3.6-35b',
			messages: [
				{ role: 'developer', content: 'Be brief.' },
				{ role: 'user', content: [{ type: 'text', text: 'my name is Ada' }] },
			] satisfies OpenAI.ChatCompletionMessageParam[],
		};
		const whole = await client.chat.completions.create(asked);
		const text = whole.choices[0]?.message.content;
		expect(text).toContain('Nice to meet you, Ada!');
		let streamed = '';
		let usage: OpenAI.CompletionUsage | null | undefined;
		const options = { stream: true, stream_options: { include_usage: true } } as const;
		for await (const chunk of await client.chat.completions.create({ ...asked, ...options })) {
			streamed += chunk.choices[0]?.delta.content ?? '';
			usage = chunk.usage ?? usage;
		}
		expect(streamed).toBe(text);
		expect(usage).toEqual(whole.usage);
	});

	it('leaves a stream in its middle', async () => {
		const { client } = await startClient();
		const messages = [{ role: 'user' as const, content: 'help' }];
		for await (const chunk of await client.chat.completions.create({ model: 'alpha3.6-35b', messages, stream: true })) {
			if (chunk.choices[0]?.delta.content) break;
		}
		expect((await client.models.list()).data).toHaveLength(5);
	});

	it('embeds, in base64 by default, and in floats', async () => {
		const { client } = await startClient();
		const asked = { model: 'alpha3-embedding', input: ['a red fox', 'a red fox in the snow'] };
		const { data } = await client.embeddings.create(asked);
		const floats = (await client.embeddings.create({ ...asked, encoding_format: 'float' })).data;
		expect(data.map(({ embedding }) => embedding.length)).toEqual([256, 256]);
		expect(data).toEqual(floats);
	});

	it('moderates texts and pictures', async () => {
		const { client, studio } = await startClient();
		const model = 'alpha-moderation';
		const { results } = await client.moderations.create({ model, input: ['a red fox', 'a murder scene'] });
		expect(results.map(({ flagged, categories }) => [flagged, categories.violence])).toEqual([
			[false, false],
			[true, true],
		]);
		const url = `data:image/png;base64,${one.toString('base64')}`;
		const input: OpenAI.ModerationMultiModalInput[] = [
			{ type: 'text', text: 'a red fox' },
			{ type: 'image_url', image_url: { url } },
		];
		const [both] = (await client.moderations.create({ model, input })).results;
		expect(both).toMatchObject({ flagged: false, category_applied_input_types: { violence: ['text', 'image'] } });
		expect(await studio.used()).toBe(0);
	});

	it('lists and shows models', async () => {
		const { client } = await startClient();
		const ids = (await client.models.list()).data.map(({ id }) => id);
		expect(ids).toContain('alpha-image');
		expect((await client.models.retrieve('alpha3.6-35b')).id).toBe('alpha3.6-35b');
	});

	it('understands refusals', async () => {
		const { client } = await startClient({ apiKey: 'another' });
		await expect(client.models.list()).rejects.toBeInstanceOf(AuthenticationError);
		const { client: poor } = await startClient({ imagesPerMonth: 0 });
		const refusal: unknown = await poor.images.generate({ prompt: 'a fox' }).catch((error: unknown) => error);
		if (!(refusal instanceof APIError)) throw new Error('It was drawn.');
		expect([refusal.status, refusal.code]).toEqual([402, 'insufficient_quota']);
		expect(refusal.requestID).toMatch(/^req_/);
	});
});

describe.each([
	['@ai-sdk/openai-compatible', createOpenAICompatible],
	['@ai-sdk/openai', createOpenAI],
] as const)('the AI SDK with %s', (_, create) => {
	async function startProvider() {
		const studio = await startStudio();
		const provider = create({ name: 'studio', apiKey: KEY, baseURL: `${studio.url}/v1` });
		const chatModel = 'chatModel' in provider ? provider.chatModel : provider.chat;
		const embeddingModel = provider.embeddingModel;
		return { image: provider.imageModel('alpha-image'), chat: chatModel('alpha3.6-35b'), embeddingModel };
	}

	it('generates and edits pictures', async () => {
		const { image } = await startProvider();
		const { images } = await generateImage({ model: image, prompt: 'a lighthouse', size: '128x192', n: 2 });
		expect(await Promise.all(images.map(({ uint8Array }) => sizeOf(uint8Array)))).toEqual(Array(2).fill('png 128x192'));
		const edited = await generateImage({ model: image, prompt: { text: 'make it night', images: [one] } });
		expect(edited.image.mediaType).toBe('image/png');
		expect(await sizeOf(edited.image.uint8Array)).toBe('png 80x60');
	});

	it('chats, at once and streamed', async () => {
		const { chat: model } = await startProvider();
		const { text, usage, finishReason } = await generateText({ model, prompt: 'my name is Ada' });
		expect(text).toContain('Nice to meet you, Ada!');
		expect(finishReason).toBe('stop');
		expect(usage.outputTokens).toBeGreaterThan(5);
		const stream = streamText({ model, system: 'Be brief.', prompt: 'my name is Ada' });
		let streamed = '';
		for await (const delta of stream.textStream) streamed += delta;
		expect(streamed).toBe(text);
	});

	it('embeds', async () => {
		const { embeddingModel } = await startProvider();
		const model = embeddingModel('alpha3-embedding');
		const { embedding } = await embed({ model, value: 'a red fox' });
		const { embeddings } = await embedMany({ model, values: ['a red fox', 'a blue whale'] });
		expect(embedding).toHaveLength(256);
		expect(embeddings[0]).toEqual(embedding);
	});
});

describe('curl', () => {
	const run = promisify(execFile);
	const curl = async (...options: string[]) => {
		const { stdout } = await run('curl', ['-sS', '-H', `Authorization: Bearer ${KEY}`, ...options], {
			maxBuffer: 64 * 1024 * 1024,
		});
		return stdout;
	};
	const answerOf = (text: string) => new Response(text);

	it('sends JSON and forms, and reads streams', async () => {
		const { url } = await startStudio();
		const folder = await mkdtemp(join(tmpdir(), 'studio-'));
		onTestFinished(() => rm(folder, { recursive: true }));
		const [a, b] = [join(folder, 'a.png'), join(folder, 'b.jpg')];
		await Promise.all([writeFile(a, one), writeFile(b, two)]);

		const json = ['-H', 'Content-Type: application/json', '-d'];
		const drawn = await curl(`${url}/api/v1/images/generations`, ...json, '{"prompt":"a fox","size":"64x64"}');
		expect(await sizeOf((await picturesOf(answerOf(drawn)))[0])).toBe('png 64x64');

		const edited = await curl(`${url}/v1/images/edits`, '-F', `image=@${a}`, '-F', 'prompt=make it night', '-F', 'n=2');
		expect(await picturesOf(answerOf(edited))).toHaveLength(2);

		const form = ['-F', `image=@${a}`, '-F', `image=@${b}`, '-F', 'prompt=side by side', '-F', 'size=300x200'];
		const composed = await curl(`${url}/v1/images/compose`, ...form);
		expect(await sizeOf((await picturesOf(answerOf(composed)))[0])).toBe('png 300x200');

		const hello = '{"messages":[{"role":"user","content":"hello"}],"stream":true}';
		expect(await curl('-N', `${url}/v1/chat/completions`, ...json, hello)).toMatch(/^data: \{.*data: \[DONE\]\n\n$/s);
	});

	it('gets the refusal of a file that is too large', async () => {
		const { url } = await startStudio();
		const folder = await mkdtemp(join(tmpdir(), 'studio-'));
		onTestFinished(() => rm(folder, { recursive: true }));
		const large = join(folder, 'large.png');
		await writeFile(large, Buffer.alloc(12 * 1024 * 1024, one));
		const refused = await curl(`${url}/v1/images/edits`, '-F', `image=@${large}`, '-F', 'prompt=make it night');
		expect(await refusalOf(answerOf(refused))).toMatchObject({ code: 'invalid_image' });
	});
});
