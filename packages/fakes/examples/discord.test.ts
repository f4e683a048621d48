import { Client, Events, GatewayIntentBits, type Interaction } from 'discord.js';
import { expect, test } from 'vitest';
import { startDiscord } from '../src/discord/index.ts';
import { eventually } from '../src/eventually.ts';

/** A bot with one command, on an unmodified discord.js. */
async function startBot(answer: (interaction: Interaction) => Promise<unknown>) {
	const discord = await startDiscord({ pace: 0.02 });
	const client = new Client({ intents: [GatewayIntentBits.Guilds], rest: { api: discord.api, offset: 0 } });
	client.on(Events.InteractionCreate, (interaction) => void answer(interaction));
	await client.login(discord.token);
	await eventually(() => expect(client.isReady()).toBe(true));
	await client.application?.commands.set([{ name: 'greet', description: 'Says hello' }]);
	const close = async () => {
		await client.destroy();
		await discord.close();
	};
	return { discord, close };
}

test('a person sees the answer of a command', async () => {
	const { discord, close } = await startBot(
		async (interaction) => interaction.isCommand() && interaction.reply('Hello'),
	);
	const ada = discord.user('ada');
	await ada.command('greet', {});
	await eventually(async () => expect(await ada.look()).toMatchObject([{ text: 'Hello', private: false }]));
	expect(discord.violations).toEqual([]);
	await close();
});

test('a bot that pings everybody is caught', async () => {
	const { discord, close } = await startBot(
		async (interaction) =>
			interaction.isCommand() &&
			interaction.reply({ content: 'Hello @everyone', allowedMentions: { parse: ['everyone'] } }),
	);
	await discord.user('ada').command('greet', {});
	await eventually(() => expect(discord.violations).toEqual([expect.stringContaining('everyone')]));
	await close();
});
