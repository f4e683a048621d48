import { describe, expect, test } from 'vitest';
import { commands } from '../../../../commands/index.ts';
import { describeCommands } from '../../../bot/declaration/options.ts';
import type { CommandDescription } from '../../../domain/command.ts';
import { PROFILES } from '../../../service/profiles.ts';
import { calledCommand, mentionedCommand, withPictures } from './commands.ts';
import { decoderFor } from './message-reader.ts';

const described = describeCommands(commands, PROFILES.easel.capabilities);
const decode = await decoderFor({ namesIn: async () => new Map() }, 'T1', '');
const read = (text: string, ...ids: string[]) => {
	const found = mentionedCommand(described, text, decode);
	const uploads = ids.map((name) => ({ name, read: async () => new Uint8Array() }));
	return found && withPictures(found, uploads);
};

describe('a message to the bot', () => {
	test.each([
		['imagine a red fox n:2', { command: { name: 'imagine' }, options: { prompt: 'a red fox', n: '2' } }],
		['/imagine a red fox', { command: { name: 'imagine' }, options: { prompt: 'a red fox' } }],
		['Imagine: no', undefined],
		['\u200bimagine a fox', { command: { name: 'imagine' }, options: { prompt: 'a fox' } }],
		['```\nimagine a fox\n```', { command: { name: 'imagine' }, options: { prompt: 'a fox' } }],
		['`/imagine a fox`', { command: { name: 'imagine' }, options: { prompt: 'a fox' } }],
		['usage!', { command: { name: 'usage' }, options: {} }],
		[
			'limits set server month 5',
			{ command: { name: 'limits set' }, options: { scope: 'server', period: 'month', images: '5' } },
		],
		['usage', { command: { name: 'usage' }, options: {} }],
		['usage <@U123ABC>', { command: { name: 'usage' }, options: { member: 'U123ABC' } }],
		['models', { command: { name: 'models' }, options: {} }],
		['models are overrated, are they not?', undefined],
		['usage of water in Spain', undefined],
		['what is a fox?', undefined],
		['', undefined],
	])('runs a command or none: “%s”', (text, expected) => {
		const found = read(text);
		if (expected) expect(found).toMatchObject(expected);
		else expect(found).toBeUndefined();
	});

	test('brings the pictures of its command, in their order', () => {
		expect(read('compose side by side', 'F1', 'F2')).toMatchObject({
			command: { name: 'compose' },
			options: { image1: { name: 'F1' }, image2: { name: 'F2' }, prompt: 'side by side' },
		});
		expect(read('edit make it night private:yes', 'F1')).toMatchObject({
			options: { image: { name: 'F1' }, private: 'yes' },
		});
	});

	test('is refused with more pictures than its command takes', () => {
		const most =
			described.find(({ name }) => name === 'edit')?.fields.filter(({ kind }) => kind === 'picture').length ?? 0;
		const ids = Array.from({ length: most + 1 }, (_, index) => `F${index}`);
		expect(() => read('edit make it night', ...ids)).toThrow(`you sent ${most + 1}`);
		expect(() => read('imagine a fox', 'F1')).toThrow('`imagine` takes no pictures; you sent 1.');
	});
});

describe('a slash command', () => {
	const named = ['imagine', 'limits set', 'limits show'].map(
		(name) => ({ name, description: `Runs ${name}`, fields: [] }) as unknown as CommandDescription,
	);
	const [imagine, set] = named;

	test.each([
		['imagine', 'a red fox', { name: 'imagine', description: imagine, rest: 'a red fox' }],
		['limits', ' Set server 3', { name: 'limits set', description: set, rest: 'server 3' }],
		['limits', 'dance now', { name: 'limits dance', rest: 'dance now' }],
		['limits', '', { name: 'limits', rest: '' }],
		['paint', 'a fox', { name: 'paint', rest: 'a fox' }],
	])('/%s %s', (name, text, called) => {
		expect(calledCommand(named, name, text)).toEqual(called);
	});
});
