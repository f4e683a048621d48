import { describe, expect, test } from 'vitest';
import type { Place } from '../domain/channel.ts';
import type { Limit } from '../domain/job.ts';
import { layersOf, type Plan, serverLayers } from './caps.ts';
import { DEFAULT_SETTINGS } from './settings.ts';

const PLACE: Place = { platform: 'test', server: 'club', channel: 'general' };

/** 30 November 2026, 23:30 UTC, which is 1 December in Tokyo. */
const AT = Date.UTC(2026, 10, 30, 23, 30);

function layers(
	limits: Limit[],
	{ place = PLACE, roles = [] as string[], what = 'pictures' as const, counts = 'images' } = {},
): string[] {
	const settings = { ...DEFAULT_SETTINGS, timeZone: 'Asia/Tokyo', limits };
	return serverLayers(settings, place, { id: 'ada', roles }, AT, what)
		.filter(({ unit }) => unit === counts)
		.map(({ name, key, limit }) => `${name} ${key} ${limit ?? '-'}`);
}

describe("a server's layers", () => {
	test('are server, channel and member, counted in its own days and months', () => {
		expect(layers([])).toEqual([
			'server count:test:club:server:2026-12-01 -',
			'server count:test:club:server:2026-12 -',
			'channel count:test:club:channel:general:2026-12-01 -',
			'channel count:test:club:channel:general:2026-12 -',
			'member count:test:club:member:ada:2026-12-01 -',
			'member count:test:club:member:ada:2026-12 -',
		]);
	});

	test('count money beside calls, with caps of their own', () => {
		const limits: Limit[] = [
			{ scope: 'server', period: 'month', images: 9, usd: 5_000_000 },
			{ scope: 'channel', target: 'general', period: 'day', images: 3 },
			{ scope: 'channel', period: 'day', usd: 700_000 },
			{ scope: 'role', target: 'painters', period: 'day', usd: 300_000 },
			{ scope: 'member', period: 'day', images: 4, usd: 100_000 },
		];
		expect(layers(limits, { counts: 'usd', roles: ['painters'] })).toEqual([
			'server usd:test:club:server:2026-12-01 -',
			'server usd:test:club:server:2026-12 5000000',
			'channel usd:test:club:channel:general:2026-12-01 700000',
			'channel usd:test:club:channel:general:2026-12 -',
			'role usd:test:club:member:ada:2026-12-01 300000',
			'member usd:test:club:member:ada:2026-12 -',
		]);
		const ofCalls = layers(limits, { roles: ['painters'] });
		expect(ofCalls).toContain('channel count:test:club:channel:general:2026-12-01 3');
		expect(ofCalls).toContain('member count:test:club:member:ada:2026-12-01 4');
	});

	test('have the cap of the channel itself, or the default for channels', () => {
		const forAll: Limit = { scope: 'channel', period: 'day', images: 9 };
		const forThis: Limit = { scope: 'channel', target: 'general', period: 'day', images: 3 };
		const key = 'channel count:test:club:channel:general:2026-12-01';
		expect(layers([forAll])).toContain(`${key} 9`);
		expect(layers([forAll, forThis])).toContain(`${key} 3`);
		expect(layers([{ ...forThis, target: 'gallery' }])).toContain(`${key} -`);
	});

	test("count a role's cap on the member's own counter", () => {
		const limits: Limit[] = [
			{ scope: 'member', period: 'day', images: 1 },
			{ scope: 'role', target: 'painters', period: 'day', images: 3 },
		];
		const key = 'count:test:club:member:ada:2026-12-01';
		expect(layers(limits, { roles: ['painters'] })).toContain(`role ${key} 3`);
		expect(layers(limits)).toContain(`member ${key} 1`);
	});

	test('are one member counter in a place that belongs to one person', () => {
		expect(layers([], { place: { ...PLACE, server: 'user:ada' } })).toEqual([
			'member count:test:user:ada:member:2026-12-01 -',
			'member count:test:user:ada:member:2026-12 -',
		]);
	});
});

test('the plan and the money beyond it are counted in months of UTC', () => {
	const settings = { ...DEFAULT_SETTINGS, timeZone: 'Asia/Tokyo', overageMills: 70 };
	const all = (plan: Plan) => layersOf(plan, settings, PLACE, { id: 'ada' }, AT);
	const ofMoney = all({ imagesPerMonth: 100, price: 30 }).slice(0, 2);
	expect(all({ price: 30 }).map(({ name }) => name)).not.toContain('plan');
	expect(ofMoney).toMatchObject([
		{ key: 'count:plan:2026-11', limit: 100 },
		{ key: 'usd:beyond:test:club:2026-11', limit: 70_000 },
	]);
});
