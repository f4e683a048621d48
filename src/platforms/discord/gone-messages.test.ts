import { expect } from 'vitest';
import { answersChat, streamedAnswer } from '../../../packages/fakes/src/chat.ts';
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

test('an answer whose message somebody deletes while it grows ends, and its call with it', async ({
	discord,
	service,
	ada,
}) => {
	const answer = streamedAnswer();
	service.next(answer.behaviour);
	await ada.does('/chat', { prompt: 'Tell me a tale' });
	await answer.sends('Once upon a time');
	await ada.enters(/Tell me a tale/);
	const growing = await ada.finds({ text: /Once upon/, buttons: ['Stop'] });
	const thread = discord.world.channel((await ada.threads())[0]?.id);
	await discord.user('ada', thread).erase(growing);
	await answer.sends(' there lived an owl.');
	await answer.aborted;
	service.always(answersChat('Hello!'));
	await ada.says('and now?').sees(/^Hello!/);
	expect((await ada.looks()).map(({ text }) => text).join()).not.toContain('Once upon');
});
