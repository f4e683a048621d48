import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Actor } from '../../../../test/fakes/actor.ts';
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
let stage: Awaited<ReturnType<typeof openDiscordHarness>>;

beforeEach(async () => {
	service = await startFaultyService();
});
afterEach(async () => {
	await stage.close();
	await service.close();
});

async function begin(options: DiscordOptions = {}) {
	stage = await openDiscordHarness(service.url, options);
}

const inServer = (person: 'ada' | 'bjorn') => new Actor(stage.user(person));
const direct = (person: string) => new Actor({ ...stage.user('ada'), ...stage.discord.user(person).directMessages() });

describe('in direct messages', () => {
	beforeEach(() => begin());

	test('pictures are made as in a server', async () => {
		const bjorn = direct('bjorn');
		const result = await bjorn.does('/imagine', { prompt: 'a fox' }).sees({ text: /AI-generated/, pictures: 1 });
		expect(result.private).toBe(false);
		const form = await bjorn.presses('Edit', result).opens('Edit image');
		await bjorn.fillsIn(form, { prompt: 'at night' }).sees({ text: /at night/, pictures: 1 });
	});

	test('who has used no server comes under the operator’s cap', async () => {
		const bjorn = direct('bjorn');
		for (const prompt of ['one', 'two']) await bjorn.does('/imagine', { prompt }).sees({ pictures: 1 });
		await bjorn.does('/imagine', { prompt: 'three' }).sees(/You have used 2 of 2 calls today/);
		const { text } = await bjorn.does('/usage').sees(/You today: 2 of 2 used, 0 left/);
		expect(text).not.toContain('This server');
	});

	test('who has, comes under that server’s caps, which are said to be its', async () => {
		await inServer('ada').does('/limits set', { scope: 'server', period: 'day', images: 1 }).sees(/Set/);
		await inServer('bjorn').does('/imagine', { prompt: 'the only one' }).sees({ pictures: 1 });
		const bjorn = direct('bjorn');
		await bjorn.does('/imagine', { prompt: 'one more' }).sees(/This server has used 1 of 1 call today.*last used me/s);
		await bjorn.does('/usage').sees(/This server today: 1 of 1 used.*last used me/s);
		expect(service.requests).toHaveLength(1);
	});

	test('a block and a cap of a role hold there, too', async () => {
		const member = stage.discord.world.person('bjorn').id;
		await inServer('ada')
			.does('/limits block', { member })
			.sees(/is blocked/);
		await inServer('bjorn')
			.does('/usage')
			.sees(/You today/);
		await direct('bjorn')
			.does('/imagine', { prompt: 'a fox' })
			.sees(/A moderator has blocked you/);
	});

	test('nobody is a moderator there', async () => {
		await inServer('ada')
			.does('/usage')
			.sees(/You today/);
		expect(stage.discord.user('ada').directMessages().refuses('limits show', {})).toBe('This command is not for here');
		await direct('ada')
			.does('/limits show')
			.sees(/Only moderators/);
	});

	test('who has left the server comes under their own', async () => {
		await inServer('ada').does('/limits set', { scope: 'server', period: 'day', images: 1 }).sees(/Set/);
		await inServer('bjorn').does('/imagine', { prompt: 'the only one' }).sees({ pictures: 1 });
		const { members } = stage.discord.world.server();
		members.delete(stage.discord.world.person('bjorn').id);
		await direct('bjorn').does('/imagine', { prompt: 'by myself' }).sees({ pictures: 1 });
	});

	test('what is written there is for the bot', async () => {
		await stage.discord.user('bjorn').directMessages().say('draw a red fox');
		await direct('bjorn').finds({ text: /a red fox/, pictures: 1 });
	});

	test('a restart in between is told there', async () => {
		service.next(held(answersPictures(await smallPng())).behaviour);
		const bjorn = direct('bjorn');
		await bjorn.does('/imagine', { prompt: 'a fox' });
		await service.arrived(1);
		await stage.restart();
		await bjorn.finds(/stays counted/);
	});
});

describe('where only somebody has brought the bot along', () => {
	beforeEach(async () => {
		await begin({
			servers: [
				{ name: 'Elsewhere', members: { ada: { permissions: ['ManageGuild'] }, bjorn: {} }, application: false },
				{ name: 'Atelier', channels: ['studio'], members: { ada: { permissions: ['ManageGuild'] } } },
			],
		});
		stage.discord.world.person('ada').installed = true;
	});
	const atelier = () => new Actor({ ...stage.user('ada'), ...stage.discord.user('ada', 'studio') });

	test('a request is counted to them, and its message edited for as long as it takes', async () => {
		const ada = inServer('ada');
		for (const prompt of ['one', 'two']) await ada.does('/imagine', { prompt }).sees({ pictures: 1 });
		await ada.does('/imagine', { prompt: 'three' }).sees(/You have used 2 of 2 calls today/);
		await direct('ada')
			.does('/imagine', { prompt: 'four' })
			.sees(/You have used 2 of 2 calls today/);
	});

	test('others who press on their results are counted to them, too', async () => {
		const result = await inServer('ada').does('/imagine', { prompt: 'one' }).sees({ pictures: 1 });
		await inServer('bjorn')
			.presses('Again', result)
			.sees({ text: /for bjorn/, pictures: 1 });
		await inServer('bjorn')
			.presses('Again', result)
			.sees(/You have used 2 of 2 calls today/);
		await inServer('ada')
			.does('/usage')
			.sees(/You today: 2 of 2/);
	});

	test('the caps of their own server hold there', async () => {
		await atelier().does('/limits set', { scope: 'server', period: 'day', images: 0 }).sees(/Set/);
		await inServer('ada')
			.does('/imagine', { prompt: 'a fox' })
			.sees(/This server has used 0 of 0 calls today/);
		expect(service.requests).toEqual([]);
	});

	test('there are no threads, which is said', async () => {
		await inServer('ada')
			.does('/chat', { prompt: 'foxes' })
			.sees(/I can't open threads/);
	});

	test('whose token dies meanwhile comes as a direct message', async () => {
		const { behaviour, release } = held(answersPictures(await smallPng()));
		service.next(behaviour);
		await inServer('ada').does('/imagine', { prompt: 'a fox' });
		await service.arrived(1);
		stage.discord.faults.killTokens();
		release();
		await direct('ada').finds({ text: /I'm not a member here.*a fox/s, pictures: 1 });
	});
});
