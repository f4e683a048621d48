import { expect, test } from 'vitest';
import { EventHub } from './events.ts';

test('a page that does not read is disconnected, and others are not', async () => {
	const hub = new EventHub();
	const slow = hub.stream('ada');
	const quick = hub.stream('ada').getReader();
	for (let number = 1; number <= 600; number += 1) {
		await quick.read();
		hub.publish({ name: 'message', data: number });
	}
	let chunks = 0;
	for await (const _ of slow) chunks += 1;
	expect(chunks).toBe(500);
	expect(new TextDecoder().decode((await quick.read()).value)).toContain('data: 600\n');
	hub.close();
	expect((await quick.read()).done).toBe(true);
});

test('the stream that was opened first ends when there are too many', async () => {
	const hub = new EventHub();
	const [first, ...others] = Array.from({ length: 101 }, () => hub.stream('ada').getReader());
	for (const reader of [first, ...others]) await reader?.read();
	hub.publish({ name: 'message', data: 1 });
	expect((await first?.read())?.done).toBe(true);
	for (const reader of others) expect((await reader.read()).done).toBe(false);
	hub.close();
});
