import { Keyv } from 'keyv';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { MessageRecords } from './message-records.ts';

type Entry = { channel: string; id?: string; private?: true };
const HOUR_MS = 3600_000;
const open = (keyv = new Keyv()) =>
	new MessageRecords<Entry>({
		keyv,
		idOf: ({ id }) => id,
		isFleeting: (entry) => entry.private === true,
		ttlMs: 30 * 24 * HOUR_MS,
		log: pino({ level: 'silent' }),
	});

test('finds a message by its key, and the key by the id', async () => {
	const records = open();
	await records.save('job:1', { channel: 'C1', id: '7' });
	expect(await records.find('job:1')).toEqual({ channel: 'C1', id: '7' });
	expect(await records.keyOf('7')).toBe('job:1');
	await records.forget('job:1', { channel: 'C1', id: '7' });
	expect([await records.find('job:1'), await records.keyOf('7')]).toEqual([undefined, undefined]);
});

test('finds a message while it is being saved', async () => {
	const records = open();
	const saving = records.save('job:1', { channel: 'C1', id: '7' });
	expect(await records.find('job:1')).toEqual({ channel: 'C1', id: '7' });
	expect(await records.keyOf('7')).toBe('job:1');
	await saving;
	expect(await records.keyOf('7')).toBe('job:1');
});

test('does not find a message that could not be saved', async () => {
	const keyv = new Keyv();
	const records = open(keyv);
	keyv.setMany = () => Promise.reject(new Error('full'));
	const entry = { channel: 'C1', id: '7' };
	await expect(records.announce('job:1', entry)).rejects.toThrow('full');
	await records.announce('job:1', entry, { withoutStore: true });
	expect(await records.save('job:1', entry)).toBe(entry);
	expect(await records.find('job:1')).toBeUndefined();
});

test('keeps a message without an id by its key alone', async () => {
	const records = open();
	await records.save('job:1', { channel: 'C1' });
	expect(await records.find('job:1')).toEqual({ channel: 'C1' });
	expect(await records.keyOf('undefined')).toBeUndefined();
	await records.forget('job:1', { channel: 'C1' });
	expect(await records.find('job:1')).toBeUndefined();
});

test.each([
	[30 * 24 * HOUR_MS, undefined],
	[HOUR_MS, true as const],
])('both entries of a message expire, after %d ms', async (ms, isPrivate) => {
	const keyv = new Keyv();
	await open(keyv).save('job:1', { channel: 'C1', id: '7', private: isPrivate });
	for (const key of ['post:job:1', 'message:7']) {
		const { expires = 0 } = (await keyv.getRaw(key)) ?? {};
		expect(expires - Date.now()).toBeGreaterThan(ms - 60_000);
		expect(expires - Date.now()).toBeLessThanOrEqual(ms);
	}
});
