import { expect } from 'vitest';
import { answersChat, chatOf } from '../../../packages/fakes/src/chat.ts';
import { eventually } from '../../../packages/fakes/src/eventually.ts';
import type { FaultyService } from '../../../packages/fakes/src/service.ts';
import { test } from '../../../test/harness/discord-easel.fixture.ts';

const asked = ({ requests }: FaultyService) =>
	requests.map((request) => String(chatOf(request).messages.at(-1)?.content));

test('what was written while Easel was stopped is answered, once', async ({
	harness,
	discord,
	service,
	ada,
	bjorn,
}) => {
	service.always(answersChat('Hello!'));
	await ada.does('/chat', { prompt: 'Good morning' });
	await ada.enters(/Good morning/);
	await ada.finds(/^Hello!/);
	const [{ id } = { id: '' }] = await bjorn.threads();
	const others = discord.threads.create(discord.world.channel(), 'Others', 'bjorn');
	await discord.user('bjorn', others).say('not for Easel');

	discord.gateway.refuseConnections();
	await harness.restart();
	service.always(answersChat('Here I am.'));
	await discord.user('ada', id).say('are you there?');
	await discord.user('bjorn', id).say('and for me?');
	await discord.user('ada', id).say('@Björn, it will answer');
	await discord.user('ada').say('a word in the channel');
	await discord.user('bjorn', others).say('neither is this');
	discord.gateway.refuseConnections(false);
	await ada.finds(/^Here I am\./);
	expect(asked(service)).toEqual(['Ada: Good morning', 'Ada: are you there?\n\nBjörn: and for me?']);

	await harness.restart();
	await ada.says('good').sees(/^Here I am\./);
	expect(asked(service)).toHaveLength(3);
});

test('what was written between two sessions is answered, also in direct messages', async ({
	discord,
	service,
	inDirectMessages,
}) => {
	service.always(answersChat('Hello!'));
	const ada = inDirectMessages('ada');
	await ada.says('hi').sees(/^Hello!/);
	discord.gateway.refuseConnections();
	discord.gateway.invalidate(false);
	await eventually(() => expect(discord.gateway.connected()).toEqual([]));
	await ada.says('are you there?');
	service.always(answersChat('Here I am.'));
	discord.gateway.refuseConnections(false);
	await ada.finds(/^Here I am\./);
	expect(asked(service)).toEqual(['Ada: hi', 'Ada: are you there?']);
});
