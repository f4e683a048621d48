import { describe, expect } from 'vitest';
import { eventually } from '../../../../packages/fakes/src/eventually.ts';
import { pngFile } from '../../../../packages/fakes/src/pictures.ts';
import { COMMANDS } from '../../../../test/harness/commands.ts';
import { test } from '../../../../test/harness/discord-platform.fixture.ts';
import type { Invocation } from '../../../domain/platform.ts';

describe('a command', () => {
	test('completes options by suggestions of the core', async ({ discord, easel }) => {
		await easel.start({ suggest: async ({ command, option, typed }) => [`${command} ${option} ${typed}`] });
		expect(await discord.user('ada').suggest('imagine', 'size', '15')).toEqual([
			{ name: 'imagine size 15', value: 'imagine size 15' },
		]);
	});

	test('has its options, its author, its channel and the limits of the server', async ({ discord, easel }) => {
		const { taken, release } = await easel.hold();
		const ada = discord.user('ada');
		const sent = ada.command('imagine', { prompt: 'a fox', n: 2 });
		const { person, channel, command, options } = await taken;
		expect({ command, options }).toEqual({ command: 'imagine', options: { prompt: 'a fox', n: 2 } });
		expect(person).toMatchObject({ id: ada.account.id, name: 'Ada', moderator: true, locale: 'en-US' });
		expect(channel.place).toEqual({ platform: 'discord', server: discord.world.server().id, channel: ada.channel.id });
		expect(channel.limits).toMatchObject({ text: 2000, pictures: 10, pictureBytes: 20 * 1024 * 1024 });
		expect(channel.when(1_700_000_000_000)).toBe('<t:1700000000:f> (<t:1700000000:R>)');
		expect(channel.refer('role', '1')).toBe('<@&1>');
		await channel.post({ text: 'Here.' }, 'k');
		release();
		await sent;
	});
});

describe('a pressed button', () => {
	test('is acknowledged without a response, and can delete a private message', async ({
		discord,
		easel,
		keyv,
		texts,
	}) => {
		const platform = await easel.start({
			invoke: ({ channel }) =>
				channel
					.post({ text: 'A secret', buttons: [{ id: 'delete:1:x', label: 'Delete' }], visibility: 'private' }, 'k')
					.then(() => {}),
			press: async ({ message }) => (await platform.find(message))?.delete(),
		});
		const ada = discord.user('ada');
		await ada.command('imagine', { prompt: 'a fox' });
		await eventually(async () => expect(await texts()).toEqual(['A secret']));
		const [seen] = await ada.look();
		// Only the press gives access to the message then.
		await keyv.clear();
		if (seen) await ada.press(seen, 'Delete');
		await eventually(async () => expect(await texts()).toEqual([]));
	});

	test('has the pictures of its message, as does the form that it opens', async ({ discord, easel }) => {
		const submitted = Promise.withResolvers<Invocation>();
		await easel.start({
			press: async (press) => {
				expect(press.button).toBe('edit:1:menu');
				const fields = COMMANDS[1]?.fields.filter(({ name }) => name !== 'image') ?? [];
				await press.open({ id: press.button, command: 'edit', title: 'Edit image', fields });
			},
			invoke: async (invocation) => {
				await invocation.channel.post({ text: 'Inking' }, 'k');
				submitted.resolve(invocation);
			},
		});
		const ada = discord.user('ada');
		const file = await pngFile();
		await discord.user('bjorn').say('my drawing', [file, { name: 'notes.txt', bytes: Buffer.from('no') }]);
		const [message] = await ada.look();
		if (message) await ada.menu(message, 'Edit image');
		const form = ada.form();
		if (form) await ada.submit(form, { prompt: 'ink it', n: '2', private: true });
		const { form: id, command, options, attached = [] } = await submitted.promise;
		expect({ id, command, options }).toMatchObject({
			id: 'edit:1:menu',
			command: 'edit',
			options: { prompt: 'ink it', n: '2', private: true },
		});
		expect(attached.map(({ name }) => name)).toEqual(['picture.png']);
		expect(Buffer.from((await attached[0]?.read(AbortSignal.timeout(5000), 10_000_000)) ?? [])).toEqual(
			Buffer.from(file.bytes),
		);
	});
});

describe.for(['empty', 'missing'] as const)('an interaction whose owners are %s', (integrationOwners) => {
	test('counts in its server, with the permissions of its member', async ({ discord, easel }) => {
		discord.settings.integrationOwners = integrationOwners;
		const { taken, release } = await easel.hold();
		const sent = discord.user('ada').command('imagine', { prompt: 'a fox' });
		const { person, channel } = await taken;
		expect(person).toMatchObject({ name: 'Ada', moderator: true });
		expect(channel.place).toMatchObject({ server: discord.world.server().id });
		expect(channel.place.direct).toBeUndefined();
		await channel.post({ text: 'Here.' }, 'k');
		release();
		await sent;
	});

	test('counts towards its user where the server has not installed the bot', async ({ discord, easel }) => {
		discord.settings.integrationOwners = integrationOwners;
		const { taken, release } = await easel.hold();
		const elsewhere = discord.world.addServer({ name: 'Elsewhere', members: { ada: {} }, application: false });
		discord.world.person('ada').installed = true;
		const [channel] = elsewhere.channels.values();
		const sent = discord.user('ada', channel).command('imagine', { prompt: 'a fox' });
		const { person, channel: there } = await taken;
		expect(person.moderator).toBe(false);
		expect(there.place).toMatchObject({ server: `user:${person.id}`, direct: true });
		await there.post({ text: 'Here.' }, 'k');
		release();
		await sent;
	});
});
