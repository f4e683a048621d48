import { expect, onTestFinished, test } from 'vitest';
import { Actor } from '../../../../packages/fakes/src/actor.ts';
import { eventually } from '../../../../packages/fakes/src/eventually.ts';
import { startFaultyService } from '../../../../packages/fakes/src/service.ts';
import { openDiscordHarness } from '../../../../test/harness/discord.ts';

test('a server that is not served is told so and left, when the bot starts', async () => {
	const service = await startFaultyService();
	const harness = await openDiscordHarness(service.url);
	onTestFinished(async () => {
		await harness.close();
		await service.close();
	});
	const server = harness.discord.world.server();
	const bjorn = new Actor(harness.user('bjorn'));
	await bjorn.does('/imagine', { prompt: 'while it is served' }).sees({ pictures: 1 });
	expect(server.joined).toBe(true);
	await harness.restart({ serves: ({ server: id }) => id !== server.id });
	await eventually(() => expect(server.joined).toBe(false));
	const sentences = (await bjorn.looks()).filter(({ text }) => /certain servers only/.test(text));
	expect(sentences).toHaveLength(1);
	expect(service.requests).toHaveLength(1);
});
