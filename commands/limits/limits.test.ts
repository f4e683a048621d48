import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Command } from '../../src/bot/declaration/command.ts';
import { limitsOverage } from './caps.ts';
import { channelOf, withEntry } from './moderator-command.ts';
import { limitsSettings } from './settings.ts';

const takes = (command: Command, options: Record<string, unknown>) => command.options.safeParse(options).success;

describe('a list of channels or roles', () => {
	const ids = fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: 99 });

	test('keeps its order, and has each entry once', () => {
		fc.assert(
			fc.property(ids, fc.string({ minLength: 1 }), (list, id) => {
				const longer = withEntry(list, id);
				expect(longer.slice(0, list.length)).toEqual(list);
				expect(longer.filter((other) => other === id)).toHaveLength(1);
				expect(withEntry(longer, id)).toEqual(longer);
			}),
		);
	});

	test('has at most 100 entries', () => {
		const full = Array.from({ length: 100 }, (_, index) => String(index));
		expect(() => withEntry(full, 'another')).toThrow('The list is full; the maximum is 100. Nothing was changed.');
		expect(withEntry(full, '7')).toEqual(full);
		expect(withEntry(full, undefined)).toEqual(full);
	});

	test('counts a thread as its channel', () => {
		const place = { platform: 'test', server: '1', channel: 'studio', thread: 'fox' };
		expect(['fox', 'studio', 'lobby'].map((id) => channelOf(place, id))).toEqual(['studio', 'studio', 'lobby']);
	});
});

describe('an amount in USD', () => {
	test('has up to three decimals, after a point or a comma', () => {
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
