import { expect } from 'vitest';
import { answersChat } from '../../../packages/fakes/src/chat.ts';
import { eventually } from '../../../packages/fakes/src/eventually.ts';
import { test } from '../../../test/harness/discord-easel.fixture.ts';

test('a mention that is deleted before its thread opens is not answered', async ({ discord, service, ada, bjorn }) => {
	service.always(answersChat('Hello!'));
	const START = { method: 'POST', path: /\/threads$/ };
	const release = discord.faults.slow(START);
	await ada.says('@Easel hello');
	const asked = (await ada.looks()).find(({ text }) => text.includes('hello'));
	if (asked) await ada.erases(asked);
	release();
	await eventually(() =>
		expect(discord.requests.some(({ status, path }) => status === 404 && /threads$/.test(path))).toBe(true),
	);
	await bjorn.does('/usage').sees(/You today/);
	expect(await ada.looks()).toEqual([]);
	expect(service.requests).toEqual([]);
});
