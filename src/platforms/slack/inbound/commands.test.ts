import { describe, expect, test } from 'vitest';
import { commands } from '../../../../commands/index.ts';
import { typedRequest } from '../../../bot/chat/understand.ts';
import { CommandCatalogue } from '../../../bot/declaration/options.ts';
import type { CommandDescription } from '../../../domain/command.ts';
import type { IncomingMessage } from '../../../domain/platform.ts';
import type { Easel } from '../../../easel.ts';
import { PROFILES } from '../../../service/profiles.ts';
import { calledCommand, referencesBy } from './commands.ts';
import { decoderFor } from './message-reader.ts';

const { capabilities } = PROFILES.easel;
const easel = { catalogue: new CommandCatalogue(commands, capabilities), service: { capabilities } } as Easel;
const references = referencesBy(await decoderFor({ namesIn: async () => new Map() }, 'T1', ''));
const read = (text: string, ...ids: string[]) => {
	const uploads = ids.map((name) => ({ name: `${name}.png`, read: async () => new Uint8Array() }));
	const message = { text, uploads, person: { locale: 'en' }, typed: { text, references, mentions: true } };
	return typedRequest(easel, message as unknown as IncomingMessage);
};

describe('a message to the bot', () => {
	test.each([
		['imagine a red fox n:2', { command: 'imagine', options: { prompt: 'a red fox', n: '2' } }],
		['/imagine a red fox', { command: 'imagine', options: { prompt: 'a red fox' } }],
		['Imagine: no', undefined],
		['\u200bimagine a fox', { command: 'imagine', options: { prompt: 'a fox' } }],
		['```\nimagine a fox\n```', { command: 'imagine', options: { prompt: 'a fox' } }],
		['`/imagine a fox`', { command: 'imagine', options: { prompt: 'a fox' } }],
		['usage!', { command: 'usage', options: {} }],
		[
			'limits set server month 5',
			{ command: 'limits set', options: { scope: 'server', period: 'month', images: '5' } },
		],
		['usage', { command: 'usage', options: {} }],
		['usage <@U123ABC>', { command: 'usage', options: { member: 'U123ABC' } }],
		['usage please!', { command: 'usage', options: {} }],
		['models', { command: 'models', options: {} }],
		['models are overrated, are they not?', undefined],
		['usage of water in Spain', undefined],
		['what is a fox?', undefined],
		['', undefined],
	])('runs a command or none: “%s”', async (text, expected) => {
		expect(await read(text)).toEqual(expected && { ...expected, unused: [] });
	});

	test('brings the pictures of its command, in their order', async () => {
		expect(await read('compose side by side', 'F1', 'F2')).toMatchObject({
			command: 'compose',
			options: { image1: { name: 'F1.png' }, image2: { name: 'F2.png' }, prompt: 'side by side' },
		});
		expect(await read('edit make it night private:yes', 'F1')).toMatchObject({
			options: { image: { name: 'F1.png' }, private: 'yes' },
		});
	});

	test('is refused with more pictures than its command takes, or a name instead of a mention; imagine edits them', async () => {
		expect((await read('edit make it night', 'F1', 'F2')) as Error).toMatchObject({
			id: 'thread.tooManyPictures',
			values: { command: 'edit', most: 1, count: 2 },
		});
		expect((await read('limits block @nobody')) as Error).toMatchObject({ id: 'errors.option.unreadable' });
		expect((await read('usage', 'F1')) as Error).toMatchObject({ values: { command: 'usage', most: 0, count: 1 } });
		expect(await read('imagine a fox size:wide', 'F1')).toMatchObject({
			command: 'edit',
			options: { image: { name: 'F1.png' }, prompt: 'a fox', size: 'wide' },
		});
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
