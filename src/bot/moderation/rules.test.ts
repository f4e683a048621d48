import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { answers, answersPictures, diesAfterReading, held } from '../../../packages/fakes/src/service.ts';
import { ada, BotHarness, hasPictures, moderator } from '../../../test/harness/bot-harness.ts';
import type { Bot } from '../bot.ts';

const DAY_MS = 24 * 3600_000;

describe('in a server with rules', () => {
	let harness: BotHarness;
	let bot: Bot;
	let clock: number;
	let count = 0;

	beforeEach(async () => {
		clock = Date.UTC(2026, 10, 20, 12);
		harness = await BotHarness.create();
		bot = await harness.start({ plan: { imagesPerMonth: 2, price: 30 }, now: () => clock });
	});
	afterEach(() => harness.close());

	/** Returns the text of the answer. */
	async function run(command: string, options: Record<string, unknown>, person = ada): Promise<string> {
		const id = `request-${count++}`;
		await bot.invoke({ id, command, options, person, channel: harness.channel });
		return harness.seen(id)?.text ?? '';
	}
	const draw = () => run('imagine', { prompt: 'a pond' });

	test('a call beyond the plan is made only when moderators allow its cost', async () => {
		expect(await draw()).toMatch(/1 of 2 left this month in the plan/);
		await draw();
		expect(await draw()).toMatch(/The plan has used 2 of 2 calls this month.*Resets/);
		await run('limits overage', { usd: '0.05' }, moderator);
		expect(await draw()).toMatch(/a pond/);
		expect(await draw()).toMatch(/spent 0.03 USD of 0.05 USD beyond it this month/);
		expect(harness.faulty.requests).toHaveLength(3);
		expect(await run('usage', {})).toMatch(/Spending beyond the plan: 0.03 USD of 0.05 USD/);
	});

	test("a call is given back when the service's own plan is used up", async () => {
		harness.faulty.next(answers(402, '{"error":{"message":"no credit left"}}'));
		expect(await draw()).toMatch(/plan at the image service is used up.*Nothing was counted/);
		expect(await run('usage', {})).toMatch(/Plan this month: 0 of 2 used, 2 left/);
	});

	test('a blocked member is refused until a moderator lifts it', async () => {
		await run('limits block', { member: 'ada' }, moderator);
		expect(await draw()).toMatch(/A moderator has blocked you/);
		expect(await run('limits unblock', { member: 'ada' }, moderator)).toMatch(/no longer blocked/);
		expect(await draw()).toMatch(/a pond/);
	});

	test('a moderator tries a list of banned words without changing anything', async () => {
		await run('limits ban', { words: 'penguin, red fox' }, moderator);
		expect(await run('limits ban', { test: 'two P3NGU1NS' }, moderator)).toMatch(
			/refused for 1 word:.*Nothing was changed\.\n- `penguin`: `penguins` with digits/,
		);
		expect(await run('limits ban', { test: 'an owl' }, moderator)).toMatch(/No banned word is in this prompt/);
		expect(await run('limits ban', { test: 'an owl', words: 'owl' }, moderator)).toMatch(/- `owl`: it contains it/);
		expect(await run('limits show', {}, moderator)).toMatch(/Banned words: 2/);
		expect(await run('limits ban', {}, moderator)).toMatch(/Give words or phrases/);
	});

	test('a grant raises the cap of one member in the running day', async () => {
		await run('limits set', { scope: 'member', period: 'day', images: 1 }, moderator);
		await run('limits overage', { usd: '5' }, moderator);
		await draw();
		expect(await draw()).toMatch(/You have used 1 of 1 call today/);
		expect(await run('limits grant', { member: 'ada', images: 1 }, moderator)).toMatch(
			/ada.* may make 1 call beyond their cap today\. Resets/i,
		);
		expect(await draw()).toMatch(/a pond/);
		expect(await draw()).toMatch(/You have used 2 of 2 calls today/);
		expect(await run('limits show', {}, moderator)).toMatch(
			/limits grant; \+ .*ada.*: 1 call beyond the cap of the day/i,
		);
		clock += DAY_MS;
		await draw();
		expect(await draw()).toMatch(/You have used 1 of 1 call today/);
		const granted = await run('limits grant', { member: 'ada', images: 2, usd: '0.5', period: 'month' }, moderator);
		expect(granted).toMatch(
			/may make 2 calls beyond their cap this month.*may spend 0\.50 USD beyond their cap this month/is,
		);
		expect(await run('limits grant', { member: 'ada', usd: '1', period: 'month' }, moderator)).toMatch(
			/spend 1\.50 USD/,
		);
		expect(await run('limits show', {}, moderator)).toMatch(
			/\+ .*ada.*: 2 calls beyond the cap of the month; .*ada.*: 1\.50 USD beyond the cap of the month/i,
		);
	});

	test('a refund gives back calls of unknown outcome to the caps of the server, once', async () => {
		await run('limits set', { scope: 'member', period: 'day', images: 1 }, moderator);
		harness.faulty.next(diesAfterReading);
		expect(await draw()).toMatch(/stays counted/);
		expect(await draw()).toMatch(/You have used 1 of 1 call today/);
		expect(await run('limits refund', { member: 'ada' }, moderator)).toMatch(
			/1 call of unknown outcome of .*ada.* no longer counts.*The plan still counts it/i,
		);
		expect(await run('limits refund', { member: 'ada' }, moderator)).toMatch(/no calls of unknown outcome/);
		expect(await run('limits show', {}, moderator)).toMatch(/limits refund; 1 call of unknown outcome of .*ada/i);
		expect(await run('usage', {})).toMatch(/Plan this month: 1 of 2 used/);
		expect(await draw()).toMatch(/a pond/);
	});

	test('settings say what changed first, and a cap that is used already says so', async () => {
		expect(await run('limits settings', { time_zone: 'Europe/Berlin', cooldown: 5 }, moderator)).toMatch(
			/^\*\*Changed\*\*\n- Time zone: Europe\/Berlin \(before: UTC\)\n- Requests of a member at once: .*5 s \(before: .*none\)\n\*\*Rules\*\*/s,
		);
		expect(await run('limits settings', { off: 'cooldown' }, moderator)).toMatch(/cooldown: none \(before: .*5 s\)/);
		expect(await run('limits settings', { off: 'cooldown' }, moderator)).toMatch(/^Nothing has changed/);
		expect(await run('limits show', {}, moderator)).toMatch(
			/limits settings; Time zone: Europe\/Berlin \(before: UTC\)/,
		);
		await draw();
		expect(await run('limits set', { scope: 'server', period: 'day', images: 1 }, moderator)).toMatch(
			/Already used today: 1, so no more calls are allowed until it resets/,
		);
	});

	test('a cooldown says how long to wait', async () => {
		await run('limits settings', { cooldown: 60 }, moderator);
		await draw();
		clock += 20_000;
		expect(await draw()).toMatch(/Try again in 40 s/);
		clock += 40_000;
		expect(await draw()).toMatch(/a pond/);
	});

	test('the third request of a member waits in line, and its status says so', async () => {
		await run('limits overage', { usd: '1' }, moderator);
		const running = [held(answersPictures(harness.png)), held(answersPictures(harness.png))];
		harness.faulty.next(...running.map(({ behaviour }) => behaviour));
		const all = [draw(), draw(), draw()];
		await harness.faulty.arrived(2);
		await expect
			.poll(() => [...harness.messages.values()].map(({ text }) => text).join())
			.toMatch(/waiting, next in line/);
		for (const { release } of running) release();
		await Promise.all(all);
		expect(harness.faulty.requests).toHaveLength(3);
	});

	test('banned words stay within their limits', async () => {
		const list = (from: number, count: number) => Array.from({ length: count }, (_, index) => `word${from + index}`);
		const ban = (words: string[]) => run('limits ban', { words: words.join(', ') }, moderator);
		for (const from of [0, 100, 200, 300]) await ban(list(from, 100));
		expect(await ban(list(400, 101))).toBe('The list is full; the maximum is 500 words. Nothing was changed.');
		expect(await ban([...list(0, 50), ...list(400, 100)])).toBe('- Banned words: 500');
		expect(await ban(['one more'])).toMatch(/maximum is 500/);
		expect(await run('imagine', { prompt: 'a word499' })).toMatch(/moderators have banned/);
		expect(await draw()).toMatch(/a pond/);
		expect(await run('limits show', {}, moderator)).toMatch(/Banned words: 500.*mod: limits ban/s);
	});

	test("the server's own rules are applied before anything is counted, and do not apply when they cannot be read", async () => {
		await run('limits settings', { cooldown: 60 }, moderator);
		harness.channel.screen = async (text, { id }) =>
			text.includes('pond') ? { name: 'Ponds', message: `Not for ${id}.` } : undefined;
		expect(await draw()).toBe('Not for ada.');
		harness.channel.screen = () => Promise.reject(new Error('Service Unavailable'));
		expect(await draw()).toMatch(/a pond/);
		expect(await draw()).toMatch(/Try again in 60 s/);
		expect(harness.faulty.requests).toHaveLength(1);
	});

	test('settings of an older version still apply', async () => {
		await run('limits set', { scope: 'member', period: 'day', images: 1 }, moderator);
		const { keyv } = harness.store.space('ledger');
		const key = 'settings:test:server';
		const { settings, ...stored } = (await keyv.get(key)) as { settings: object };
		const older = Object.entries(settings).filter(([name]) => !/^(allowed|banned|spoiler)/.test(name));
		await keyv.set(key, { ...stored, settings: Object.fromEntries(older) });
		expect(await draw()).toMatch(/a pond/);
		expect(await draw()).toMatch(/You have used 1 of 1/);
		expect(await run('limits show', { all: true }, moderator)).toMatch(/Allowed channels: all.*Banned words: none/s);
	});

	test('results that could not be delivered are covered when they are collected, and can be removed in the moderation log', async () => {
		await run('limits spoiler', { on: true }, moderator);
		await run('limits settings', { log: 'staff' }, moderator);
		harness.refuses.edit = hasPictures;
		harness.refuses.post = (reply) => hasPictures(reply) && !reply.text.includes('/imagine');
		for (const id of ['one', 'two']) await bot.invoke(harness.imagine(id));
		await expect
			.poll(() => harness.seen('log.two')?.text)
			.toMatch(/by ada: a pond\nIn channel · .*\/usage offers them/);
		expect(harness.seen('log.two')?.buttons?.map(({ label }) => label)).toEqual(['Remove', 'Block']);
		await harness.press(bot, 'remove', 'confirmRemove:1:one', 'log.one', moderator);
		expect(harness.seen('log.one')?.text).toMatch(/Removed by mod\./);
		harness.refuses.post = () => false;
		await harness.press(bot, 'collect', 'collect:1:mine', 'usage', ada);
		const [first, ...others] = harness.collected('collect').map((key) => harness.seen(key));
		expect(first?.pictures).toMatchObject([{ alt: 'a pond', spoiler: true }]);
		expect(others).toEqual([]);
		await harness.press(bot, 'late', 'hide:1:three', 'log.three', moderator);
		expect(harness.seen('late')?.text).toMatch(/no longer stored/);
	});

	test('the person who asked reads in their language that a result was removed, alone where only they saw it', async () => {
		await run('limits settings', { log: 'staff' }, moderator);
		const direct: string[] = [];
		harness.platform.direct = async (_, { id }) => ({
			...harness.channel,
			async post(reply, key) {
				direct.push(`${id}: ${reply.text}`);
				return harness.channel.post(reply, key);
			},
		});
		const person = { ...ada, locale: 'de' };
		await bot.invoke({ ...harness.imagine('shared'), person });
		await bot.invoke({ ...harness.imagine('alone', { private: true }), person });
		for (const id of ['shared', 'alone']) {
			await expect.poll(() => harness.seen(`log.${id}`)?.text).toBeDefined();
			await harness.press(bot, `remove-${id}`, `confirmRemove:1:${id}`, `log.${id}`, moderator);
			expect(harness.seen(id)).toBeUndefined();
		}
		expect(harness.seen('shared.removed')?.text).toBe(
			'ada, die Moderation hat dein Bild entfernt. Der Aufruf bleibt gezählt.',
		);
		expect(direct).toEqual(['ada: Die Moderation hat dein Bild entfernt: a pond\nDer Aufruf bleibt gezählt.']);
	});

	test('moderators are notified once at 80 % and at 100 %, and of the first cost', async () => {
		await run('limits settings', { notices: 'staff' }, moderator);
		await run('limits set', { scope: 'server', period: 'day', images: 5 }, moderator);
		await run('limits overage', { usd: '1' }, moderator);
		for (let i = 0; i < 6; i++) await draw();
		const notices = [...harness.messages].filter(([key]) => !key.startsWith('request-')).map(([, { text }]) => text);
		expect(notices.toSorted()).toEqual([
			'The plan has used 2 of 2 calls this month. The cap is reached.',
			'The plan is used up. Further pictures cost extra (0.03 USD so far).',
			'This server has used 4 of 5 calls today.',
			'This server has used 5 of 5 calls today. The cap is reached.',
		]);
	});

	test('moderators are notified in the language of their settings', async () => {
		await run('limits settings', { notices: 'staff', language: 'Español' }, moderator);
		expect(await run('limits show', {}, { ...moderator, locale: 'de' })).toMatch(/Sprache der Hinweise.*: Spanisch/);
		await run('limits set', { scope: 'channel', period: 'month', images: 1 }, moderator);
		await run('imagine', { prompt: 'a pond' }, { ...ada, locale: 'ru' });
		await expect
			.poll(() => [...harness.messages.values()].map(({ text }) => text))
			.toContain('Un canal ha usado 1 de 1 llamada este mes. Se ha alcanzado el límite.');
		expect(await run('limits settings', { language: 'Klingon' }, moderator)).toMatch(
			/`language` must be one of English, /,
		);
	});

	test('changes of settings are recorded with their author and time', async () => {
		await run('limits set', { scope: 'member', period: 'day', images: 3 }, moderator);
		expect(await run('limits show', {}, moderator)).toMatch(
			/Latest changes.*2026-11-20T12:00:00.000Z mod: limits set/s,
		);
	});

	test('only moderators see the usage of others', async () => {
		await draw();
		expect(await run('usage', { member: 'ada' }, moderator)).toMatch(/Usage of ada:.*ada today: 1/s);
		expect(await run('usage', { member: 'mod' })).toMatch(/Only moderators/);
	});
});
