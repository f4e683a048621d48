import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { answersChat, chatOf } from '../../../packages/fakes/src/chat.ts';
import { smallPng } from '../../../packages/fakes/src/service.ts';
import { ada, BotHarness } from '../../../test/harness/bot-harness.ts';
import { FileTooLargeError, type Upload } from '../../domain/channel.ts';
import type { IncomingMessage } from '../../domain/platform.ts';
import { PlatformRefusedError } from '../../i18n/translator.ts';
import { PROFILES } from '../../service/profiles.ts';
import type { Bot } from '../bot.ts';

let harness: BotHarness;
let bot: Bot;
let said = 0;

beforeEach(async () => {
	harness = await BotHarness.create();
	await harness.useService(PROFILES.openai, { chatPictures: 'on' });
	harness.faulty.always(answersChat('Indeed.'));
	bot = await harness.start({ followUpMs: 0 });
});
afterEach(() => harness.close());

const file = (name: string, content: string | Uint8Array = name, more: Partial<Upload> = {}): Upload => ({
	name,
	read: async (_, maxBytes) => {
		const bytes = Buffer.from(content);
		if (bytes.length > maxBytes) throw new FileTooLargeError();
		return bytes;
	},
	...more,
});
const says = (text: string, uploads: Upload[], more: Partial<IncomingMessage> = {}) => {
	const channel = { ...harness.channel, place: { ...harness.channel.place, thread: 't' } };
	return bot.hear({ id: `m${said++}`, text, uploads, addressed: true, person: ada, channel, ...more });
};
const last = () => [...harness.messages.values()].at(-1)?.text ?? '';
const asked = () => harness.faulty.requests.filter(({ path }) => path === '/v1/chat/completions');
const prompt = () => chatOf(asked().at(-1)).messages.at(-1)?.content ?? '';

describe('a text file', () => {
	test('is part of the question, quoted under its name, and of later turns', async () => {
		await says('Sum this up', [file('notes.md', '# Foxes\r\n```\nare red\n```')]);
		expect(prompt()).toBe('Ada: Sum this up\n\nFile notes.md:\n````\n# Foxes\n```\nare red\n```\n````');
		expect(last()).toBe('Indeed.');
		await says('Shorter', []);
		expect(JSON.stringify(chatOf(asked().at(-1)).messages)).toContain('are red');
	});

	test.each([
		['UTF-8 with a mark', Buffer.from('\ufeffgrün')],
		['UTF-16, little endian', Buffer.from('\ufeffgrün', 'utf16le')],
		['UTF-16, big endian', Buffer.from('\ufeffgrün', 'utf16le').swap16()],
		['Windows-1252', Buffer.from('grün', 'latin1')],
	])('without words is the question: %s', async (_, bytes) => {
		await says('', [file('message.txt', bytes, { type: 'text/plain; charset=utf-8' })]);
		expect(prompt()).toBe('Ada:\n\nFile message.txt:\n```\ngrün\n```');
	});

	test.each([
		['ja', new Uint8Array([0x83, 0x74, 0x83, 0x4e, 0x83, 0x8d, 0x83, 0x45]), 'フクロウ'],
		['ru', new Uint8Array([0xd1, 0xee, 0xe2, 0xe0]), 'Сова'],
		['zh-CN', new Uint8Array([0xc3, 0xa8, 0xcd, 0xb7, 0xd3, 0xa5, 0xb7, 0xc9]), '猫头鹰飞'],
	])('is read in what older programs write in the language of its person: %s', async (locale, bytes, text) => {
		await says('', [file('memo.txt', bytes)], { person: { ...ada, locale } });
		expect(prompt()).toContain(`File memo.txt:\n\`\`\`\n${text}\n`);
	});

	test('is cut, and five are read, which the answer and the model are told', async () => {
		const long = file('long.txt', 'a'.repeat(19_000));
		const more = ['b', 'c'].map((name) => file(`${name}.txt`, name.repeat(900)));
		await says('Compare', [long, ...more, file('d.txt')]);
		expect(prompt()).toContain('File c.txt, its first 100 of 900 characters:');
		expect(prompt()).toContain('(with files that you cannot read: d.txt)');
		expect(last()).toBe(
			'Indeed.\n\nOf **c.txt**, I read the first 100 characters.\nI did not read **d.txt** (more than I read at once).',
		);
		await says(
			'And these?',
			Array.from({ length: 7 }, (_, index) => file(`${index}.txt`)),
		);
		expect(last()).toMatch(/not read \*\*5\.txt\*\* \(more than I read at once\) and \*\*6\.txt\*\*/);
	});

	test('that breaks a rule of the server is refused, and costs nothing', async () => {
		const person = { ...ada, moderator: true };
		const { channel } = harness;
		await bot.invoke({ id: 'ban', command: 'limits ban', options: { words: 'dragon' }, person, channel });
		await says('Sum this up', [file('notes.txt', 'Here be DRAGON.')]);
		expect(last()).toMatch(/not allowed|banned|forbidden/i);
		expect(asked()).toEqual([]);
		await says('What did it say?', []);
		expect(JSON.stringify(chatOf(asked().at(-1)).messages)).not.toContain('DRAGON');
	});
});

