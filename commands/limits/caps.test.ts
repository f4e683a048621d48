import { expect, test } from 'vitest';
import type { Command, Context } from '../../src/bot/declaration/command.ts';
import { refundCalls, unknownCalls } from '../../src/bot/moderation/refund-calls.ts';
import type { Show } from '../../src/domain/channel.ts';
import type { Limit } from '../../src/domain/job.ts';
import { translatorFor } from '../../src/i18n/translator.ts';
import { createLedgerFixture, MODERATOR, PLACE } from '../../src/usage/ledger.fixture.ts';
import { commands } from '../index.ts';

async function createServer() {
	const fixture = await createLedgerFixture();
	const { easel } = fixture;
	const show = { refer: (_: string, id: string) => id, when: String } as Show;
	const run = async (name: string, options: Record<string, unknown>) => {
		const command = commands.find((each) => each.name === name) as Command;
		const context = { easel, person: { ...MODERATOR, moderator: true }, place: PLACE, show, t: translatorFor('en') };
		return command.run({ ...context, options } as Context);
	};
	return { ...fixture, run };
}

test('a cap replaces the one with the same scope, target, period and kind of call', async () => {
	const { settings, run } = await createServer();
	const caps: Limit[] = [
		{ scope: 'member', period: 'day', images: 1 },
		{ scope: 'member', period: 'day', images: 2 },
		{ scope: 'member', period: 'month', images: 3 },
		{ scope: 'member', target: 'ada', period: 'day', images: 4 },
		{ what: 'chat', scope: 'member', period: 'day', images: 5 },
	];
	for (const { target: member, ...cap } of caps) await run('limits set', { ...cap, member });
	expect((await settings.get(PLACE)).limits).toEqual(caps.slice(1));
	expect(await run('limits clear', { scope: 'member', period: 'day' })).toContain('Removed');
	expect(await run('limits clear', { scope: 'member', period: 'day' })).toContain('no such cap');
	expect((await settings.get(PLACE)).limits).toEqual(caps.slice(2));
	expect((await settings.audit(PLACE, 2)).map(({ version, command }) => `${version} ${command}`)).toEqual([
		'6 limits clear',
		'5 limits set',
	]);
});

test("a channel's cap counts the calls that its window has already seen", async () => {
	const { run, granted, denied, sent, settle, used, verify } = await createServer();
	await granted();
	await settle(await sent(await granted()), 'failed', 0);
	await granted('bjorn', { channel: 'gallery' });
	expect(await used('channel', 'day')).toBeUndefined();
	const cap = { scope: 'channel', channel: PLACE.channel, period: 'day' };
	expect(await run('limits set', { ...cap, images: 1 })).toContain('1 call');
	expect(await run('limits set', { ...cap, images: 2 })).not.toContain('1 call');
	await granted();
	expect(await denied()).toBe('channel day 2/2');
	expect(await verify()).toEqual([]);
});

test('chosen calls of unknown outcome are given back once, with one change for each member in the log', async () => {
	const { easel, settings, granted, sent, settle, used, verify } = await createServer();
	for (const member of ['ada', 'ada', 'bob']) await settle(await sent(await granted(member)), 'unknown', 0);
	expect(await unknownCalls(easel, PLACE, 2)).toHaveLength(2);
	const chosen = new Set((await unknownCalls(easel, PLACE, 9)).slice(1).map(({ id }) => id));
	const find = async () => (await unknownCalls(easel, PLACE, 9)).filter(({ id }) => chosen.has(id));
	const refunds = [MODERATOR, MODERATOR].map((by) => refundCalls(easel, PLACE, by, find));
	expect(await Promise.all(refunds)).toEqual([2, 0]);
	expect(await used('server', 'month')).toBe(1);
	expect((await settings.audit(PLACE, 2)).map(({ refund }) => refund)).toEqual([
		{ member: 'bob', calls: 1 },
		{ member: 'ada', calls: 1 },
	]);
	expect(await verify()).toEqual([]);
});
