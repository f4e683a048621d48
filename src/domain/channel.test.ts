import { expect, test } from 'vitest';
import { servesPlaceOf } from './channel.ts';

const at = (server: string, platform = 'discord') => ({ platform, server });

test.for([
	['no lists serve all', { allowed: [], denied: [] }, { one: true, two: true, 'user:ada': true }],
	['only allowed servers are served', { allowed: ['one'], denied: [] }, { one: true, two: false, 'user:ada': false }],
	['denied servers are not served', { allowed: [], denied: ['two'] }, { one: true, two: false, 'user:ada': true }],
] as const)('%s', ([_, lists, expected]) => {
	const serves = servesPlaceOf(lists);
	for (const [server, isServed] of Object.entries(expected)) expect(serves(at(server)), server).toBe(isServed);
	expect(serves(at('atelier', 'sandbox'))).toBe(true);
});
