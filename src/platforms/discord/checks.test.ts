import { ChannelType } from 'discord.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { commands } from '../../../commands/index.ts';
import { type DiscordFake, startDiscord } from '../../../packages/fakes/src/discord/index.ts';
import { describeCommands } from '../../bot/declaration/options.ts';
import { diagnose } from '../../doctor/diagnose.ts';
import { createLog } from '../../log.ts';
import { PROFILES } from '../../service/profiles.ts';
import { createRest, registerCommands } from './index.ts';

let discord: DiscordFake;
beforeEach(async () => {
	discord = await startDiscord({ pace: 0.02 });
});
afterEach(async () => {
	expect(discord.violations).toEqual([]);
	// Another session would take one of the day's session starts, and change commands would be for everybody.
	expect(discord.gateway.counts).toMatchObject({ identified: 0, resumed: 0 });
	await discord.close();
});

async function lines(env: Record<string, string> = {}): Promise<string[]> {
	const results = await diagnose({
		...{ PORT: '1', STORE_URL: 'memory:', DISCORD_TOKEN: discord.token, DISCORD_API_URL: discord.api },
		...env,
	});
	return results
		.filter(({ group }) => group === 'Discord')
		.map(({ level, check, message }) => `${level} ${check}: ${message}`);
}

async function register() {
	const log = await createLog({ level: 'silent', format: 'json', secrets: [] });
	const rest = createRest({ token: discord.token, apiUrl: discord.api, log });
	await registerCommands({ rest, commands: describeCommands(commands, PROFILES.easel.capabilities) });
}

test('reports a bot that is set up completely, by reading alone', async () => {
	await register();
	const before = discord.requests.length;
	expect(await lines()).toEqual([
		'ok token: Discord takes the token: Easel, in 1 server.',
		'ok intent: The Message Content intent is on.',
		'ok interactions: Commands arrive by the gateway.',
		'ok commands: The registered commands are those of this version.',
		'ok sessions: 1000 session starts are left today, and a start needs 1.',
		'ok permissions: All permissions are there in Atelier.',
		`ok invite: Invite link with the least permissions: https://discord.com/oauth2/authorize?client_id=${discord.applicationId}&scope=bot+applications.commands&permissions=377957223424`,
	]);
	expect(discord.requests.slice(before).every(({ method }) => method === 'GET')).toBe(true);
});

test('names what is missing, where, and what does not arrive', async () => {
	Object.assign(discord.settings, { identifies: 0, interactionsEndpoint: 'https://other.test/interactions' });
	discord.settings.privileged.messageContent = false;
	const everything = ['ViewChannel', 'SendMessages', 'AttachFiles', 'ReadMessageHistory'] as const;
	const club = discord.world.addServer({
		name: 'Club',
		channels: [
			'open',
			{ name: 'quiet', deny: { everyone: ['SendMessages', 'AttachFiles'] } },
			{ name: 'allowed', deny: { everyone: ['SendMessages'] }, allow: { me: ['SendMessages'] } },
			{ name: 'hidden', deny: { everyone: ['ViewChannel'] } },
			{ name: 'posts', type: ChannelType.GuildForum, deny: { Easel: ['AttachFiles'] } },
			{ name: 'voice', type: ChannelType.GuildVoice, deny: { everyone: ['SendMessages'] } },
		],
		application: everything,
	});
	expect(await lines()).toEqual([
		'ok token: Discord takes the token: Easel, in 2 servers.',
		'warning intent: The Message Content intent is off, so chat threads answer only messages that mention the bot.',
		'fault interactions: Discord sends commands to an interactions endpoint, so none reaches Easel.',
		'warning commands: The registered commands are not those of this version.',
		'warning sessions: A start needs 1 session starts, and 0 are left today.',
		'ok permissions: All permissions are there in Atelier.',
		`warning permissions: ${club.name}: Create Private Threads is missing in the whole server.`,
		'warning permissions: Club: Send Messages is missing in #quiet.',
		'warning permissions: Club: Attach Files is missing in #quiet and #posts.',
		expect.stringMatching(/^ok invite: /),
	]);
});

test('names a token that Discord does not accept, and skips what it would answer', async () => {
	const answered = await lines({ DISCORD_TOKEN: 'MTIzNDU2Nzg5.Easel1.not-the-right-token-at-all' });
	expect(answered[0]).toBe('fault token: Discord does not accept the token.');
	expect(answered.slice(1)).toHaveLength(6);
	expect(answered.slice(1).every((line) => line.startsWith('skipped '))).toBe(true);
	expect(answered.join()).not.toContain('not-the-right');
});
