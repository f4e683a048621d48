import { afterEach, beforeEach, expect, test } from 'vitest';
import { answersChat, chatOf } from '../../../packages/fakes/src/chat.ts';
import { ada, BotHarness, moderator } from '../../../test/harness/bot-harness.ts';
import type { Bot } from '../bot.ts';

let harness: BotHarness;
let bot: Bot;
beforeEach(async () => {
	harness = await BotHarness.create();
	bot = await harness.start({ followUpMs: 0 });
});
afterEach(async () => {
	await bot.easel.running.ended();
	await harness.close();
});

const direct = () => ({
	...harness.channel,
	place: { ...harness.channel.place, channel: 'dm', direct: true as const },
});
const greetings = () => [...harness.messages].filter(([, { text }]) => text.includes('what I can do'));
const labels = (key: string) => harness.seen(key)?.buttons?.map(({ label }) => label);
const says = (id: string, text: string) =>
	bot.hear({ id, text, uploads: [], addressed: true, person: ada, channel: direct() });

test('a new person in direct messages sees help once, beside the answer', async () => {
	harness.faulty.next(answersChat('Hi.'), answersChat('Yes.'));
	await says('one', 'hello there');
	await says('two', 'are you there?');
	expect(greetings().map(([key]) => key)).toEqual(['one.hello']);
	expect(harness.seen('one.hello')?.text).toMatch(/I remember this chat\. Write \*forget\*/);
	expect(labels('one.hello')).toEqual(['Draw a red fox', 'My pictures', 'What is left']);
	expect([...harness.messages.values()].map(({ text }) => text)).toEqual(expect.arrayContaining(['Hi.', 'Yes.']));
	expect(chatOf(harness.faulty.requests.at(-1)).messages).toHaveLength(3);
});

test('a command is the first contact too, help itself comes once, and a platform that refuses it keeps nobody from the answer', async () => {
	await bot.invoke({ ...harness.imagine('job'), channel: direct() });
	await bot.easel.running.ended();
	expect(harness.seen('job')?.pictures).toHaveLength(1);
	expect(greetings().map(([key]) => key)).toEqual(['job.hello']);
});

test('help is not followed by help', async () => {
	await says('one', 'help');
	await says('two', 'help');
	expect(greetings().map(([key]) => key)).toEqual(['one.help', 'two.help']);
});

test('a greeting that cannot be posted keeps nobody from the answer', async () => {
	harness.refuses.post = ({ text }) => text.includes('what I can do');
	harness.faulty.next(answersChat('Hi.'));
	await says('one', 'hello there');
	expect([...harness.messages.values()].map(({ text }) => text)).toContain('Hi.');
});

test('the buttons of help run examples, each as the command would', async () => {
	const invoke = (id: string, person = ada) =>
		bot.invoke({ id, command: 'help', options: {}, person, channel: harness.channel });
	await invoke('help');
	expect(labels('help')).toEqual(['Draw a red fox', 'Ask for ideas', 'My pictures', 'What is left']);
	await harness.press(bot, 'fox', 'example:1:draw', 'help');
	expect(JSON.parse(String(harness.faulty.requests.at(-1)?.body))).toMatchObject({ prompt: 'a red fox in the snow' });
	await harness.press(bot, 'left', 'example:1:usage', 'help');
	expect(harness.seen('left')?.text).toMatch(/You today: 1/);
	harness.faulty.next(answersChat('1. A fox'));
	await harness.press(bot, 'ideas', 'example:1:chat', 'help');
	expect([...harness.messages.values()].map(({ text }) => text)).toContain('1. A fox');
	await harness.press(bot, 'odd', 'example:1:erase', 'help');
	expect(harness.seen('odd')?.text).toMatch(/another version/);
	await invoke('mod', moderator);
	expect(labels('mod')).toContain('Rules here');
	expect(harness.seen('mod')?.text.match(/`\/limits/g)?.length).toBeGreaterThan(5);
	await harness.press(bot, 'rules', 'example:1:limits', 'mod');
	expect(harness.seen('rules')?.text).toMatch(/Only moderators/);
	await bot.invoke({
		id: 'block',
		command: 'limits block',
		options: { member: 'ada' },
		person: moderator,
		channel: harness.channel,
	});
	await invoke('blocked');
	expect(labels('blocked')).toEqual(['My pictures', 'What is left']);
});

test('a server that has just added the bot is greeted once, also by another process', async () => {
	const server = { platform: 'test', server: 'server' };
	await bot.joined(server);
	expect(greetings()).toEqual([]);
	const invited = { name: 'Atelier *1*', channel: 'channel', locale: 'de' };
	await bot.joined(server, invited);
	bot = await harness.start();
	await bot.joined(server, invited);
	const [[key, { text, buttons }] = ['', { text: '' }]] = [...harness.messages];
	expect(harness.messages.size).toBe(1);
	expect(key).toBe('welcome.server');
	expect(text).toMatch(/neu in \*\*Atelier \\\*1\\\*\*\*.*`\/limits set`/s);
	expect(buttons?.map(({ label }) => label)).toContain('Regeln hier');
});
