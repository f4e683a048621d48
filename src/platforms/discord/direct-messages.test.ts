import { describe, expect } from 'vitest';
import type { Actor } from '../../../packages/fakes/src/actor.ts';
import { apiErrors } from '../../../packages/fakes/src/discord/api/errors.ts';
import type { DiscordFake } from '../../../packages/fakes/src/discord/index.ts';
import { answersPictures, type FaultyService, held, smallPng } from '../../../packages/fakes/src/service.ts';
import { test } from '../../../test/harness/discord-easel.fixture.ts';

const oneCallADay = { scope: 'server', period: 'day', images: 1 };

describe('in direct messages', () => {
	test('pictures are made as in a server', async ({ inDirectMessages }) => {
		const bjorn = inDirectMessages('bjorn');
		const result = await bjorn.does('/imagine', { prompt: 'a fox' }).sees({ text: /AI-generated/, pictures: 1 });
		expect(result.private).toBe(false);
		const form = await bjorn.presses('Edit', result).opens('Edit image');
		await bjorn.fillsIn(form, { prompt: 'at night' }).sees({ text: /at night/, pictures: 1 });
	});

	test('the operator’s cap applies to a user without a home server', async ({ inDirectMessages }) => {
		const bjorn = inDirectMessages('bjorn');
		for (const prompt of ['one', 'two']) await bjorn.does('/imagine', { prompt }).sees({ pictures: 1 });
		await bjorn.does('/imagine', { prompt: 'three' }).sees(/You have used 2 of 2 calls today/);
		const { text } = await bjorn.does('/usage').sees(/You today: 2 of 2 used, 0 left/);
		expect(text).not.toContain('This server');
	});

	test('the caps of the home server apply, and name it', async ({ service, ada, bjorn, inDirectMessages }) => {
		await ada.does('/limits set', oneCallADay).sees(/Set/);
		await bjorn.does('/imagine', { prompt: 'the only one' }).sees({ pictures: 1 });
		const direct = inDirectMessages('bjorn');
		await direct.does('/imagine', { prompt: 'one more' }).sees(/This server has used 1 of 1 call today.*last used me/s);
		await direct.does('/usage').sees(/This server today: 1 of 1 used.*last used me/s);
		expect(service.requests).toHaveLength(1);
	});

	test('a block in the home server applies', async ({ discord, ada, bjorn, inDirectMessages }) => {
		const member = discord.world.person('bjorn').id;
		await ada.does('/limits block', { member }).sees(/is blocked/);
		await bjorn.does('/usage').sees(/You today/);
		await inDirectMessages('bjorn')
			.does('/imagine', { prompt: 'a fox' })
			.sees(/A moderator has blocked you/);
	});

	test('have no moderators', async ({ discord, ada, inDirectMessages }) => {
		await ada.does('/usage').sees(/You today/);
		const refusal = discord.user('ada').directMessages().refuses('limits show', {});
		expect(refusal).toBe('This command is not available here');
		await inDirectMessages('ada')
			.does('/limits show')
			.sees(/Only moderators/);
	});

	test('the caps of a server do not apply to a user who has left it', async ({
		discord,
		ada,
		bjorn,
		inDirectMessages,
	}) => {
		await ada.does('/limits set', oneCallADay).sees(/Set/);
		await bjorn.does('/imagine', { prompt: 'the only one' }).sees({ pictures: 1 });
		discord.world.server().members.delete(discord.world.person('bjorn').id);
		await inDirectMessages('bjorn').does('/imagine', { prompt: 'by myself' }).sees({ pictures: 1 });
	});

	test('every message addresses the bot', async ({ discord, inDirectMessages }) => {
		await discord.user('bjorn').directMessages().say('draw a red fox');
		await inDirectMessages('bjorn').finds({ text: /a red fox/, pictures: 1 });
	});

	test('an interrupted request is reported after a restart', async ({ service, harness, inDirectMessages }) => {
		service.next(held(answersPictures(await smallPng())).behaviour);
		const bjorn = inDirectMessages('bjorn');
		await bjorn.does('/imagine', { prompt: 'a fox' });
		await service.arrived(1);
		await harness.restart();
		await bjorn.finds(/stays counted/);
	});
});

