import { Keyv } from 'keyv';
import { expect, test } from 'vitest';
import { COMMANDS, createFakeInbox } from './fake-inbox.ts';
import { createSandbox } from './index.ts';

test('smoke', async () => {
	const keyv = new Keyv();
	const { platform, routes } = createSandbox({ commands: COMMANDS, keyv });
	const inbox = createFakeInbox();
	await platform.start(inbox);
	const headers = { host: 'localhost', 'content-type': 'application/json' };
	const response = await routes.request('/sandbox/api/commands', {
		method: 'POST',
		headers,
		body: JSON.stringify({
			as: 'ada',
			room: 'atelier-general',
			id: 'abcdefgh',
			command: 'imagine',
			options: { prompt: 'fox' },
		}),
	});
	expect(await response.text()).toBe('{"id":"d:ada:abcdefgh"}');
	await expect
		.poll(async () => {
			const r = await routes.request('/sandbox/api/rooms/atelier-general/messages?as=ada', { headers });
			return ((await r.json()) as { messages: { files: unknown[] }[] }).messages[0]?.files.length;
		})
		.toBe(1);
});
