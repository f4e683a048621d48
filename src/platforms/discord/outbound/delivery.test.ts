import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Actor } from '../../../../test/fakes/actor.ts';
import { answersChat, streamedAnswer } from '../../../../test/fakes/chat.ts';
import type { DiscordOptions } from '../../../../test/fakes/discord/index.ts';
import { openDiscordHarness } from '../../../../test/fakes/discord-harness.ts';
import {
	answersPictures,
	type FaultyService,
	held,
	smallPng,
	startFaultyService,
} from '../../../../test/fakes/service.ts';

let service: FaultyService;
let harness: Awaited<ReturnType<typeof openDiscordHarness>>;
let ada: Actor;

beforeEach(async () => {
	service = await startFaultyService();
});
afterEach(async () => {
	await harness.close();
	await service.close();
});

async function begin(options: DiscordOptions = {}) {
	harness = await openDiscordHarness(service.url, options);
	ada = new Actor(harness.user('ada'));
}

/** Packs badly, as photographs do. */
async function grainy(side: number, compressionLevel = 6) {
	const noise = { type: 'gaussian', mean: 128, sigma: 20 } as const;
	const picture = sharp({ create: { width: side, height: side, channels: 3, background: '#884422', noise } });
	return picture.png({ compressionLevel }).toBuffer();
}

/** Somebody asks, and while the service works something happens. */
async function asks(options: Record<string, string | boolean>, meanwhile: () => unknown) {
	const { behaviour, release } = held(answersPictures(await smallPng('#e67e22')));
	const before = service.requests.length;
	service.next(behaviour);
	await ada.does('/imagine', { prompt: 'a fox', ...options });
	await service.arrived(before + 1);
	await meanwhile();
	release();
}

const direct = (person = 'ada') =>
	new Actor({ ...harness.user('ada'), ...harness.discord.user(person).directMessages() });
const channel = () => harness.discord.world.channel();

describe('a picture over what the server takes', () => {
	test('is scaled to what fits, and the message says so', async () => {
		await begin({ servers: [{ members: { ada: {} }, fileBytes: 50_000 }] });
		service.always(answersPictures(await grainy(300)));
		const { text, pictures } = await ada.does('/imagine', { prompt: 'a fox' }).sees({ pictures: 1 });
		expect(text).toMatch(/Scaled from 300 × 300 to (\d+) × \1, because this server allows at most 0 MB/);
		expect(pictures[0]?.bytes.length).toBeLessThanOrEqual(50_000);
	});

	test('is posted as it is where a boosted server takes it', async () => {
		await begin({ servers: [{ members: { ada: {} }, fileBytes: 50 * 2 ** 20 }] });
		const png = await grainy(2000, 0);
		expect(png.length).toBeGreaterThan(10 * 2 ** 20);
		service.always(answersPictures(png));
		const { pictures } = await ada.does('/imagine', { prompt: 'a fox' }).sees({ pictures: 1 });
		expect(Buffer.compare(pictures[0]?.bytes ?? Buffer.of(), png)).toBe(0);
	});

	test('several that are too much together come in several messages, and each can be worked with', async () => {
		await begin();
		const png = await grainy(1800, 0);
		service.next(answersPictures(png, png, png));
		const first = await ada.does('/imagine', { prompt: 'foxes', n: 3 }).sees({ pictures: 2 });
		const second = await ada.finds({ pictures: 1, text: /More pictures of the same/ });
		expect(first.buttons).toEqual(['Again', 'Edit', 'Use as reference', 'Delete']);
		expect(second.buttons).toEqual(['Edit', 'Use as reference', 'Delete']);
		expect(second.pictures[0]?.alt).toBe('foxes (3 of 3)');
		const form = await ada.presses('Edit', second).opens('Edit image');
		await ada.fillsIn(form, { prompt: 'one more fox' }).sees({ text: /one more fox/, pictures: 1 });
		await ada.presses('Delete', second);
		await vi.waitFor(async () => {
			const left = (await ada.looks()).map(({ id }) => id);
			expect(left).not.toContain(first.id);
			expect(left).not.toContain(second.id);
		});
	}, 30_000);
});