describe('in a server where only the user has installed the bot', () => {
	test.override({
		fakeOptions: {
			servers: [
				{ name: 'Elsewhere', members: { ada: { permissions: ['ManageGuild'] }, bjorn: {} }, application: false },
				{ name: 'Atelier', channels: ['studio'], members: { ada: { permissions: ['ManageGuild'] } } },
			],
		},
	});
	test.beforeEach(({ discord }) => {
		discord.world.person('ada').installed = true;
	});

	test('a request counts towards the user, also in direct messages', async ({ ada, inDirectMessages }) => {
		for (const prompt of ['one', 'two']) await ada.does('/imagine', { prompt }).sees({ pictures: 1 });
		await ada.does('/imagine', { prompt: 'three' }).sees(/You have used 2 of 2 calls today/);
		await inDirectMessages('ada')
			.does('/imagine', { prompt: 'four' })
			.sees(/You have used 2 of 2 calls today/);
	});

	test('help for the first time is shown to the person alone', async ({ ada, bjorn }) => {
		await ada.does('/imagine', { prompt: 'one' }).sees({ text: /Here is what I can do/, private: true });
		expect(JSON.stringify(await bjorn.looks())).not.toMatch(/Here is what I can do/);
	});

	test('buttons that others press count towards the user who has installed the bot', async ({ ada, bjorn }) => {
		const result = await ada.does('/imagine', { prompt: 'one' }).sees({ pictures: 1 });
		await bjorn.presses('Again', result).sees({ text: /for bjorn/, pictures: 1 });
		await bjorn.presses('Again', result).sees(/You have used 2 of 2 calls today/);
		await ada.does('/usage').sees(/You today: 2 of 2/);
	});

	test('the caps of the home server apply', async ({ service, ada, inChannel }) => {
		const atHome = inChannel('ada', 'studio');
		await atHome.does('/limits set', { scope: 'server', period: 'day', images: 0 }).sees(/Set/);
		await ada.does('/imagine', { prompt: 'a fox' }).sees(/This server has used 0 of 0 calls today/);
		expect(service.requests).toEqual([]);
	});

	test('a chat thread is refused in a sentence', async ({ ada }) => {
		await ada.does('/chat', { prompt: 'foxes' }).sees(/I can't open threads/);
	});

	test('a result comes as a direct message when the token expires early', async ({
		discord,
		service,
		ada,
		inDirectMessages,
	}) => {
		const { behaviour, release } = held(answersPictures(await smallPng()));
		service.next(behaviour);
		await ada.does('/imagine', { prompt: 'a fox' });
		await service.arrived(1);
		discord.faults.expireTokens();
		release();
		await inDirectMessages('ada').finds({ text: /I'm not a member here.*a fox/s, pictures: 1 });
	});
});

describe('in a server that has authorized the commands without the bot', () => {
	test.override({
		fakeOptions: { servers: [{ members: { ada: { permissions: ['ManageGuild'] } }, application: 'commands only' }] },
	});

	test('its moderators and caps apply', async ({ ada }) => {
		await ada.does('/limits set', oneCallADay).sees(/Set/);
		await ada.does('/imagine', { prompt: 'one' }).sees({ text: /AI-generated/, pictures: 1 });
		await ada.does('/imagine', { prompt: 'two' }).sees(/This server has used 1 of 1 call today/);
	});

	test('nothing is requested that only a member may do', async ({ discord, service, ada, inDirectMessages }) => {
		await ada.does('/chat', { prompt: 'foxes' }).sees(/I can't open threads/);
		const { behaviour, release } = held(answersPictures(await smallPng()));
		service.next(behaviour);
		await ada.does('/imagine', { prompt: 'a fox' });
		await service.arrived(1);
		discord.faults.expireTokens();
		release();
		await inDirectMessages('ada').finds({ text: /I'm not a member here.*a fox/s, pictures: 1 });
		const refused = discord.requests.filter(({ status }) => status === 403);
		expect(refused.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
	});
});

describe('in a server whose AutoMod blocks what only a user has installed', () => {
	test.override({
		fakeOptions: {
			servers: [
				{
					members: { ada: {}, bjorn: {} },
					application: false,
					autoModeration: [{ trigger_metadata: { keyword_filter: ['ai-generated'] } as never }],
				},
			],
		},
	});
	test.beforeEach(({ discord }) => {
		discord.world.person('ada').installed = true;
	});

	test('a result is shown to the person alone', async ({ ada, bjorn }) => {
		await ada.does('/imagine', { prompt: 'a fox' }).sees({ text: /AI-generated/, pictures: 1, private: true });
		expect((await bjorn.looks()).flatMap(({ pictures }) => pictures)).toEqual([]);
	});

	test('a result comes as a direct message that names the reason where a new message is refused too', async ({
		discord,
		service,
		ada,
		inDirectMessages,
	}) => {
		await requestWhereNewMessagesAreBlocked({ discord, service, ada });
		await inDirectMessages('ada').finds({ text: /AutoMod of this server blocks this message.*a fox/s, pictures: 1 });
	});

	test('a result is kept where direct messages are blocked as well, and /usage offers it', async ({
		discord,
		service,
		ada,
	}) => {
		discord.world.person('ada').blocksDirectMessages = true;
		await requestWhereNewMessagesAreBlocked({ discord, service, ada });
		await ada.finds(/could not be posted here\. Use \/usage.*AutoMod of this server blocks this message/);
		discord.faults.clear();
		const usage = await ada.does('/usage').sees({ buttons: ['Show them here', 'More'] });
		await ada.presses('Show them here', usage).sees({ pictures: 1, private: true });
	});
});

/** Requests a picture in a server whose AutoMod refuses further messages while the service works on it. */
async function requestWhereNewMessagesAreBlocked({
	discord,
	service,
	ada,
}: {
	discord: DiscordFake;
	service: FaultyService;
	ada: Actor;
}) {
	const { behaviour, release } = held(answersPictures(await smallPng()));
	service.next(behaviour);
	await ada.does('/imagine', { prompt: 'a fox' });
	await service.arrived(1);
	const path = /^\/webhooks\//;
	discord.faults.add({ method: 'POST', path }, { answer: apiErrors.blockedByAutoMod() }, Number.POSITIVE_INFINITY);
	release();
}
