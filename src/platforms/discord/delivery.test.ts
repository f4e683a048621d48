import { ChannelType } from 'discord.js';
import { describe, expect, vi } from 'vitest';
import type { Actor } from '../../../packages/fakes/src/actor.ts';
import { answersChat, streamedAnswer } from '../../../packages/fakes/src/chat.ts';
import { eventually } from '../../../packages/fakes/src/eventually.ts';
import { noisyPng } from '../../../packages/fakes/src/pictures.ts';
import { answersPictures, type FaultyService, held, smallPng } from '../../../packages/fakes/src/service.ts';
import { test } from '../../../test/harness/discord-easel.fixture.ts';

/** Requests a picture, and does something while the service works on it. */
async function request(
	{ actor, service }: { actor: Actor; service: FaultyService },
	options: Record<string, string | boolean>,
	meanwhile: () => unknown,
	picture?: Buffer,
) {
	const { behaviour, release } = held(answersPictures(picture ?? (await smallPng('#e67e22'))));
	const before = service.requests.length;
	service.next(behaviour);
	await actor.does('/imagine', { prompt: 'a fox', ...options });
	await service.arrived(before + 1);
	await meanwhile();
	release();
}

describe('a picture beyond the upload limit of the server', () => {
	describe('of 50 kB', () => {
		test.override({ fakeOptions: { servers: [{ members: { ada: {} }, fileBytes: 50_000 }] } });

		test('is scaled until it fits, and the message says so', async ({ service, ada }) => {
			service.always(answersPictures(await noisyPng(300)));
			const { text, pictures } = await ada.does('/imagine', { prompt: 'a fox' }).sees({ pictures: 1 });
			expect(text).toMatch(/Scaled from 300 × 300 to (\d+) × \1, because this server allows at most 0 MB/);
			expect(pictures[0]?.bytes.length).toBeLessThanOrEqual(50_000);
		});
	});

	describe('of 1 MB, within the limit of 2 MB of the user', () => {
		const server = { fileBytes: 2 ** 20, features: ['MAX_FILE_SIZE_1_MB'] };
		test.override({ fakeOptions: { servers: [{ members: { ada: { fileBytes: 2 * 2 ** 20 } }, ...server }] } });

		test('is posted as it is in response to the user', async ({ service, ada }) => {
			const png = await noisyPng(650, 0);
			service.always(answersPictures(png));
			const { pictures } = await ada.does('/imagine', { prompt: 'a fox' }).sees({ pictures: 1 });
			expect(Buffer.compare(pictures[0]?.bytes ?? Buffer.of(), png)).toBe(0);
		});

		test('is made smaller when the bot posts it by itself', async ({ discord, service, ada }) => {
			await request({ actor: ada, service }, {}, () => discord.faults.expireTokens(), await noisyPng(650, 0));
			const { text, pictures } = await ada.finds({ pictures: 1 });
			expect(text).toMatch(/compressed without loss, to fit the upload limit/i);
			expect(pictures[0]?.bytes.length).toBeLessThanOrEqual(2 ** 20);
			expect(discord.requests.filter(({ status }) => status === 413)).toEqual([]);
		});
	});

	test('that Discord has announced higher is scaled, and posted again once', async ({ discord, service, ada }) => {
		discord.settings.uploadBytes = 150_000;
		const png = await noisyPng(300);
		service.always(answersPictures(png));
		const { text, pictures } = await ada.does('/imagine', { prompt: 'a fox' }).sees({ pictures: 1 });
		expect(text).toMatch(/Scaled from 300 × 300/);
		expect(pictures[0]?.bytes.length).toBeLessThanOrEqual(png.length / 2);
		expect(discord.requests.filter(({ status }) => status === 413)).toHaveLength(1);
	});

	describe('except in a boosted server', () => {
		test.override({ fakeOptions: { servers: [{ members: { ada: {} }, fileBytes: 50 * 2 ** 20 }] } });

		test('is posted as it is', async ({ service, ada }) => {
			const png = await noisyPng(2000, 0);
			expect(png.length).toBeGreaterThan(10 * 2 ** 20);
			service.always(answersPictures(png));
			const { pictures } = await ada.does('/imagine', { prompt: 'a fox' }).sees({ pictures: 1 });
			expect(Buffer.compare(pictures[0]?.bytes ?? Buffer.of(), png)).toBe(0);
		});
	});

	test('is posted in a further message when only the sum is too large, with buttons of its own', {
		timeout: 30_000,
	}, async ({ service, ada }) => {
		const png = await noisyPng(1800, 0);
		service.next(answersPictures(png, png, png));
		const first = await ada.does('/imagine', { prompt: 'foxes', n: 3 }).sees({ pictures: 2 });
		const second = await ada.finds({ pictures: 1, text: /More pictures of the same/ });
		expect(first.buttons).toEqual(['Again', 'Vary', 'Edit', 'Use as reference', 'Download original', 'Delete']);
		expect(second.buttons).toEqual(['Vary', 'Edit', 'Use as reference', 'Download original', 'Delete']);
		expect(second.pictures[0]?.alt).toBe('foxes (3 of 3)');
		const form = await ada.presses('Edit', second).opens('Edit image');
		await ada.fillsIn(form, { prompt: 'one more fox' }).sees({ text: /one more fox/, pictures: 1 });
		const asked = await ada.presses('Delete', second).sees({ text: /^Delete \*\*foxes/, private: true });
		await ada.presses('Delete for good', asked);
		await eventually(async () => {
			const left = (await ada.looks()).map(({ id }) => id);
			expect(left).not.toContain(first.id);
			expect(left).not.toContain(second.id);
		});
	});
});

