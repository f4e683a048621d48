import { afterEach, beforeEach, expect, test } from 'vitest';
import { answersChat } from '../../../packages/fakes/src/chat.ts';
import { smallPng } from '../../../packages/fakes/src/service.ts';
import { BotHarness } from '../../../test/harness/bot-harness.ts';
import { countersOf, dump, dyingStore, mismatches } from '../../../test/harness/stored-data.ts';
import type { Channel, Person } from '../../domain/channel.ts';
import type { Store } from '../../store/store.ts';
import { SettingsRepository } from '../../usage/settings.ts';
import type { Bot } from '../bot.ts';

const DAY = 24 * 3600_000;
const SERVER = { platform: 'test', server: 'server' };

const grace: Person = { id: 'grace-7', name: 'Grace Hopper', moderator: true, locale: 'en' };
const linus: Person = { id: 'linus', name: 'Linus', moderator: true };

let harness: BotHarness;
let now: number;
/** What the platform says about servers where the bot is no member; undefined while it cannot know it. */
let absent: Map<string, undefined | false>;
let requests = 0;
beforeEach(async () => {
	harness = await BotHarness.create();
	now = Date.now();
	absent = new Map();
});
afterEach(() => harness.close());

async function start(store: Store = harness.store): Promise<Bot> {
	const isInServer = async (server: string) => (absent.has(server) ? absent.get(server) : true);
	const platforms = [{ ...harness.platform, isInServer }];
	return harness.start({ store, platforms, now: () => now, followUpMs: 0 });
}

/** Lets days pass, and starts a bot that sweeps. */
async function startAfter(days: number): Promise<Bot> {
	now += days * DAY;
	const bot = await start();
	await bot.startSweeps();
	return bot;
}

async function invoke(bot: Bot, command: string, options: Record<string, unknown> = {}, person = grace) {
	const server = person === linus ? 'other' : 'server';
	const place = { ...harness.channel.place, server };
	const channel: Channel = { ...harness.channel, place, openThread: async () => channel };
	await bot.invoke({ id: `r${++requests}`, command, options, person, channel });
}

const stored = () => dump(harness.store);
const settingsOf = (server: string) =>
	new SettingsRepository(harness.store.space('ledger'), () => now).get({ ...SERVER, server });

test('the data of a server is erased 30 days after it removed the bot, and counts and other servers stay', async () => {
	const bot = await start();
	const [brought, other] = [await smallPng('#123456'), await smallPng('#654321')];
	for (const [person, what, image] of [
		[grace, 'secret', brought],
		[linus, 'plain', other],
	] as const) {
		await invoke(bot, 'limits settings', { log: 'channel' }, person);
		await invoke(bot, 'imagine', { prompt: `a ${what} lighthouse` }, person);
		await invoke(
			bot,
			'edit',
			{ prompt: `paint it ${what}`, image: { name: 'cat.png', read: async () => image } },
			person,
		);
		harness.faulty.next(answersChat(`A ${what} answer.`));
		await invoke(bot, 'chat', { prompt: `I say a ${what} word` }, person);
	}
	const counters = await countersOf(harness.store);
	absent.set('server', false);
	await bot.forget(SERVER);
	await bot.forget(SERVER);
	await bot.stop(1000);
	expect(await stored()).toMatch(/secret lighthouse/);

	await (await startAfter(29)).stop(1000);
	expect(await stored()).toMatch(/secret lighthouse/);
	absent.set('server', undefined);
	await (await startAfter(2)).stop(1000);
	expect(await stored()).toMatch(/secret lighthouse/);
	absent.set('server', false);
	await (await startAfter(0)).stop(1000);

	const left = await stored();
	expect(left).not.toMatch(/secret|Grace|Hopper/);
	expect(left).not.toContain(brought.toString('base64'));
	expect(left).toMatch(/plain lighthouse/);
	expect(left).toMatch(/plain word/);
	expect(left).toMatch(/Linus/);
	expect(left).toContain(other.toString('base64'));
	expect((await settingsOf('server')).logChannel).toBeUndefined();
	expect((await settingsOf('other')).logChannel).toBe('channel');
	expect(await countersOf(harness.store)).toEqual(counters);
	expect(await mismatches(harness.store)).toEqual([]);

	// The server invites the bot again later: settings can be changed, and calls be made.
	absent.clear();
	const later = await startAfter(1);
	await later.joined(SERVER);
	await invoke(later, 'limits settings', { log: 'channel' });
	await invoke(later, 'imagine', { prompt: 'a new lighthouse' });
	expect((await settingsOf('server')).logChannel).toBe('channel');
	expect(await stored()).toMatch(/a new lighthouse/);
	await later.stop(1000);
});

test('a server that returns within 30 days keeps its data, also when its return was not reported', async () => {
	for (const isReported of [true, false]) {
		const bot = await start();
		await invoke(bot, 'imagine', { prompt: 'a secret lighthouse' });
		await bot.forget(SERVER);
		if (isReported) await bot.joined(SERVER);
		await bot.stop(1000);
		await (await startAfter(31)).stop(1000);
		expect(await stored()).toMatch(/secret lighthouse/);
		expect(await harness.store.space('erasures').members('removals', { limit: 1 })).toEqual([]);
	}
});

test('a removal that was not reported is found; the settings stay, and so does everything of a server that is still used', async () => {
	const bot = await start();
	await invoke(bot, 'limits settings', { log: 'channel' });
	await invoke(bot, 'imagine', { prompt: 'a secret lighthouse' });
	absent.set('server', false);
	await (await startAfter(1)).stop(1000);
	now += 10 * DAY;
	await invoke(await start(), 'imagine', { prompt: 'an old pond' });
	await (await startAfter(21)).stop(1000);
	expect(await stored()).toMatch(/secret lighthouse/);
	await (await startAfter(1)).stop(1000);
	await (await startAfter(31)).stop(1000);
	expect(await stored()).not.toMatch(/lighthouse|pond|Grace/);
	expect((await settingsOf('server')).logChannel).toBe('channel');
	// Its receipts do not schedule it again.
	await (await startAfter(1)).stop(1000);
	expect(await harness.store.space('erasures').members('removals', { limit: 1 })).toEqual([]);
});

test('an erasure that was cut off is finished by the next sweep', async () => {
	absent.set('server', false);
	for (let cutAt = 1; ; cutAt++) {
		const bot = await start();
		await invoke(bot, 'imagine', { prompt: 'a secret lighthouse' });
		await invoke(bot, 'limits settings', { log: 'secret' });
		await bot.forget(SERVER);
		await bot.stop(0);
		now += 31 * DAY;
		const { store, arm, writes } = dyingStore(harness.store, cutAt);
		const dying = await start(store);
		arm();
		await dying.startSweeps().catch(() => {});
		await (await startAfter(0)).stop(1000);
		expect([cutAt, /lighthouse|Grace|secret/.test(await stored())]).toEqual([cutAt, false]);
		expect(await mismatches(harness.store)).toEqual([]);
		if (writes() < cutAt) break;
	}
}, 30_000);
