import { expect } from 'vitest';
import type { Actor } from '../../../packages/fakes/src/actor.ts';
import { test } from '../../../test/harness/discord-easel.fixture.ts';

const setLog = async (ada: Actor, log: string) =>
	ada
		.presses('Use this channel', await ada.does('/limits settings', { log }).sees(/Every member can see/))
		.sees(/log: #/);

test('the moderation log links to the message, and covers pictures from an age-restricted channel', async ({
	discord,
	ada,
	bjorn,
}) => {
	const { elsewhere, here } = ada.names;
	await setLog(ada, elsewhere);
	const result = await bjorn.does('/imagine', { prompt: 'a fox' }).sees({ pictures: 1 });
	const { id: server } = discord.world.server();
	ada.goesTo(elsewhere);
	const { text } = await ada.finds({ text: /a fox/, pictures: 1, covered: false });
	expect(text).toContain(`(https://discord.com/channels/${server}/${here}/${result.id})`);

	const dark = discord.world.channel('after-dark');
	bjorn.goesTo(dark.id);
	await bjorn.does('/imagine', { prompt: 'a bear' }).sees({ pictures: 1, covered: false });
	await ada.finds({ text: /a bear\nIn #after-dark/, pictures: 1, covered: true });

	await setLog(ada, dark.id);
	await bjorn.does('/imagine', { prompt: 'a wolf' }).sees({ pictures: 1 });
	ada.goesTo(dark.id);
	await ada.finds({ text: /by @Björn: a wolf/, pictures: 1, covered: false });
});

test('a log channel without permissions does not affect results', async ({ discord, ada, bjorn }) => {
	const { elsewhere } = ada.names;
	await setLog(ada, elsewhere);
	const { world } = discord;
	world.overwrite(world.channel(elsewhere), 'me', 'deny', ['AttachFiles']);
	await bjorn.does('/imagine', { prompt: 'a fox' }).sees({ pictures: 1 });
	ada.goesTo(elsewhere);
	const entry = await ada.finds({ text: /a fox.*not shown here, because they could not be posted/s, pictures: 0 });
	expect(entry.buttons).toEqual(['Remove', 'Block']);
	world.overwrite(world.channel(elsewhere), 'me', 'deny', ['SendMessages', 'ViewChannel']);
	await bjorn.does('/imagine', { prompt: 'a bear' }).sees({ pictures: 1 });
	await bjorn.does('/imagine', { prompt: 'a wolf' }).sees({ pictures: 1 });
	expect((await ada.looks()).map(({ text }) => text).join('\n')).not.toMatch(/bear|wolf/);
});

test('the moderation log shows private results in a channel that members cannot see', async ({
	discord,
	ada,
	bjorn,
}) => {
	const { world } = discord;
	const staff = world.channel(ada.names.elsewhere);
	world.overwrite(staff, 'everyone', 'deny', ['ViewChannel']);
	for (const who of ['me', 'ada']) world.overwrite(staff, who, 'allow', ['ViewChannel']);
	await ada.does('/limits settings', { log: staff.id }).sees(/Moderation log: #gallery/);
	await bjorn.does('/imagine', { prompt: 'a fox', private: true }).sees({ pictures: 1 });
	ada.goesTo(staff.id);
	await ada.finds({ text: /a fox.*Only they can see the result/s, pictures: 1 });
});

test('moderators by role see the commands once an admin of the server has opened these to the role', async ({
	discord,
	ada,
	bjorn,
}) => {
	const { world } = discord;
	const how = /Moderator role: @Painters.*add the role to `\/limits` in \*Server Settings\* > \*Integrations\*/is;
	await ada.does('/limits settings', { moderators: ada.names.common }).sees(how);
	expect(discord.user('bjorn').refuses('limits show', {})).toMatch(/do not have permission/);
	world.openCommand(world.server(), 'limits', 'Painters');
	expect(discord.user('bjorn').refuses('limits show', {})).toBeUndefined();
	await bjorn.does('/limits show').sees(/Moderator role: @Painters/i);
});
