import fc from 'fast-check';
import { expect, test } from 'vitest';
import { COMMANDS } from '../../../test/harness/commands.ts';
import { commandIn, readOptions, textFor } from './page/composer/options.ts';
import { PEOPLE, SERVERS } from './server/directory.ts';

const [atelier] = SERVERS;
const names = { person: PEOPLE, channel: atelier?.channels ?? [], role: atelier?.roles ?? [] };

/** Reads a command as the page does. */
function read(typed: string) {
	const found = commandIn(typed, COMMANDS);
	return found && { command: found.command.name, ...readOptions(found.command, found.rest, names) };
}

test.each([
	['/imagine a red fox in the snow', 'imagine', { prompt: 'a red fox in the snow' }],
	[
		'/imagine a fox size:1536x1024 n:2 private:true',
		'imagine',
		{ prompt: 'a fox', size: '1536x1024', n: '2', private: 'true' },
	],
	['/IMAGINE size:512x512 a  fox', 'imagine', { prompt: 'a  fox', size: '512x512' }],
	['/imagine prompt:"a fox: red" model:BETA', 'imagine', { prompt: 'a fox: red', model: 'beta' }],
	['/imagine prompt:“a fox: red” n:2', 'imagine', { prompt: 'a fox: red', n: '2' }],
	['/imagine prompt:a red fox n:2', 'imagine', { prompt: 'a red fox', n: '2' }],
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
		{ scope: 'server', images: '20', channel: 'atelier-gallery', role: 'atelier-painters' },
	],
	['/limits set #gallery channel 5', 'limits set', { scope: 'channel', images: '5', channel: 'atelier-gallery' }],
	['/limits set server images:0', 'limits set', { scope: 'server', images: '0' }],
	['/limits set server 100', 'limits set', { scope: 'server', images: '100' }],
	['/models', 'models', {}],
])('reads %s', (typed, command, options) => {
	expect(read(typed)).toEqual({ command, options });
});

test.each([
	['/limits set server 1 role:nobody', 'role'],
	['/usage nobody', 'nobody'],
	['/usage member:nobody', 'member'],
	['/models now', 'now'],
	['/imagine a fox n:two', 'n'],
	['/imagine a fox private:maybe', 'private'],
	['/imagine a fox model:gamma', 'model'],
])('finds %s unclear', (typed, unclear) => {
	expect(read(typed)?.unclear).toBe(unclear);
});

test('reads what the page has written', () => {
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
			const typed = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]));
			expect(imagine && read(textFor(imagine, given))).toEqual({ command: 'imagine', options: typed });
		}),
	);
});

test.each(['imagine a fox', '/imagined', '/limits', 'say /imagine', '/'])('finds no command in %s', (text) => {
	expect(commandIn(text, COMMANDS)).toBeUndefined();
});
