import { Routes } from 'discord.js';
import { expect } from 'vitest';
import { answersPictures, smallPng, startFaultyService } from '../../../../test/fakes/service.ts';
import { test } from '../../../../test/harness/discord-platform.fixture.ts';
import { ServiceClient } from '../../../service/client.ts';

test('warns when Discord refuses many requests', async ({ discord, logged, rest }) => {
	const rules = Routes.guildAutoModerationRules(discord.world.server().id);
	for (let count = 0; count < 100; count++) await rest.get(rules).catch(() => {});
	expect(logged).toEqual([
		expect.stringMatching(/refused many requests; it bans an address after 10,000 in ten minutes/),
	]);
});

test('uploads pictures while the client of the image service runs in the same process', async ({ discord, easel }) => {
	const service = await startFaultyService();
	const png = await smallPng('#e67e22', 640, 480);
	service.always(answersPictures(png));
	const client = new ServiceClient({
		baseUrl: service.url,
		apiKey: 'key',
		timeoutMs: 10_000,
		models: { image: 'alpha-image', chat: 'chat', embedding: 'embedding' },
	});
	const { taken, release } = await easel.hold();
	const sent = discord.user('ada').command('imagine', { prompt: 'a fox' });
	const { channel } = await taken;
	const post = await channel.post({ text: 'Drawing' }, 'k');
	await sent;
	const { images } = await client.generate({ prompt: 'a fox', n: 1 }, AbortSignal.timeout(10_000));
	await post.edit({
		text: 'A fox',
		pictures: images.map(({ bytes }, index) => ({ name: `${index}.png`, bytes, alt: 'a fox' })),
	});
	const [seen] = await discord.user('ada').look();
	expect(seen?.pictures).toEqual([{ bytes: new Uint8Array(png), alt: 'a fox' }]);
	release();
	await client.close();
	await service.close();
});
