import { AttachmentBuilder, ChannelType, Events, MessageFlags } from 'discord.js';
import { describe, expect } from 'vitest';
import { eventually } from '../../eventually.ts';
import { pngFile } from '../../pictures.ts';
import { answerCommands, codeOf, fetchChannel, test } from '../client.fixture.ts';

describe('channels', () => {
	test('have permissions of their own', async ({ discord, login }) => {
		const { client } = await login();
		const { world } = discord;
		const [general, dark] = [world.channel('general'), world.channel('after-dark')];
		const channel = await fetchChannel(discord, client);
		world.overwrite(general, 'me', 'deny', ['AttachFiles']);
		world.overwrite(dark, 'me', 'deny', ['ViewChannel']);
		const files = [new AttachmentBuilder(Buffer.from('a'), { name: 'a.txt' })];
		expect(await codeOf(channel.send({ files }))).toBe(50013);
		expect(await codeOf(channel.send('hello'))).toBe('accepted');
		const path = `/channels/${dark.id}/messages` as const;
		expect(await codeOf(client.rest.post(path, { body: { content: 'hello' } }))).toBe(50001);
		expect(await codeOf(channel.messages.delete('1'.repeat(18)))).toBe(10008);
		expect(await codeOf(client.channels.fetch('1'.repeat(18)))).toBe(10003);
		discord.threads.delete(dark);
		expect(await codeOf(client.rest.post(path, { body: { content: 'hello' } }))).toBe(10003);
		expect(discord.violations).toEqual([]);
	});

	test('have threads that are archived, unarchived by a message, and locked', async ({ discord, login }) => {
		const { client } = await login();
		const channel = await fetchChannel(discord, client);
		const opening = await channel.send('Foxes');
		const thread = await opening.startThread({ name: 'Foxes', autoArchiveDuration: 1440 });
		expect(thread.id).toBe(opening.id);
		expect(await codeOf(opening.startThread({ name: 'Again' }))).toBe(160004);
		const ada = discord.user('ada');
		expect(await ada.threads()).toEqual([{ id: thread.id, title: 'Foxes' }]);
		ada.enter(thread.id);
		const heard = new Promise((resolve) => client.once(Events.MessageCreate, ({ channelId }) => resolve(channelId)));
		await ada.say('hello');
		expect(await heard).toBe(thread.id);

		const { channel: threadChannel } = ada;
		discord.threads.change(threadChannel, { archived: true });
		await thread.send('awake');
		expect(threadChannel.archived).toBe(false);
		discord.threads.change(threadChannel, { archived: true, locked: true });
		expect(await codeOf(thread.send('still here?'))).toBe(50083);
		discord.threads.change(threadChannel, { archived: false });
		expect(await codeOf(thread.send('still here?'))).toBe(160005);

		const secret = await channel.threads.create({ name: 'Secret', type: ChannelType.PrivateThread });
		expect(await discord.user('bjorn').threads()).toHaveLength(1);
		await secret.members.add(discord.world.person('bjorn').id);
		expect(await discord.user('bjorn').threads()).toHaveLength(2);
		expect(discord.violations).toEqual([]);
	});

	test('of a server that has not installed the application allow it responses only', async ({ discord, login }) => {
		const codes: unknown[] = [];
		const { client } = await answerCommands(login, async (command) => {
			await command.reply('hello');
			for (let n = 0; n < 6; n++) codes.push(await codeOf(command.followUp(`${n}`)));
			const { guildId, userId } = command.authorizingIntegrationOwners;
			codes.push(guildId, userId);
		});
		const gone = new Promise((resolve) => client.once(Events.GuildDelete, resolve));
		discord.removeApplication();
		await gone;
		const person = discord.world.person('ada');
		person.installed = true;
		await discord.user('ada').command('ask', {});
		await eventually(() => expect(codes).toHaveLength(8));
		expect(codes.slice(4)).toEqual(['accepted', 40094, null, person.id]);
		const path = `/channels/${discord.world.channel().id}/messages` as const;
		expect(await codeOf(client.rest.post(path, { body: { content: 'hello' } }))).toBe(50001);
		expect(discord.violations).toEqual([]);
	});

	test('of direct messages show typing until the message, and can be blocked', async ({ discord, login }) => {
		const { client } = await login();
		const user = await client.users.fetch(discord.world.person('ada').id);
		const direct = await user.createDM();
		await direct.sendTyping();
		const ada = discord.user('ada').directMessages();
		expect(ada.typing()).toBe(true);
		await user.send('your picture');
		expect(ada.typing()).toBe(false);
		expect(await ada.look()).toMatchObject([{ text: 'your picture' }]);
		discord.world.person('ada').blocksDirectMessages = true;
		expect(await codeOf(user.send('again'))).toBe(50007);
	});
});

