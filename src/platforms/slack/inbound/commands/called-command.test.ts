import { expect, test } from 'vitest';
import type { CommandDescription } from '../../../../domain/command.ts';
import { translatorFor } from '../../../../i18n/translator.ts';
import { calledCommand, groupHelp } from './called-command.ts';

const commands = ['imagine', 'limits set', 'limits show'].map(
	(name) => ({ name, description: `Runs ${name}`, fields: [] }) as unknown as CommandDescription,
);
const [imagine, set] = commands;

test.each([
	['imagine', 'a red fox', { name: 'imagine', description: imagine, rest: 'a red fox' }],
	['limits', ' Set server 3', { name: 'limits set', description: set, rest: ' server 3' }],
	['limits', 'dance', { group: 'limits', word: 'dance' }],
	['limits', '', { group: 'limits', word: '' }],
	['paint', 'a fox', { name: 'paint', rest: 'a fox' }],
])('/%s %s', (name, text, called) => {
	expect(calledCommand(commands, name, text)).toEqual(called);
});

test('the help of a group lists its commands, without markup from the unknown word', () => {
	const help = groupHelp(commands, { group: 'limits', word: '<`dance`>' }, translatorFor());
	expect(help).toContain('`/limits ˋdanceˋ`');
	expect(help).toMatch(/`\/limits set`.*\n.*`\/limits show`/);
	expect(help).not.toContain('imagine');
});
