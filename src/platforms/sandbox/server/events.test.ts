import { expect, test } from 'vitest';
import { createHub } from './events.ts';

test('a page that was away too long is told to load anew, one that was not catches up', async () => {
	const hub = createHub();
	const start = hub.cursor();
	for (let number = 1; number <= 1000; number += 1) hub.publish({ name: 'message', data: number });
	expect(await firstText(hub.stream(start, 'ada'))).toContain('data: 1\n');
	hub.publish({ name: 'message', data: 1001 });
	const text = await firstText(hub.stream(start, 'ada'));
	expect(text).toContain('event: reset');
	expect(text).not.toContain('message');
});

test('a page that does not read is cut off, and others go on', async () => {
	const hub = createHub();
	const slow = hub.stream(hub.cursor(), 'ada');
	const quick = hub.stream(hub.cursor(), 'ada').getReader();
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

async function firstText(stream: ReadableStream<Uint8Array>): Promise<string> {
	const reader = stream.getReader();
	const { value } = await reader.read();
	await reader.cancel();
	return new TextDecoder().decode(value);
}
