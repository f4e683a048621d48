import { describe, expect, test } from 'vitest';
import { commands } from '../../../../commands/index.ts';
import { describeCommands } from '../../../bot/declaration/available-commands.ts';
import { easelProfile } from '../../../service/profiles/easel.ts';
import { mentionedCommand } from './mentioned-command.ts';
import type { FileData, SlackFileReader } from './uploads.ts';

const uploads: SlackFileReader = {
	upload: (_, { id }) => ({ name: id, read: async () => new Uint8Array() }),
	picturesOf: (files = []) => [...files],
};
const parts = { commands: describeCommands(commands, easelProfile.capabilities), uploads };
const said = (text: string, ...files: string[]) =>
	mentionedCommand(parts, { server: 'T1', text, files: files.map((id): FileData => ({ id })) });

describe('what is said to the bot', () => {
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
	])('“%s”', (text, expected) => {
		const found = said(text);
		if (expected) expect(found).toMatchObject(expected);
		else expect(found).toBeUndefined();
	});

	test('takes files as its pictures, in their order', () => {
		expect(said('compose side by side', 'F1', 'F2')).toMatchObject({
			command: 'compose',
			options: { image1: { name: 'F1' }, image2: { name: 'F2' }, prompt: 'side by side' },
			isPrivate: false,
		});
		expect(said('edit make it night private:yes', 'F1')).toMatchObject({
			options: { image: { name: 'F1' } },
			isPrivate: true,
		});
	});

	test('says how many pictures it takes, rather than leave some out', () => {
		const [most] = [
			describeCommands(commands, easelProfile.capabilities)
				.find(({ name }) => name === 'edit')
				?.fields.filter(({ kind }) => kind === 'picture').length ?? 0,
		];
		const files = Array.from({ length: most + 1 }, (_, index) => `F${index}`);
		expect(said('edit make it night', ...files)).toEqual({
			say: expect.stringMatching(new RegExp(`you sent ${most + 1}`)),
		});
		expect(said('imagine a fox', 'F1')).toEqual({ say: '`imagine` takes no pictures; you sent 1.' });
	});
});
