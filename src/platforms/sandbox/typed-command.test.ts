import fc from 'fast-check';
import { expect, test } from 'vitest';
import { COMMANDS } from '../../../test/harness/commands.ts';
import { FakeInbox } from '../../../test/harness/inbox.ts';
import type { CommandDescription } from '../../domain/command.ts';
import { openStore } from '../../store/open-store.ts';
import { createSandbox } from './index.ts';
import { commandIn, textFor } from './page/composer/command-text.ts';
import { type PageMessages, pageMessages } from './server/page-messages.ts';
import type { TypedProblem } from './server/typed-command.ts';

const [inputs, texts] = ['./page/inputs/filling.ts', './page/texts.ts'];
const { typedProblemText } = (await import(inputs)) as {
	typedProblemText(command: CommandDescription, problem: TypedProblem): string;
};
const { setMessages } = (await import(texts)) as { setMessages(loaded: PageMessages): void };
const { platform, routes } = createSandbox({
	commands: COMMANDS,
	space: (await openStore('memory:')).space('sandbox'),
});
await platform.start(new FakeInbox());

/** Reads a command as the page does: it finds its name, and the server reads the rest. */
async function read(typed: string, locale = 'en') {
	const found = commandIn(typed, COMMANDS);
	if (!found) return undefined;
	const input = { as: 'ada', channel: 'atelier-general', command: found.command.name, text: found.rest };
	const headers = { host: 'localhost', 'content-type': 'application/json', 'accept-language': locale };
	const response = await routes.request('/sandbox/api/options', {
		method: 'POST',
		headers,
		body: JSON.stringify(input),
	});
	expect(response.status).toBe(200);
	const { options, problem } = (await response.json()) as { options: object; problem?: TypedProblem };
	setMessages(pageMessages(locale));
	return { command: found.command.name, options, problem: problem && typedProblemText(found.command, problem) };
}

test.each([
	['/imagine a red fox in the snow', 'imagine', { prompt: 'a red fox in the snow' }],
	[
		'/imagine a fox size:1536x1024 n:2 private:true',
		'imagine',
		{ prompt: 'a fox', size: '1536x1024', n: 2, private: true },
	],
	['/IMAGINE size:512x512 a  fox', 'imagine', { prompt: 'a  fox', size: '512x512' }],
	['/imagine prompt:"a fox: red" model:BETA', 'imagine', { prompt: 'a fox: red', model: 'beta' }],
	['/imagine prompt:“a fox: red” n:2', 'imagine', { prompt: 'a fox: red', n: 2 }],
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
	['/usage member:Björn', 'usage', { member: 'bjorn' }],
	[
		'/limits set scope:server images:20 channel:#gallery role:@painters',
		'limits set',
		{ scope: 'server', images: 20, channel: 'atelier-gallery', role: 'atelier-painters' },
	],
	['/limits set #gallery channel 5', 'limits set', { scope: 'channel', images: 5, channel: 'atelier-gallery' }],
	['/limits set server images:0', 'limits set', { scope: 'server', images: 0 }],
	['/limits set server 100', 'limits set', { scope: 'server', images: 100 }],
	['/models', 'models', {}],
])('reads %s', async (typed, command, options) => {
	expect(await read(typed)).toEqual({ command, options });
});

test.each([
	['/imagine a fox n:two', 'en', '“two” is not valid for n: a whole number from 1 to 4.'],
	['/imagine a fox n:two', 'de', '„two“ ist für n nicht gültig: eine ganze Zahl von 1 bis 4.'],
	['/imagine a fox n:two', 'zh-CN', '“two”不能用于 n：1 到 4 之间的整数。'],
	['/imagine a fox private:maybe', 'en', '“maybe” is not valid for private: true or false.'],
	['/limits set scope:planet', 'en', '“planet” is not valid for scope: server, channel, role, member.'],
	['/limits set server 1 role:nobody', 'en', '“nobody” is not valid for role: a role here.'],
	['/usage nobody', 'en', '“nobody” is not valid for member: a name here.'],
	['/models now', 'en', '/models takes no text.'],
])('refuses %s in %s: %s', async (typed, locale, problem) => {
	expect((await read(typed, locale))?.problem).toBe(problem);
});

test('reads what the page has written', async () => {
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
	await fc.assert(
		fc.asyncProperty(options, async (given) => {
			expect(imagine && (await read(textFor(imagine, given)))).toEqual({ command: 'imagine', options: given });
		}),
	);
});

test.each(['imagine a fox', '/imagined', '/limits', 'say /imagine', '/'])('finds no command in %s', (text) => {
	expect(commandIn(text, COMMANDS)).toBeUndefined();
});
