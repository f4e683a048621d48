import { describe, expect } from 'vitest';
import { answersChat, streamedAnswer } from '../../../packages/fakes/src/chat.ts';
import { DiscordError } from '../../../packages/fakes/src/discord/api/errors.ts';
import { answersPictures, held, smallPng } from '../../../packages/fakes/src/service.ts';
import { test } from '../../../test/harness/discord-easel.fixture.ts';

/** https://docs.discord.com/developers/topics/opcodes-and-status-codes#json */
describe('a picture that Discord refuses comes as a direct message that says why', () => {
	test.for([
		[400, 20009, /filter for sensitive content blocks this message/],
		[400, 240000, /takes a link in it to be harmful/],
		[403, 400001, /has limited uploads in this server/],
	] as const)('%i, %i', async ([status, code, reason], { discord, service, ada, inDirectMessages }) => {
		const { id } = discord.world.channel();
		service.next(answersPictures(await smallPng()));
		const refused = { answer: new DiscordError(status, code, 'Refused') };
		for (const method of ['PATCH', 'POST']) discord.faults.add({ method, path: /^\/webhooks\// }, refused, 50);
		discord.faults.add({ method: 'POST', path: new RegExp(`^/channels/${id}/messages`) }, refused, 50);
		await ada.does('/imagine', { prompt: 'a fox' });
		const { text } = await inDirectMessages('ada').finds({ pictures: 1 });
		expect(text).toMatch(reason);
	});
});

describe('a mention whose thread Discord does not open ends in a sentence', () => {
	test.for([
		['an outage', { proxy: { status: 520, text: '<html>' } }, /^Discord can't take this right now/],
		['a broken connection', { disconnect: true }, /^Discord can't take this right now/],
		['401 for a valid token', { answer: new DiscordError(401, 0, '401: Unauthorized') }, /^Discord can't take this/],
		['Cloudflare', { proxy: { status: 403, text: '<html>' } }, /^Discord can't take this right now/],
		['slow mode', { answer: new DiscordError(400, 20016, 'Slow mode') }, /^Discord can't take this right now/],
		['the author first', { answer: new DiscordError(403, 40058, 'Author first') }, /before the author of the post/],
	] as const)('%s', async ([, fault, sentence], { discord, service, ada }) => {
		service.always(answersChat('Hello!'));
		discord.faults.add({ method: 'POST', path: /threads$/ }, fault, 4);
		await ada.says('@Easel how are you?').sees(sentence);
		expect(service.requests).toEqual([]);
		discord.faults.clear();
		await ada.says('@Easel how are you now?');
		await ada.enters(/how are you now/);
		await ada.finds(/^Hello!/);
	});
});

test('an answer that Discord blocks because of a link comes as a direct message that says so', async ({
	discord,
	service,
	ada,
	inDirectMessages,
}) => {
	const answer = streamedAnswer();
	service.next(answer.behaviour);
	await ada.does('/chat', { prompt: 'Where do I read more?' });
	await answer.sends('Look at');
	await ada.enters(/Where do I/);
	await ada.finds(/^Look at/);
	const blocked = { answer: new DiscordError(400, 240000, 'Message blocked by harmful links filter') };
	discord.faults.add({ method: 'PATCH', path: /\/messages\// }, blocked, 50);
	await answer.sends(' https://example.com/a for more.');
	await answer.ends();
	await inDirectMessages('ada').finds(/takes a link in it to be harmful/);
	await inDirectMessages('ada').finds(/^Look at .* for more\.$/);
});

test('a person who shares no server with the bot is told where their picture is', async ({ discord, service, ada }) => {
	const { behaviour, release } = held(answersPictures(await smallPng()));
	service.next(behaviour);
	await ada.does('/imagine', { prompt: 'a fox', private: true });
	await service.arrived(1);
	discord.faults.expireTokens();
	const refused = { answer: new DiscordError(403, 50278, 'Cannot send messages to this user') };
	discord.faults.add({ method: 'POST', path: /\/messages$/ }, refused);
	release();
	await ada.finds(/there is an answer for you that could not be posted\. Use \/usage to see it\./);
});
