import fc from 'fast-check';
import { expect, test } from 'vitest';
import { COMMANDS } from '../../../test/harness/commands.ts';
import { type PageMessages, pageMessages } from './server/page-messages.ts';

type CommandText = {
	commandIn(text: string, commands: typeof COMMANDS): { command: (typeof COMMANDS)[number]; rest: string } | undefined;
	optionsIn(command: unknown, rest: string, directory: unknown): { options: Record<string, unknown>; problem?: string };
	textFor(command: unknown, options: Record<string, unknown>): string;
};

/** The modules of the page are JavaScript for browsers. This one needs no document. */
const path = './page/composer/command-text.js';
const { commandIn, optionsIn, textFor } = (await import(path)) as CommandText;
const texts = './page/texts.js';
((await import(texts)) as { setMessages(loaded: PageMessages): void }).setMessages(pageMessages('en'));

const directory = {
	people: [{ id: 'bjorn', name: 'Björn' }],
	channels: [{ id: 'c-1', name: 'gallery' }],
	roles: [{ id: 'r-1', name: 'Painters' }],
};
const read = (text: string) => {
	const found = commandIn(text, COMMANDS);
	return found && { command: found.command.name, ...optionsIn(found.command, found.rest, directory) };
};

test.each([
	['/imagine a red fox in the snow', 'imagine', { prompt: 'a red fox in the snow' }],
	[
		'/imagine a fox size:1536x1024 n:2 private:true',
		'imagine',
		{ prompt: 'a fox', size: '1536x1024', n: 2, private: true },
	],
	['/IMAGINE size:512x512 a  fox', 'imagine', { prompt: 'a fox', size: '512x512' }],
	['/imagine prompt:"a fox: red" model:BETA', 'imagine', { prompt: 'a fox: red', model: 'beta' }],
	['/imagine prompt:a red fox n:2', 'imagine', { prompt: 'a red fox', n: 2 }],
	['/imagine size:512x512 Prompt: a red fox', 'imagine', { prompt: 'a red fox', size: '512x512' }],
	['/imagine prompt:', 'imagine', {}],
	['/imagine a sign with prompt:fox', 'imagine', { prompt: 'a sign with prompt:fox' }],
	['/imagine time: noon, mood:calm', 'imagine', { prompt: 'time: noon, mood:calm' }],
	['/imagine a https://x.test fox', 'imagine', { prompt: 'a https://x.test fox' }],
	['/imagine one\ntwo', 'imagine', { prompt: 'one\ntwo' }],
	['/imagine', 'imagine', {}],
	['/imagine size:', 'imagine', {}],
	['/imagine a fox n: ', 'imagine', { prompt: 'a fox' }],
	['/imagine a note: ', 'imagine', { prompt: 'a note:' }],
	['/edit image:x make it blue', 'edit', { prompt: 'image:x make it blue' }],
	['/usage @björn', 'usage', { member: 'bjorn' }],
	[
		'/limits set scope:server images:20 channel:#gallery role:@painters',
		'limits set',
		{ scope: 'server', images: 20, channel: 'c-1', role: 'r-1' },
	],
	['/limits set server images:0', 'limits set', { scope: 'server', images: 0 }],
	['/limits set server 100', 'limits set', { scope: 'server', images: 100 }],
	['/models', 'models', {}],
])('reads %s', (text, command, options) => {
	expect(read(text)).toEqual({ command, options });
});

test.each([
	['/imagine a fox n:two', '“two” is not valid for n: a whole number from 1 to 4.'],
	['/imagine a fox private:maybe', '“maybe” is not valid for private: true or false.'],
	['/limits set scope:planet', '“planet” is not valid for scope: server, channel, role, member.'],
	['/usage nobody', '“nobody” is not valid for member: a name here.'],
	['/models now', '/models takes no text.'],
])('refuses %s: %s', (text, problem) => {
	expect(read(text)?.problem).toBe(problem);
});

test('reads what it has written', () => {
	const options = fc.record(
		{
			prompt: fc.stringMatching(/^[a-z,.!]{1,9}( [a-z,.!]{1,9}){0,4}$/),
			size: fc.constantFrom('512x512', '1024x1536', 'as you like'),
			n: fc.integer({ min: 1, max: 4 }),
			model: fc.constantFrom('alpha-image', 'beta'),
			private: fc.boolean(),
		},
		{ requiredKeys: ['prompt'] },
	);
	const imagine = COMMANDS.find(({ name }) => name === 'imagine');
	fc.assert(
		fc.property(options, (given) => {
			expect(read(textFor(imagine, given))).toEqual({ command: 'imagine', options: given });
		}),
	);
});

test.each(['imagine a fox', '/imagined', '/limits', 'say /imagine', '/'])('finds no command in %s', (text) => {
	expect(read(text)).toBeUndefined();
});
