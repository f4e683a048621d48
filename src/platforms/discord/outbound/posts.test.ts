import { Keyv } from 'keyv';
import { describe, expect } from 'vitest';
import type { DiscordFake } from '../../../../packages/fakes/src/discord/index.ts';
import { type EaselFixture, test } from '../../../../test/harness/discord-platform.fixture.ts';
import type { Channel } from '../../../domain/channel.ts';

const CREATE = { method: 'POST', path: /^\/channels\/\d+\/messages$/ };

/** Returns the first channel, to post in as the bot. */
async function openChannel(discord: DiscordFake, easel: EaselFixture): Promise<Channel> {
	const platform = await easel.start({});
	const place = { platform: 'discord', server: discord.world.server().id, channel: discord.world.channel().id };
	return (await platform.channel(place)) as Channel;
}

describe('a message whose predecessor under the same key is deleted', () => {
	test('is posted, once, after a moderator deleted the first', async ({ discord, easel, texts }) => {
		const channel = await openChannel(discord, easel);
		const ada = discord.user('ada');
		for (const text of ['First', 'Second', 'Third']) {
			await channel.post({ text }, 'k');
			const [message] = await ada.look();
			expect(message).toMatchObject({ text });
			if (message && text !== 'Third') await ada.erase(message);
		}
		expect(await texts()).toEqual(['Third']);
	});

	test('is posted once when the answer to its request is lost', async ({ discord, easel, texts }) => {
		const channel = await openChannel(discord, easel);
		await channel.post({ text: 'First' }, 'k');
		const ada = discord.user('ada');
		const [first] = await ada.look();
		if (first) await ada.erase(first);
		// The library sends the request four times, and then gives up.
		// The first request has the nonce of the deleted message.
		discord.faults.serverError(CREATE, { after: true, times: 1 + 4 });
		await expect(channel.post({ text: 'Second' }, 'k')).rejects.toThrow();
		expect(await texts()).toEqual(['Second']);
		await channel.post({ text: 'Second' }, 'k');
		expect(await texts()).toEqual(['Second']);
	});

	test('is posted, once, after the bot deleted the first', async ({ discord, easel, texts }) => {
		const channel = await openChannel(discord, easel);
		const ifAbsent = { ifAbsent: true };
		for (const text of ['First', 'Second', 'Third']) await (await channel.post({ text }, 'k')).delete();
		// The first three requests have the nonces of the deleted messages.
		discord.faults.serverError(CREATE, { after: true, times: 3 + 4 });
		await expect(channel.post({ text: 'Last' }, 'k', ifAbsent)).rejects.toThrow();
		await channel.post({ text: 'Last' }, 'k', ifAbsent);
		expect(await texts()).toEqual(['Last']);
	});
});

test('a message under the key of another channel is a message of its own', async ({ discord, easel, texts }) => {
	const channel = await openChannel(discord, easel);
	await channel.post({ text: 'First' }, 'k');
	const nonces = discord.requests.flatMap(({ json }) => (json as { nonce?: string } | undefined)?.nonce ?? []);
	const elsewhere = discord.world.channel('gallery');
	const platform = easel.create({ keyv: new Keyv() });
	const place = { ...channel.place, channel: elsewhere.id };
	await (await platform.channel(place))?.post({ text: 'Other' }, 'k');
	const all = discord.requests.flatMap(({ json }) => (json as { nonce?: string } | undefined)?.nonce ?? []);
	expect(nonces).toHaveLength(1);
	expect(new Set(all).size).toBe(2);
	expect(await texts()).toEqual(['First']);
});

test('a response is found by what its announcement has stored', async ({ discord, easel, keyv, texts }) => {
	const { taken, release } = await easel.hold();
	const sent = discord.user('ada').command('imagine', { prompt: 'a fox' });
	const { channel } = await taken;
	const data = channel.announce?.('k', false)?.data;
	// The process ends before it stores which message it has posted.
	const { setMany } = keyv;
	keyv.setMany = async () => [];
	await channel.post({ text: 'Drawing' }, 'k', { isAnnounced: true });
	keyv.setMany = setMany;
	expect(await texts()).toEqual(['Drawing']);
	const found = await easel.create().find({ place: channel.place, key: 'k', data });
	await found?.edit({ text: 'Stopped' });
	expect(await texts()).toEqual(['Stopped']);
	release();
	await sent;
});
