import { afterEach, beforeEach, expect, test } from 'vitest';
import { ada, BotHarness, moderator } from '../../../test/harness/bot-harness.ts';
import type { Bot } from '../bot.ts';
import { asksForHelp } from '../words/plain-words.ts';

let harness: BotHarness;
let bot: Bot;
beforeEach(async () => {
	harness = await BotHarness.create();
	bot = await harness.start();
});
afterEach(() => harness.close());

const invokes = async (command: string, options: Record<string, unknown> = {}, person = ada) => {
	await bot.invoke({
		id: `${command}-${person.id}`.replace(' ', '-'),
		command,
		options,
		person,
		channel: harness.channel,
	});
	return harness.seen(`${command}-${person.id}`.replace(' ', '-'))?.text ?? '';
};

test.each([
	'help',
	'HELP',
	'/help',
	'?',
	'Hilfe',
	'？',
	'help？',
	'aide',
	'ayuda',
	'ヘルプ',
	'ajuda',
	'помощь',
	' help! ',
	'What can you do?',
	'wie funktioniert das?',
	'帮助',
	'使い方',
	'--help',
	'—help',
	'-h',
])('%j asks for help', (text) => expect(asksForHelp(text)).toBe(true));
test.each(['', 'help me', 'helpless', 'what?', 'a help desk'])('%j does not', (text) =>
	expect(asksForHelp(text)).toBe(false),
);

test('a moderator sees more, and a person whom the rules exclude sees why first', async () => {
	expect(await invokes('help')).not.toContain('/limits');
	expect(await invokes('help', {}, moderator)).toMatch(/`\/limits set`/);
	await invokes('limits block', { member: 'ada' }, moderator);
	const bea = { ...ada, id: 'bea' };
	expect(await invokes('help', {}, bea)).toMatch(/^Here is/);
	await bot.invoke({ id: 'again', command: 'help', options: {}, person: ada, channel: harness.channel });
	expect(harness.seen('again')?.text).toMatch(/blocked.*\n\nHere is/);
});

test('a moderator can still ban the word, and a prompt of more words is drawn', async () => {
	expect(await invokes('limits ban', { words: 'help' }, moderator)).not.toMatch(/required/);
	await invokes('imagine', { prompt: 'a fox that needs it' });
	expect(harness.faulty.requests).toHaveLength(1);
});

test.each([
	['usage help', /^`\/usage`: .*\n- `member`: /],
	['help edit', /^`\/edit`: .*\n.*`image` \(required\)/],
	['/Find HELP', /^`\/find`: /],
	['help limits set', /^`\/limits set`: /],
	['limits help', /^Use `\/limits` with one of these:\n- `\/limits show`/],
	['privacy ?', /^Use `\/privacy` with one of these:/],
])('a message explains a command or a group, and buys nothing: %j', async (text, expected) => {
	const message = { id: 'm1', text, uploads: [], addressed: true, person: ada, channel: harness.channel };
	await bot.hear(message);
	expect(harness.seen('m1')?.text).toMatch(expected);
	expect(harness.faulty.requests).toEqual([]);
});

test('a command of a group that it does not have gets the list of those, without markup from the unknown word', async () => {
	expect(await invokes('limits')).toMatch(/^Use `\/limits`/);
	const help = await invokes('limits <`dance`>');
	expect(help).toMatch(/^There is no `\/limits ˋdanceˋ`. Use one of these:\n- `\/limits show`/);
	expect(help).not.toContain('imagine');
});
