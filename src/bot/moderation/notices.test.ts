import { beforeEach, expect, test } from 'vitest';
import type { Channel, Place } from '../../domain/channel.ts';
import { Easel } from '../../easel.ts';
import { createLog } from '../../log.ts';
import type { Service } from '../../service/service.ts';
import { openStore } from '../../store/open-store.ts';
import type { UsageStatus } from '../../usage/caps.ts';
import { DEFAULT_SETTINGS } from '../../usage/settings.ts';
import { notifyOfUsage } from '../messages/usage-messages.ts';

const place: Place = { platform: 'test', server: 'club', channel: 'general', thread: 't1' };

const DAY_MS = 24 * 3600_000;
const MONTH = { id: '2026-11', startsAt: Date.UTC(2026, 10, 1), resetsAt: Date.UTC(2026, 11, 1) };

let now: number;
let posted: { place: Place; text: string }[];
let easel: Easel;

beforeEach(async () => {
	now = MONTH.startsAt;
	posted = [];
	const log = await createLog({ level: 'silent', format: 'json', secrets: [] });
	const given = {
		store: await openStore('memory:'),
		service: {} as Service,
		platforms: [],
		commands: [],
		log,
		plan: { price: 0 },
	};
	easel = new Easel({ ...given, now: () => now });
	easel.platforms.open = async (where) =>
		({ post: async ({ text }: { text: string }) => void posted.push({ place: where, text }) }) as unknown as Channel;
});

const usage = (used: number, more: { [Key in keyof UsageStatus]?: UsageStatus[Key] | undefined } = {}) =>
	[
		{ name: 'server', key: 'server:day:1', limit: 10, used, period: 'day', window: MONTH, ...more },
	] as unknown as UsageStatus[];
const notify = (statuses: UsageStatus[]) =>
	notifyOfUsage(easel, place, statuses, { ...DEFAULT_SETTINGS, noticeChannel: 'mods' });
const texts = () => posted.map(({ text }) => text);

test('a cap is noticed once when it is near and once when it is reached', async () => {
	for (const used of [7, 8, 9, 9, 10, 10]) await notify(usage(used));
	expect(texts()).toEqual([expect.stringContaining('8 of 10'), expect.stringContaining('10 of 10')]);
	expect(posted[0]?.place).toEqual({ platform: 'test', server: 'club', channel: 'mods' });
});

test('a cap in money is noticed in dollars, and forecast', async () => {
	const money = (used: number, more = {}) => notify(usage(used, { unit: 'usd', limit: 2_000_000, ...more }));
	await money(1_650_000);
	await money(2_000_000);
	now = MONTH.startsAt + 10 * DAY_MS;
	await money(1_000_000, { period: 'month', key: 'server:month:11' });
	expect(texts()).toEqual([
		'This server has spent 1.65 USD of 2.00 USD today.',
		'This server has spent 2.00 USD of 2.00 USD today. The cap is reached.',
		expect.stringMatching(/At this pace.*this server has spent 1\.00 USD of 2\.00 USD\./),
	]);
});

test('a cap that is reached at once is not noticed as near afterwards', async () => {
	await notify(usage(10));
	await notify(usage(9));
	expect(texts()).toHaveLength(1);
});

test('each window, and each change of a cap, has its own notices', async () => {
	await notify(usage(10));
	await notify(usage(10, { key: 'server:day:2' }));
	await notify(usage(12, { limit: 12 }));
	expect(texts()).toHaveLength(3);
});

test('caps of one member, and layers without a cap, are not noticed', async () => {
	await notify([...usage(10, { name: 'member' }), ...usage(10, { name: 'role' })]);
	await notify(usage(10, { limit: undefined }));
	expect(texts()).toEqual([]);
});

test('the first money of a month is noticed once', async () => {
	const overage = (used: number) => usage(used, { name: 'overage', key: 'overage:month:1' });
	await notify(overage(0));
	await notify(overage(30_000));
	await notify(overage(60_000));
	expect(texts()).toEqual([expect.stringContaining('0.03')]);
});

test('the pace of a month that will use up its cap is noticed once a day at most, and for each date once', async () => {
	const month = (used: number) => notify(usage(used, { limit: 100, period: 'month', key: 'server:month:11' }));
	now = MONTH.startsAt + 2 * DAY_MS;
	await month(60);
	now = MONTH.startsAt + 10 * DAY_MS;
	for (const used of [19, 30, 50, 52, 60]) await month(used);
	expect(texts()).toEqual([
		expect.stringMatching(/At this pace, .* is used up on November 21: this server has used 50 of 100 calls/),
	]);
	now += DAY_MS;
	for (const used of [55, 55, 60]) await month(used);
	expect(texts().slice(1)).toEqual([expect.stringContaining('60 of 100')]);
	await month(80);
	expect(texts().at(-1)).toContain('80 of 100');
	expect(texts()).toHaveLength(3);
});
