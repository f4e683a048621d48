import { expect, test } from 'vitest';
import type { Place } from '../../domain/place.ts';
import { Cooldowns } from './cooldowns.ts';

const place: Place = { platform: 'test', server: 'club', channel: 'general' };
const ada = { id: 'ada' };

test('a member waits until the cooldown is over, and attempts do not extend it', () => {
	let now = 0;
	const cooldowns = new Cooldowns(() => now);
	expect(cooldowns.start(place, ada, 60)).toBe(0);
	now = 30_500;
	expect(cooldowns.start(place, ada, 60)).toBe(30);
	now = 60_000;
	expect(cooldowns.start(place, ada, 60)).toBe(0);
	expect(cooldowns.start(place, ada, 60)).toBe(60);
});

test('a cooldown is for one member of one server, in all its channels', () => {
	const cooldowns = new Cooldowns(() => 0);
	cooldowns.start(place, ada, 60);
	expect(cooldowns.start({ ...place, channel: 'elsewhere' }, ada, 60)).toBe(60);
	expect(cooldowns.start({ ...place, server: 'other' }, ada, 60)).toBe(0);
	expect(cooldowns.start(place, { id: 'bjorn' }, 60)).toBe(0);
});

test('without a cooldown nothing is remembered', () => {
	const cooldowns = new Cooldowns(() => 0);
	expect(cooldowns.start(place, ada, 0)).toBe(0);
	expect(cooldowns.start(place, ada, 60)).toBe(0);
});
