import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Command } from '../../src/bot/declaration/command.ts';
import { channelOf, withOne } from './lists.ts';
import { limitsOverage } from './overage.ts';
import { limitsSettings } from './settings.ts';

const takes = (command: Command, options: Record<string, unknown>) => command.options.safeParse(options).success;

describe('a list of channels or roles', () => {
	const ids = fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: 99 });

	test('has each once, in the order in which they came', () => {
		fc.assert(
			fc.property(ids, fc.string({ minLength: 1 }), (list, id) => {
				const longer = withOne(list, id);
				expect(longer.slice(0, list.length)).toEqual(list);
				expect(longer.filter((other) => other === id)).toHaveLength(1);
				expect(withOne(longer, id)).toEqual(longer);
			}),
		);
	});

	test('takes a hundred, and says so to who adds one more', () => {
		const full = Array.from({ length: 100 }, (_, index) => String(index));
		expect(() => withOne(full, 'another')).toThrow('At most 100 can be listed; nothing was changed.');
		expect(withOne(full, '7')).toEqual(full);
		expect(withOne(full, undefined)).toEqual(full);
	});

	test('takes the thread that is asked in as its channel', () => {
		const place = { platform: 'stage', server: '1', channel: 'studio', thread: 'fox' };
		expect(['fox', 'studio', 'lobby'].map((named) => channelOf(place, named))).toEqual(['studio', 'studio', 'lobby']);
	});
});

describe('an amount in USD', () => {
	test('is taken to the mill, with a point or a comma', () => {
		fc.assert(
			fc.property(fc.nat(100_000_000), fc.constantFrom('.', ','), (mills, point) => {
				const usd = (mills / 1000).toFixed(3).replace('.', point);
				expect(takes(limitsOverage, { usd })).toBe(true);
			}),
		);
	});

	test.each(['', '-1', '1e3', '0.0001', '100000.001', '1 000', 'five', '٣'])('is not %j', (usd) => {
		expect(takes(limitsOverage, { usd })).toBe(false);
	});
});

describe('a time zone', () => {
	test.each(['UTC', 'Europe/Berlin', ' Asia/Kolkata '])('is %j', (time_zone) => {
		expect(takes(limitsSettings, { time_zone })).toBe(true);
	});

	test.each(['+02:00', '-0500', 'Berlin', 'Europe/Nowhere', '2026-11-20'])('is not %j', (time_zone) => {
		expect(takes(limitsSettings, { time_zone })).toBe(false);
	});
});
