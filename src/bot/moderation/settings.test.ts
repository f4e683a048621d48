import { afterEach, beforeEach, expect, test } from 'vitest';
import { answersChat, chatOf } from '../../../packages/fakes/src/chat.ts';
import { answersPictures } from '../../../packages/fakes/src/service.ts';
import { ada, BotHarness, moderator } from '../../../test/harness/bot-harness.ts';
import type { Person } from '../../domain/channel.ts';
import type { Bot } from '../bot.ts';

let harness: BotHarness;
let bot: Bot;
let now = Date.now();
let asked = 0;
beforeEach(async () => {
	harness = await BotHarness.create();
	bot = await harness.start({ followUpMs: 0, chatPrompt: 'This server is about sailing.', now: () => now });
});
afterEach(() => harness.close());

const thread = () => ({ ...harness.channel, place: { ...harness.channel.place, thread: 't' } });
const invokes = async (command: string, options: Record<string, unknown> = {}, person: Person = moderator) => {
	const id = `i${asked++}`;
	await bot.invoke({ id, command, options, person, channel: harness.channel });
	return harness.seen(id)?.text ?? '';
};
const says = (text: string, person: Person = ada) =>
	bot.hear({ id: `m${asked++}`, text, uploads: [], addressed: true, person, channel: thread() });
const last = () => [...harness.messages.values()].at(-1)?.text ?? '';

test('a persona reaches the model within the words of the operator, is shown, and can be turned off', async () => {
	harness.faulty.always(answersChat('Ahoy.'));
	const changed = await invokes('limits settings', { persona: 'Talk like a *pirate*.\nShort.' });
	expect(changed).toMatch(/Manner in chats: Talk like a \\\*pirate\\\*\. Short\. \(before: my own\)/);
	expect(await invokes('limits show')).toMatch(/Manner in chats: Talk like a/);
	await says('hello');
	const { system } = chatOf(harness.faulty.requests.at(-1));
	expect(system).toMatch(
		/This server is about sailing\.\n\nThe moderators .*:\n> Talk like a \*pirate\*\.\n> Short\.$/,
	);
	await invokes('limits settings', { off: 'persona' });
	await says('and now?');
	expect(chatOf(harness.faulty.requests.at(-1)).system).toMatch(/This server is about sailing\.$/);
});

test('a persona with a banned word, or of 1,001 characters, changes nothing', async () => {
	await invokes('limits ban', { words: 'parrot' });
	expect(await invokes('limits settings', { persona: 'You are a PARROT' })).toMatch(/banned word.*Nothing was changed/);
	expect(await invokes('limits settings', { persona: 'x'.repeat(1001) })).toMatch(/1,?000/);
	expect(await invokes('limits show', { all: true })).toMatch(/Manner in chats: my own/);
});

test('outsiders are refused before any cost where moderators deny them', async () => {
	const guest: Person = { ...ada, id: 'guest', outsider: true };
	await invokes('imagine', { prompt: 'a pond' }, guest);
	expect(harness.faulty.requests).toHaveLength(1);
	expect(await invokes('limits settings', { outsiders: 'deny' })).toMatch(
		/other workspaces: refused \(before: allowed\)/,
	);
	expect(await invokes('imagine', { prompt: 'a pond' }, guest)).toMatch(/only for members of this server/);
	await says('hello', guest);
	expect(last()).toMatch(/only for members of this server/);
	// Neither is a form opened, where a platform has one for options that are missing.
	const channel = thread();
	expect(await bot.form('edit', { person: guest, channel })).toBeUndefined();
	expect(await bot.form('edit', { person: ada, channel })).toBeDefined();
	expect(await invokes('edit', {}, guest)).toMatch(/only for members of this server/);
	expect(harness.faulty.requests).toHaveLength(1);
	await invokes('imagine', { prompt: 'a pond' }, ada);
	expect(harness.faulty.requests).toHaveLength(2);
});

test('an app is answered where moderators name it, when it mentions the bot, and twenty times an hour', async () => {
	const zapier: Person = { id: 'zapier', name: 'Zapier', moderator: false, mayModerate: false, app: true };
	harness.faulty.always(answersChat('Hello.'));
	await says('hello', zapier);
	await invokes('imagine', { prompt: 'a pond' }, zapier);
	expect(harness.messages.size).toBe(0);
	expect(await invokes('limits settings', { apps: 'zapier' })).toMatch(/answered: zapier \(before: none\)/i);
	const heard = { text: 'and you?', uploads: [], addressed: false, person: zapier, channel: thread() };
	await bot.hear({ id: 'overheard', ...heard });
	expect(harness.faulty.requests).toHaveLength(0);
	for (let turn = 0; turn < 25; turn++) await says('hello', zapier);
	expect(harness.faulty.requests).toHaveLength(20);
	await says('hello', { ...zapier, id: 'other' });
	expect(harness.faulty.requests).toHaveLength(20);
	await says('hello');
	expect(harness.faulty.requests).toHaveLength(21);
	expect(await invokes('limits settings', { off: 'apps' })).toMatch(/answered: none \(before: zapier\)/i);
});

test('who waited longer than the notice says is mentioned once the picture is there, and nobody else', async () => {
	const taking = (seconds: number) =>
		harness.faulty.next((exchange) => {
			now += seconds * 1000;
			return answersPictures(harness.png)(exchange);
		});
	const notices = () => [...harness.messages.values()].filter(({ notify }) => notify !== undefined);
	taking(60);
	await invokes('imagine', { prompt: 'a pond' }, ada);
	expect(await invokes('limits settings', { notice: 30 })).toMatch(/finished: after 30 s \(before: never\)/);
	taking(30);
	await invokes('imagine', { prompt: 'a pond' }, ada);
	taking(60);
	await invokes('imagine', { prompt: 'a pond', private: true }, ada);
	expect(notices()).toEqual([]);
	taking(31);
	await invokes('imagine', { prompt: 'a pond' }, ada);
	expect(notices()).toEqual([{ text: 'Your picture is finished.', notify: 'ada' }]);
	expect(await invokes('limits settings', { off: 'notice' })).toMatch(/finished: never/);
});