describe('a result', () => {
	test('is posted again when a moderator has deleted the status message', async ({ discord, service, ada }) => {
		await request({ actor: ada, service }, {}, async () => {
			const moderator = discord.user('ada');
			const [status] = await moderator.look();
			if (status) await moderator.erase(status);
		});
		await ada.finds({ text: /a fox.*AI-generated/s, pictures: 1 });
	});

	test('comes as a direct message when its channel was deleted', async ({
		discord,
		service,
		ada,
		inDirectMessages,
	}) => {
		await request({ actor: ada, service }, {}, () => {
			discord.faults.expireTokens();
			discord.threads.delete(discord.world.channel());
		});
		const { text } = await inDirectMessages('ada').finds({ pictures: 1 });
		expect(text).toMatch(/^You asked for this in <#\d+>, where it could not be posted\..*\n\n.*a fox/s);
	});

	test('comes as a direct message that names the missing permission', async ({
		discord,
		service,
		ada,
		inDirectMessages,
	}) => {
		await request({ actor: ada, service }, {}, () => {
			discord.faults.expireTokens();
			discord.world.overwrite(discord.world.channel(), 'me', 'deny', ['ViewChannel']);
		});
		const { text } = await inDirectMessages('ada').finds({ pictures: 1 });
		expect(text).toMatch(/I can't see #general\. A moderator can give me \*View Channel\* there/);
	});

	test('is never public when it was private and the token has expired', async ({
		discord,
		service,
		ada,
		inDirectMessages,
	}) => {
		await request({ actor: ada, service }, { private: true }, () => discord.faults.expireTokens());
		const { text } = await inDirectMessages('ada').finds({ pictures: 1 });
		expect(text).toMatch(/Only the person who asked may see this/);
		const publicMessages = await discord.user('bjorn').look();
		expect(publicMessages.map((message) => message.text).join()).not.toContain('a fox');
	});

	test('is kept and offered by /usage when direct messages are blocked too', async ({ discord, service, ada }) => {
		discord.world.person('ada').blocksDirectMessages = true;
		await request({ actor: ada, service }, { private: true }, () => discord.faults.expireTokens());
		const isRefused = () => discord.requests.some(({ path, status }) => path.endsWith('/messages') && status === 403);
		await eventually(() => expect(isRefused()).toBe(true));
		const told = await ada.finds(
			/^@Ada: there is an answer for you that could not be posted\. Use \/usage to see it\.$/,
		);
		expect(told.private).toBe(false);
		discord.faults.clear();
		await vi.waitFor(
			async () => {
				await ada.does('/usage');
				const texts = (await ada.looks()).map(({ text }) => text);
				expect(texts.at(-1)).toMatch(/One request has pictures that could not be posted/);
			},
			{ timeout: 8000, interval: 100 },
		);
		const usage = await ada.finds({ buttons: ['Show them here', 'More'] });
		await ada.presses('Show them here', usage).sees({ pictures: 1, private: true });
	});

	test('comes as a direct message when its thread was locked', async ({
		discord,
		service,
		inChannel,
		inDirectMessages,
	}) => {
		const thread = discord.threads.create(discord.world.channel(), 'Foxes', 'ada');
		await request({ actor: inChannel('ada', thread), service }, {}, () => {
			discord.faults.expireTokens();
			discord.threads.change(thread, { archived: true, locked: true });
		});
		const { text } = await inDirectMessages('ada').finds({ pictures: 1 });
		expect(text).toMatch(/The thread .* is locked\. A moderator can unlock it/);
		expect(thread.archived).toBe(true);
	});

	test('unarchives its thread', async ({ discord, service, inChannel }) => {
		const thread = discord.threads.create(discord.world.channel(), 'Foxes', 'ada');
		const ada = inChannel('ada', thread);
		await request({ actor: ada, service }, {}, () => {
			discord.faults.expireTokens();
			discord.threads.change(thread, { archived: true });
		});
		await ada.finds({ text: /AI-generated/, pictures: 1 });
		expect(thread.archived).toBe(false);
	});

	test('is reported lost by a direct message after a restart when the channel was deleted', async ({
		discord,
		service,
		harness,
		ada,
		inDirectMessages,
	}) => {
		service.next(held(answersPictures(await smallPng())).behaviour);
		await ada.does('/imagine', { prompt: 'a fox' });
		await service.arrived(1);
		discord.faults.expireTokens();
		discord.threads.delete(discord.world.channel());
		await harness.restart();
		const { text } = await inDirectMessages('ada').finds(/stopped while this ran|did not answer/);
		expect(text).toMatch(/stays counted/);
		expect(service.requests).toHaveLength(1);
	});
});

describe('in a voice channel without *Connect*', () => {
	const voice = { name: 'lounge', type: ChannelType.GuildVoice, deny: { me: ['Connect'] } } as const;
	const server = { members: { ada: {} }, channels: [voice] };

	describe('where the bot has all other permissions', () => {
		test.override({ fakeOptions: { servers: [server] } });

		test('a result is posted in the channel', async ({ discord, service, ada }) => {
			await request({ actor: ada, service }, {}, () => discord.faults.expireTokens());
			await ada.finds({ text: /a fox.*AI-generated/s, pictures: 1 });
		});
	});

	describe('where the bot has no other permissions', () => {
		test.override({ fakeOptions: { servers: [{ ...server, withoutConnect: 'view only' }] } });

		test('a result is posted as the response', async ({ ada }) => {
			await ada.does('/imagine', { prompt: 'a fox' }).sees({ text: /AI-generated/, pictures: 1 });
		});

		test('a result comes as a direct message once the token is invalid', async ({
			discord,
			service,
			ada,
			inDirectMessages,
		}) => {
			await request({ actor: ada, service }, {}, () => discord.faults.expireTokens());
			const { text } = await inDirectMessages('ada').finds({ pictures: 1 });
			expect(text).toMatch(/I can't post in #lounge\. A moderator can give me/);
		});
	});
});

describe('a chat answer that cannot be posted in its thread', () => {
	test.beforeEach(async ({ ada }) => {
		await ada.does('/chat').sees(/💬/);
		await ada.enters(/Chat with Ada/);
		await ada.finds(/I answer every message here/);
	});

	test('comes as a direct message when a permission is missing', async ({
		discord,
		service,
		ada,
		inDirectMessages,
	}) => {
		service.always(answersChat('Foxes are red. @everyone'));
		discord.world.overwrite(discord.world.channel(), 'me', 'deny', ['SendMessagesInThreads']);
		await ada.says('Tell me of foxes');
		await inDirectMessages('ada').finds(/You asked for this in #.*where it could not be posted\. I can't post/);
		await inDirectMessages('ada').finds(/Foxes are red/);
	});

	test('comes whole as a direct message when the thread was deleted meanwhile', async ({
		discord,
		service,
		ada,
		inDirectMessages,
	}) => {
		const answer = streamedAnswer();
		service.next(answer.behaviour);
		const question = ada.says('Tell me of foxes');
		await answer.sends('Foxes are red.');
		await question.sees(/red/);
		const [thread] = await ada.threads();
		discord.threads.delete(discord.world.channel(thread?.id));
		await answer.sends(' Some are white.');
		await answer.ends();
		await inDirectMessages('ada').finds(/Foxes are red. Some are white./);
	});
});

describe('a missing permission is named in a sentence', () => {
	test('when a thread cannot be opened', async ({ discord, ada }) => {
		discord.world.overwrite(discord.world.channel(), 'me', 'deny', ['CreatePublicThreads']);
		await ada.does('/chat', { prompt: 'foxes' }).sees(/I can't open threads here.*\*Create Public Threads\*/);
	});

	test('when a mention cannot be answered in its channel, by a direct message', async ({
		discord,
		ada,
		inDirectMessages,
	}) => {
		discord.world.overwrite(discord.world.channel(), 'me', 'deny', ['SendMessages', 'CreatePublicThreads']);
		await ada.says('@Easel tell me of foxes');
		await inDirectMessages('ada').finds(/You asked for this in #general, where it could not be posted\. I can't/);
	});
});