describe('a file that cannot be read', () => {
	const refuses = async () => {
		throw new PlatformRefusedError('slack.errors.unknownFile');
	};

	test.each<[file: Upload, why: RegExp]>([
		[file('voice-message.ogg', '', { type: 'audio/ogg' }), /\*\*voice-message\.ogg\*\* \(a voice message\)/],
		[file('brief.pdf', '%PDF-'), /\*\*brief\.pdf\*\* \(not a text or a picture\)/],
		[file('a.txt', new Uint8Array([0xff, 0xfe, 0, 0xd8])), /\(not a UTF-8 text\)/],
		[file('b.csv', new Uint8Array([0xfc, 1, 2, 0x41])), /\(not a UTF-8 text\)/],
		[file('b.txt', new Uint8Array([0xd1, 0xee, 0xe2, 0xe0, 0x20, 0xeb, 0xe5])), /\(not a UTF-8 text\)/],
		[file('c.log', 'x'.repeat(100_001)), /\(larger than 100 kB\)/],
		[file('d.txt', 'x', { size: 2_000_000 }), /\(larger than 100 kB\)/],
		[file('e.png', '', { unreadable: 'deleted' }), /\*\*e\.png\*\* \(deleted\)/],
		[file('f', '', { unreadable: 'elsewhere' }), /\(stored elsewhere\)/],
		[file('g.txt', '', { read: refuses }), /\*\*g\.txt\*\* \(it could not be downloaded\)\. \S/],
	])('%o is named: alone without a turn, with words to the model too', async (unreadable, why) => {
		await says('', [unreadable]);
		expect(last()).toMatch(why);
		expect(last()).toMatch(/Nothing was counted/);
		expect(asked()).toEqual([]);
		expect(await harness.openJobs()).toEqual([]);
		await says('Is it good?', [unreadable]);
		if (unreadable.name === 'e.png') return expect(asked()).toEqual([]);
		expect(prompt()).toMatch(/Ada: \(with files that you cannot read: .+\)\n\nAda: Is it good\? \(with files that you/);
		expect(last()).toMatch(/^Indeed\.\n\nI did not read/);
		expect(last()).toMatch(why);
	});

	test('is named without a thread where it is mentioned alone', async () => {
		await says('', [file('brief.pdf')], { channel: harness.channel });
		expect([...harness.messages.keys()]).toHaveLength(1);
		expect(last()).toMatch(/brief\.pdf/);
	});

	test('is left out of a picture that is asked for, which is said before it is paid for', async () => {
		const bytes = await smallPng();
		const brought = Array.from({ length: 17 }, (_, index) => file(`${index + 1}.png`, bytes));
		await says('put them together', [...brought, file('brief.pdf')]);
		const left = [...harness.messages.values()].find(({ text }) => /I leave out/.test(text))?.text;
		expect(left).toMatch(
			/^For this picture, I leave out \*\*brief\.pdf\*\* \(not a text or a picture\).* and \*\*17\.png\*\*\.$/,
		);
		expect(harness.faulty.requests.filter(({ path }) => path.startsWith('/v1/images'))).toHaveLength(1);
	});

	test('pictures beyond those that a model gets are counted in the answer', async () => {
		const bytes = await smallPng();
		await says(
			'What are these?',
			Array.from({ length: 6 }, (_, index) => file(`${index}.png`, bytes)),
		);
		expect(last()).toMatch(/gets 4 pictures at most; 2 pictures were left out/);
	});
});

test('in a thread, the names of files that nobody asks about reach the model, and nothing of them is read', async () => {
	await says('Hello', []);
	await says('Look', [file('plan.txt')], {
		addressed: false,
		toOthers: false,
		person: { ...ada, id: 'bea', name: 'Bea' },
	});
	await says('What did she send?', []);
	expect(prompt()).toContain('What did she send?');
});

test('a mention alone lists the commands, also in a thread', async () => {
	await says(' \u200b', []);
	expect(last()).toMatch(/`\/imagine`/);
	expect(asked()).toEqual([]);
});
