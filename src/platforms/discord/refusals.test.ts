import { describe, expect } from 'vitest';
import { streamedAnswer } from '../../../packages/fakes/src/chat.ts';
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