describe('messages', () => {
	test('are created once for an enforced nonce, also after an error', async ({ discord, login }) => {
		const { client } = await login();
		const channel = await fetchChannel(discord, client);
		discord.faults.serverError({ method: 'POST', path: /messages$/ }, { after: true });
		await channel.send('once');
		expect(await discord.user('ada').look()).toHaveLength(1);
	});

	test('with a layout have URLs of their files in it, and no attachments', async ({ discord, login }) => {
		const { client } = await login();
		const channel = await fetchChannel(discord, client);
		const message = await channel.send({
			flags: MessageFlags.IsComponentsV2,
			files: [new AttachmentBuilder(Buffer.from((await pngFile()).bytes), { name: 'fox.png' })],
			components: [
				{ type: 10, content: 'A fox' },
				{ type: 12, items: [{ media: { url: 'attachment://fox.png' }, description: 'a red fox' }] },
			],
		});
		expect(message.attachments.size).toBe(0);
		expect(JSON.stringify(message.components)).toContain('/cdn/attachments/');
		expect(await discord.user('ada').look()).toMatchObject([{ text: 'A fox', pictures: [{ alt: 'a red fox' }] }]);
		expect(await codeOf(message.edit({ content: 'plain again' }))).toBe(50035);
	});

	test('get other descriptions of their files without another upload', async ({ discord, login }) => {
		const { client } = await login();
		const channel = await fetchChannel(discord, client);
		const { bytes } = await pngFile();
		const files = ['one', 'two'].map(
			(name) => new AttachmentBuilder(Buffer.from(bytes), { name: `${name}.png`, description: name }),
		);
		const message = await channel.send({ content: 'foxes', files });
		const ids = [...message.attachments.keys()];
		const edit = (attachments: object[]) =>
			client.rest.patch(`/channels/${channel.id}/messages/${message.id}`, { body: { attachments } });
		await edit([{ id: ids[0] }, { id: ids[1], description: 'a red fox' }]);
		const pictures = [
			{ alt: 'one', bytes: new Uint8Array(bytes) },
			{ alt: 'a red fox', bytes: new Uint8Array(bytes) },
		];
		expect(await discord.user('ada').look()).toMatchObject([{ text: 'foxes', pictures }]);
		expect(await codeOf(edit([{ id: ids[0], description: 'x'.repeat(1025) }]))).toBe(50035);
		await edit([{ id: ids[1] }]);
		expect(await discord.user('ada').look()).toMatchObject([{ pictures: [{ alt: 'a red fox' }] }]);
	});

	test('that ping somebody who has not made a request are reported', async ({ discord, login }) => {
		const { client } = await login();
		const channel = await fetchChannel(discord, client);
		const [ada, bjorn] = ['ada', 'bjorn'].map((name) => discord.world.person(name).id);
		await discord.user('ada').say('hello');
		const mentions = `@everyone <@${ada}> <@${bjorn}>`;
		await channel.send(mentions);
		await channel.send({ content: mentions, allowedMentions: { users: [ada ?? ''] } });
		expect(discord.violations).toEqual([]);
		await channel.send({ content: mentions, allowedMentions: { parse: ['users', 'everyone'] } });
		expect(discord.violations).toEqual([expect.stringContaining('Björn'), expect.stringContaining('everyone')]);
	});

	test('have files at signed URLs that expire', async ({ discord, login }) => {
		const { client } = await login();
		const ada = discord.user('ada');
		await ada.say('look', [await pngFile()]);
		const [seen] = await ada.look();
		const { messages } = await fetchChannel(discord, client);
		// The event has no files, without the intent, and would take those away that a quicker answer had brought.
		await expect.poll(() => messages.cache.has(seen!.id)).toBe(true);
		const message = await messages.fetch({ message: seen!.id, force: true });
		const url = message.attachments.first()?.url ?? '';
		expect((await fetch(url)).status).toBe(200);
		expect((await fetch(url.replace(/hm=./, (sign) => (sign === 'hm=0' ? 'hm=1' : 'hm=0')))).status).toBe(404);
		discord.clock.advance(25 * 3_600_000);
		expect((await fetch(url)).status).toBe(404);
	});
});