describe('a result is not lost', () => {
	beforeEach(() => begin());

	test('when the message that waits is deleted by a moderator: it is posted anew', async () => {
		await asks({}, async () => {
			const user = harness.discord.user('ada');
			const [status] = await user.look();
			if (status) await user.erase(status);
		});
		await ada.finds({ text: /a fox.*AI-generated/s, pictures: 1 });
	});

	test('when the channel is deleted: it comes as a direct message that says where it was asked', async () => {
		await asks({}, () => {
			harness.discord.faults.killTokens();
			harness.discord.threads.delete(channel());
		});
		const { text } = await direct().finds({ pictures: 1 });
		expect(text).toMatch(/^You asked for this in <#\d+>, where it could not be posted\..*\n\n.*a fox/s);
	});

	test('when the permission is taken away: it comes as a direct message that says what is missing', async () => {
		await asks({}, () => {
			harness.discord.faults.killTokens();
			harness.discord.world.rule(channel(), 'me', 'deny', ['ViewChannel']);
		});
		const { text } = await direct().finds({ pictures: 1 });
		expect(text).toMatch(/I can't see #general\. A moderator can give me \*View Channel\* there/);
	});

	test('when it was for one person alone and the token is dead: it is never shown in the channel', async () => {
		await asks({ private: true }, () => harness.discord.faults.killTokens());
		const { text } = await direct().finds({ pictures: 1 });
		expect(text).toMatch(/Only the person who asked may see this/);
		const everybody = await harness.discord.user('bjorn').look();
		expect(everybody.map((message) => message.text).join()).not.toContain('a fox');
	});

	test('when direct messages are not taken either: it is kept, and /usage offers it', async () => {
		harness.discord.world.person('ada').closed = true;
		await asks({ private: true }, () => harness.discord.faults.killTokens());
		const refused = () =>
			harness.discord.requests.some(({ path, status }) => path.endsWith('/messages') && status === 403);
		await vi.waitFor(() => expect(refused()).toBe(true));
		harness.discord.faults.clear();
		await vi.waitFor(
			async () => {
				await ada.does('/usage');
				const texts = (await ada.looks()).map(({ text }) => text);
				expect(texts.at(-1)).toMatch(/One request has pictures that could not be posted/);
			},
			{ timeout: 8000, interval: 100 },
		);
		const usage = await ada.finds({ buttons: ['Show them here'] });
		await ada.presses('Show them here', usage).sees({ pictures: 1, private: true });
	});

	test('when its thread is locked meanwhile: that is left alone, and it comes as a direct message', async () => {
		const thread = harness.discord.threads.create(channel(), 'Foxes', 'ada');
		ada = new Actor({ ...harness.user('ada'), ...harness.discord.user('ada', thread) });
		await asks({}, () => {
			harness.discord.faults.killTokens();
			harness.discord.threads.change(thread, { archived: true, locked: true });
		});
		const { text } = await direct().finds({ pictures: 1 });
		expect(text).toMatch(/The thread .* is locked\. A moderator can unlock it/);
		expect(thread.archived).toBe(true);
	});

	test('when its thread is only archived meanwhile: that wakes up', async () => {
		const thread = harness.discord.threads.create(channel(), 'Foxes', 'ada');
		ada = new Actor({ ...harness.user('ada'), ...harness.discord.user('ada', thread) });
		await asks({}, () => {
			harness.discord.faults.killTokens();
			harness.discord.threads.change(thread, { archived: true });
		});
		await ada.finds({ text: /AI-generated/, pictures: 1 });
		expect(thread.archived).toBe(false);
	});

	test('when Easel is started anew meanwhile and the channel is gone: what became of it is said directly', async () => {
		service.next(held(answersPictures(await smallPng())).behaviour);
		await ada.does('/imagine', { prompt: 'a fox' });
		await service.arrived(1);
		harness.discord.faults.killTokens();
		harness.discord.threads.delete(channel());
		await harness.restart();
		const { text } = await direct().finds(/stopped while this ran|did not answer/);
		expect(text).toMatch(/stays counted/);
		expect(service.requests).toHaveLength(1);
	});
});

describe('an answer in a chat that can’t be shown there', () => {
	beforeEach(async () => {
		await begin();
		await ada.does('/chat').sees(/💬/);
		await ada.enters(/Chat with Ada/);
		await ada.finds(/I answer every message here/);
	});

	test('since the bot may write no more comes to who asked, directly', async () => {
		service.always(answersChat('Foxes are red. @everyone'));
		harness.discord.world.rule(channel(), 'me', 'deny', ['SendMessagesInThreads']);
		await ada.says('Tell me of foxes');
		await direct().finds(/You asked for this in #.*where it could not be posted\. I can't post/);
		await direct().finds(/Foxes are red/);
	});

	test('since the thread is gone meanwhile comes whole, however much of it is there', async () => {
		const answer = streamedAnswer();
		service.next(answer.behaviour);
		const asked = ada.says('Tell me of foxes');
		await answer.sends('Foxes are red.');
		await asked.sees(/red/);
		const [thread] = await ada.threads();
		harness.discord.threads.delete(harness.discord.world.channel(thread?.id));
		await answer.sends(' Some are white.');
		await answer.ends();
		await direct().finds(/Foxes are red. Some are white./);
	});
});

describe('what is missing is said in a sentence', () => {
	beforeEach(() => begin());

	test('when threads may not be opened', async () => {
		harness.discord.world.rule(channel(), 'me', 'deny', ['CreatePublicThreads']);
		await ada.does('/chat', { prompt: 'foxes' }).sees(/I can't open threads here.*\*Create Public Threads\*/);
	});

	test('when a mention can not be answered where it is: directly', async () => {
		harness.discord.world.rule(channel(), 'me', 'deny', ['SendMessages', 'CreatePublicThreads']);
		await ada.says('@Easel tell me of foxes');
		await direct().finds(/You asked for this in #general, where it could not be posted\. I can't/);
	});
});
