import { describe, expect, test } from 'vitest';
import { commands } from '../../../../../commands/index.ts';
import { describeCommands } from '../../../../bot/declaration/catalogue.ts';
import { PROFILES } from '../../../../service/profiles.ts';
import type { IncomingFiles } from '../files/incoming-files.ts';
import type { SlackFile } from '../files/slack-file.ts';
import { mentionedCommand } from './mentioned-command.ts';

const files: Pick<IncomingFiles, 'upload'> = {
	upload: (_, { id }) => ({ name: id, read: async () => new Uint8Array() }),
};
const described = describeCommands(commands, PROFILES.easel.capabilities);
const read = (text: string, ...ids: string[]) =>
	mentionedCommand({ commands: described, files }, { server: 'T1', text, files: ids.map((id): SlackFile => ({ id })) });

describe('a message to the bot', () => {
	test.each([
		['imagine a red fox n:2', { command: 'imagine', options: { prompt: 'a red fox', n: '2' } }],
		['/imagine a red fox', { command: 'imagine', options: { prompt: 'a red fox' } }],
		['Imagine: no', undefined],
		[
			'limits set server month 5',
			{ command: 'limits set', options: { scope: 'server', period: 'month', images: '5' } },
		],
		['usage', { command: 'usage', options: {} }],
		['usage <@U123ABC>', { command: 'usage', options: { member: 'U123ABC' } }],
		['models', { command: 'models', options: {} }],
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
			command: 'compose',
			options: { image1: { name: 'F1' }, image2: { name: 'F2' }, prompt: 'side by side' },
			isPrivate: false,
		});
		expect(read('edit make it night private:yes', 'F1')).toMatchObject({
			options: { image: { name: 'F1' } },
			isPrivate: true,
		});
	});

	test('is refused with more pictures than its command takes', () => {
		const most =
			described.find(({ name }) => name === 'edit')?.fields.filter(({ kind }) => kind === 'picture').length ?? 0;
		const ids = Array.from({ length: most + 1 }, (_, index) => `F${index}`);
		expect(read('edit make it night', ...ids)).toEqual({
			error: expect.stringMatching(new RegExp(`you sent ${most + 1}`)),
		});
		expect(read('imagine a fox', 'F1')).toEqual({ error: '`imagine` takes no pictures; you sent 1.' });
	});
});
