import { describe, expect } from 'vitest';
import { streamedAnswer } from '../../../packages/fakes/src/chat.ts';
import { eventually } from '../../../packages/fakes/src/eventually.ts';
import { test } from '../../../test/harness/discord-easel.fixture.ts';

/** Discord closes threads by itself, after a day by default. https://docs.discord.com/developers/topics/threads */
describe('in a thread that was closed', () => {
	test('an answer that is being written ends, and the thread is closed again', async ({ discord, service, ada }) => {
		const answer = streamedAnswer();
		service.next(answer.behaviour);
		await ada.does('/chat', { prompt: 'Tell me a tale' });
		await answer.sends('Once upon a time');
		await ada.enters(/Tell me a tale/);
		await ada.finds({ text: /Once upon/, buttons: ['Stop'] });
		const thread = discord.world.channel((await ada.threads())[0]?.id);
		discord.threads.change(thread, { archived: true });
		await answer.sends(' there lived an owl.');
		await answer.ends();
		const ended = await ada.finds({ text: /Once upon a time there lived an owl\.$/ });
		expect(ended.buttons).not.toContain('Stop');
		await eventually(() => expect(thread.archived).toBe(true));
	});

	test('a moderator removes a picture', async ({ discord, ada, inChannel }) => {
		const { elsewhere } = ada.names;
		const asks = await ada.does('/limits settings', { log: elsewhere }).sees(/Every member can see/);
		await ada.presses('Use this channel', asks).sees(/log: #/);
		const thread = discord.threads.create(discord.world.channel(), 'Foxes', 'bjorn');
		const bjorn = inChannel('bjorn', thread);
		await bjorn.does('/imagine', { prompt: 'a fox' }).sees({ pictures: 1 });
		discord.faults.expireTokens();
		discord.threads.change(thread, { archived: true });
		ada.goesTo(elsewhere);
		const entry = await ada.finds({ text: /a fox/, pictures: 1, buttons: ['Remove', 'Block', 'Hide'] });
		await ada.presses('Remove', entry);
		await ada.presses('Remove for good', await ada.finds({ buttons: ['Remove for good', 'Cancel'] }));
		await ada.finds(/removed/i);
		expect((await bjorn.looks()).flatMap(({ pictures }) => pictures)).toEqual([]);
	});

	test('a moderator hides a picture', async ({ discord, ada, inChannel }) => {
		const { elsewhere } = ada.names;
		const asks = await ada.does('/limits settings', { log: elsewhere }).sees(/Every member can see/);
		await ada.presses('Use this channel', asks).sees(/log: #/);
		const thread = discord.threads.create(discord.world.channel(), 'Foxes', 'bjorn');
		const bjorn = inChannel('bjorn', thread);
		await bjorn.does('/imagine', { prompt: 'a fox' }).sees({ pictures: 1 });
		discord.faults.expireTokens();
		discord.threads.change(thread, { archived: true });
		ada.goesTo(elsewhere);
		await ada.presses('Hide', await ada.finds({ text: /a fox/, pictures: 1, buttons: ['Remove', 'Block', 'Hide'] }));
		const shown = async () => (await bjorn.looks()).flatMap(({ pictures }) => pictures.map(({ spoiler }) => spoiler));
		await eventually(async () => expect(await shown()).toEqual([true]));
	});

	test('the person who asked deletes a result', async ({ discord, inChannel }) => {
		const thread = discord.threads.create(discord.world.channel(), 'Foxes', 'bjorn');
		const bjorn = inChannel('bjorn', thread);
		const result = await bjorn.does('/imagine', { prompt: 'a fox' }).sees({ pictures: 1 });
		discord.threads.change(thread, { archived: true });
		const asked = await bjorn.presses('Delete', result).sees({ buttons: ['Delete for good'] });
		discord.threads.change(thread, { archived: true });
		await bjorn.presses('Delete for good', asked).sees(/^Deleted/);
		expect((await bjorn.looks()).flatMap(({ pictures }) => pictures)).toEqual([]);
	});

	test('a person erases their pictures', async ({ discord, inChannel }) => {
		const thread = discord.threads.create(discord.world.channel(), 'Foxes', 'bjorn');
		const bjorn = inChannel('bjorn', thread);
		await bjorn.does('/imagine', { prompt: 'a fox' }).sees({ pictures: 1 });
		discord.faults.expireTokens();
		discord.threads.change(thread, { archived: true });
		const elsewhere = inChannel('bjorn', discord.world.channel());
		const question = await elsewhere.does('/privacy erase').sees({ text: /It can’t be undone/, private: true });
		await elsewhere.presses('Delete my data', question);
		await eventually(async () => expect((await bjorn.looks()).flatMap(({ pictures }) => pictures)).toEqual([]));
	});
});

describe('a moderator who cannot remove or hide a picture reads why', () => {
	test.for([
		['Remove', 'locked', 'could not remove it. The thread #Foxes is locked. A moderator can unlock it.'],
		['Hide', 'locked', 'could not hide it. The thread #Foxes is locked. A moderator can unlock it.'],
		[
			'Remove',
			'out of sight',
			"could not remove it. I can't see #Foxes. A moderator can give me *View Channel* there.",
		],
		['Hide', 'deleted', 'could not hide it. The message was deleted.'],
	] as const)('%s, %s', async ([action, state, sentence], { discord, ada, inChannel }) => {
		const { elsewhere } = ada.names;
		const asks = await ada.does('/limits settings', { log: elsewhere }).sees(/Every member can see/);
		await ada.presses('Use this channel', asks).sees(/log: #/);
		const channel = discord.world.channel();
		const thread = discord.threads.create(channel, 'Foxes', 'bjorn');
		const bjorn = inChannel('bjorn', thread);
		const picture = await bjorn.does('/imagine', { prompt: 'a fox' }).sees({ pictures: 1 });
		discord.faults.expireTokens();
		if (state === 'locked') discord.threads.change(thread, { archived: true, locked: true });
		if (state === 'out of sight') discord.overwrite(channel, 'me', 'deny', ['ViewChannel']);
		if (state === 'deleted') await discord.user('ada', thread).erase(picture);
		ada.goesTo(elsewhere);
		await ada.presses(action, await ada.finds({ text: /a fox/, pictures: 1, buttons: ['Remove', 'Block', 'Hide'] }));
		if (action === 'Remove')
			await ada.presses('Remove for good', await ada.finds({ buttons: ['Remove for good', 'Cancel'] }));
		const { text } = await ada.finds(/could not/);
		expect(text).toContain(sentence);
		const { size } = thread.messages;
		expect(size).toBe(state === 'deleted' ? 0 : 1);
	});
});
