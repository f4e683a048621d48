import { AttachmentBuilder } from 'discord.js';
import { describe, expect } from 'vitest';
import { eventually } from '../../eventually.ts';
import { answerCommands, codeOf, fetchChannel, test } from '../client.fixture.ts';
import { apiErrors } from './errors.ts';

describe('the REST API', () => {
	test('reports tokens that are missing or in the wrong place', async ({ discord, login }) => {
		await login();
		await fetch(`${discord.api}/v10/users/@me`);
		await fetch(`${discord.cdn}/attachments/1/2/a.png`, { headers: { authorization: `Bot ${discord.token}` } });
		expect(discord.violations.join('\n')).toMatch(/User-Agent.*401: Unauthorized.*CDN/s);
	});

	test('delays uploads and expires tokens on demand', async ({ discord, login }) => {
		const arrived = discord.faults.slow({ method: 'PATCH' });
		const codes: unknown[] = [];
		await answerCommands(login, async (command) => {
			await command.deferReply();
			codes.push(
				await codeOf(command.editReply({ files: [new AttachmentBuilder(Buffer.from('a'), { name: 'a.txt' })] })),
			);
			discord.faults.expireTokens();
			codes.push(await codeOf(command.editReply('more')));
		});
		const ada = discord.user('ada');
		await ada.command('ask', {});
		expect(await ada.look()).toMatchObject([{ files: [] }]);
		arrived();
		await eventually(() => expect(codes).toEqual(['accepted', 50027]));
		expect(await ada.look()).toMatchObject([{ files: ['a.txt'] }]);
	});
});

describe('rate limits', () => {
	test('are in headers, so that the client waits and is never refused', async ({ discord, login }) => {
		const { client } = await login();
		const channel = await fetchChannel(discord, client);
		await Promise.all(Array.from({ length: 12 }, (_, n) => channel.send(`${n}`)));
		expect((await discord.user('ada').look()).map(({ text }) => Number(text))).toEqual([...Array(12).keys()]);
		expect(discord.requests.filter(({ status }) => status === 429)).toEqual([]);
	});

	test('refuse with the time to wait, for one channel or globally', async ({ discord }) => {
		discord.settings.pace = 1;
		const headers = {
			authorization: `Bot ${discord.token}`,
			'user-agent': 'DiscordBot (test, 1)',
			'content-type': 'application/json',
		};
		const typing = (name: string, path: string, body = '{}') =>
			fetch(`${discord.api}/v10/channels/${discord.world.channel(name).id}/${path}`, { method: 'POST', headers, body });
		for (let n = 0; n < 5; n++) await typing('general', 'messages', '{"content":"hello"}');
		const refused = await typing('general', 'messages', '{"content":"hello"}');
		expect(refused.status).toBe(429);
		expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(4);
		expect(refused.headers.get('x-ratelimit-scope')).toBe('user');
		expect((await typing('after-dark', 'messages', '{"content":"hello"}')).status).toBe(200);
		discord.clock.advance(5000);
		expect((await typing('general', 'messages', '{"content":"hello"}')).status).toBe(200);
		const all = await Promise.all(Array.from({ length: 60 }, () => typing('general', 'typing')));
		const globally = all.filter(({ headers }) => headers.get('x-ratelimit-global') === 'true');
		expect(globally.length).toBeGreaterThan(0);
	});

	test('are followed by a ban of ten minutes after too many invalid requests', async ({ discord }) => {
		discord.settings.invalidRequestLimit = 3;
		discord.faults.add({}, { answer: apiErrors.sharedRateLimit() });
		const statusWith = async (token: string) => {
			const headers = { authorization: `Bot ${token}`, 'user-agent': 'DiscordBot (test, 1)' };
			return (await fetch(`${discord.api}/v10/users/@me`, { headers })).status;
		};
		expect(await statusWith(discord.token)).toBe(429);
		for (let n = 0; n < 3; n++) expect(await statusWith('another')).toBe(401);
		expect(discord.violations).toEqual([]);
		expect(await statusWith(discord.token)).toBe(429);
		expect(discord.violations).toEqual([expect.stringMatching(/banned/)]);
		discord.clock.advance(10 * 60_000);
		expect(await statusWith(discord.token)).toBe(200);
	});
});
