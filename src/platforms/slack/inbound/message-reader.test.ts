import { describe, expect, test } from 'vitest';
import { MENTION } from '../api/blocks.ts';
import { decoderFor, isWritten, mentionedIn, type Readable, readMessage, withoutMentions } from './message-reader.ts';

const NAMES: Readonly<Record<string, string>> = { U1: 'Ada', C1: 'garden', S1: 'painters' };
const names = {
	namesIn: async (_server: string, text: string) =>
		new Map(
			[...text.matchAll(MENTION)].flatMap(([, sign = '', id = '']) => {
				const name = NAMES[id];
				return name === undefined ? [] : [[sign + id, name] as const];
			}),
		),
};
const self = { botUser: 'UBOT' };
const read = (message: Readable) => readMessage(names, 'T1', message, self);
const richText = (...elements: object[]) => [{ type: 'rich_text', elements }];
const section = (...elements: object[]) => richText({ type: 'rich_text_section', elements });
const text = (words: string, style?: object) => ({ type: 'text', text: words, ...(style && { style }) });

describe('Slack’s markup becomes words', () => {
	test.each([
		['1 &lt; 2 &amp; 3 &gt; 2 &amp;lt;', '1 < 2 & 3 > 2 &lt;'],
		['<@U1> and <@U2|bjorn> and <@U3>', '@Ada and @bjorn and @U3'],
		['<#C1> <#C1|> <#C2|general> <#C3>', '#garden #garden #general #C3'],
		['<!subteam^S1> <!subteam^S2|@masters> <!here> <!channel>', '@painters @masters @here @channel'],
		[
			'<https://example.com/a?b=c&amp;d> <https://example.com|a page>',
			'https://example.com/a?b=c&d [a page](https://example.com)',
		],
		['<http://example.com|example.com> <mailto:a@b.c|a@b.c> <mailto:a@b.c>', 'example.com a@b.c a@b.c'],
		[
			'<tel:+4930123456|+49 30 123456> <sip:a@b.c|a@b.c> <slack://open|Open Slack>',
			'+49 30 123456 a@b.c [Open Slack](slack://open)',
		],
		['<!date^1700000000^{date}|Nov 14>', 'Nov 14'],
		['a :fox_face: in the snow :snowflake: :wave::skin-tone-4:', 'a 🦊 in the snow ❄️ 👋🏽'],
		[':man-shrugging::skin-tone-2: :flag-de: :+1::heart: hello:wave:', '🤷🏻‍♂️ 🇩🇪 👍❤️ hello👋'],
		[':partyparrot: 10:30:00 a:b:c 1:100:2 `:b:` ```:b:```', ':partyparrot: 10:30:00 a:b:c 1:100:2 `:b:` ```:b:```'],
		['[&lt;@U1&gt;] :<@U1>:', '[<@U1>] :@Ada:'],
	])('%s', async (markup, words) => {
		expect((await decoderFor(names, 'T1', markup, self))(markup)).toBe(words);
		expect((await read({ text: markup })).text).toBe(words);
	});
});

test.each([
	['<@U2> look, <@UBOT> draw a fox', 'draw a fox'],
	['<@UBOT> <@U2>, <!subteam^S1|@painters> draw <@U1>', 'draw @Ada'],
	['good morning\n<@UBOT|easel> draw a fox', 'draw a fox'],
	['why does <@UBOT> draw foxes?', undefined],
	['<@UBOT> draw a fox', undefined],
])('what is said to the bot in %s', async (markup, words) => {
	expect((await read({ text: markup })).toBot).toBe(words);
});

// What people type after /me is one of them.
test.each([
	[undefined, true],
	['file_share', true],
	['thread_broadcast', true],
	['me_message', true],
	['channel_join', false],
])('a message of the subtype %s was written by somebody: %s', (subtype, written) => {
	expect(isWritten({ subtype })).toBe(written);
});

describe('a message is read with its', () => {
	test('mentions of the bot, which are left out wherever they stand', async () => {
		expect((await read({ text: '<@UBOT>: hello <@U1>, <@UBOT|easel>?' })).text).toBe('hello @Ada?');
		expect(mentionedIn('<@UBOT>: hello <@U1|ada>, <@UBOT>')).toEqual(['UBOT', 'U1', 'UBOT']);
		expect(withoutMentions('<@UBOT>: hello <@U1|ada>, <@UBOT>', self)).toBe('hello <@U1|ada>');
	});

	test('words in blocks, without the signs of their style, rather than its summary', async () => {
		const blocks = richText(
			{
				type: 'rich_text_section',
				elements: [
					...[{ type: 'user', user_id: 'UBOT' }, text(' a '), text('red', { bold: true }), text(' fox & ')],
					...[{ type: 'emoji', name: 'wave', skin_tone: 3 }, text(' '), { type: 'link', url: 'https://a.b/?c&d' }],
					...[text(' '), { type: 'channel', channel_id: 'C1' }, text(' '), { type: 'usergroup', usergroup_id: 'S1' }],
					...[text(' '), { type: 'broadcast', range: 'here' }, text(' '), text('x:b:', { code: true }), text('\n')],
				],
			},
			{
				type: 'rich_text_list',
				style: 'ordered',
				elements: [...section(text('one'))[0]!.elements, ...section(text('two'))[0]!.elements],
			},
			{ type: 'rich_text_quote', elements: [text('said\nshe')] },
			{ type: 'rich_text_preformatted', elements: [text('a < b')] },
			{
				type: 'rich_text_section',
				elements: [
					{ type: 'date', fallback: 'Nov 14' },
					{ type: 'color', value: '#fff' },
				],
			},
		);
		expect((await read({ text: '<@UBOT> a *red* fox', blocks })).text).toBe(
			'a red fox & 👋🏼 https://a.b/?c&d #garden @painters @here `x:b:`\n1. one\n2. two\n> said\n> she\n```\na < b\n```\nNov 14#fff',
		);
	});

	test('words of an app, in its blocks and attachments', async () => {
		const blocks = [
			{ type: 'header', text: { type: 'plain_text', text: 'Alert <1>' } },
			{ type: 'section', text: { type: 'mrkdwn', text: 'for <@U1>' }, fields: [{ type: 'mrkdwn', text: 'high' }] },
			{
				type: 'context',
				elements: [
					{ type: 'mrkdwn', text: 'now' },
					{ type: 'image', image_url: 'https://x/y.png' },
				],
			},
			{ type: 'markdown', text: '**bold** & more' },
			{ type: 'image', image_url: 'https://elsewhere.example/a.png', alt_text: 'a' },
			{ type: 'actions', elements: [{ type: 'button', text: { type: 'plain_text', text: 'Mute' }, action_id: 'a' }] },
			{
				type: 'table',
				rows: [
					[
						{ type: 'raw_text', text: 'Host' },
						{ type: 'raw_text', text: 'Load' },
					],
					[
						{ type: 'rich_text', elements: section(text('web'))[0]!.elements },
						{ type: 'raw_text', text: '9' },
					],
				],
			},
			{ type: 'card', title: { type: 'plain_text', text: 'Card' }, body: { type: 'mrkdwn', text: 'by <@U1>' } },
		];
		const fields = [{ title: 'Owner', value: '<@U1>' }];
		const attachments = [{ title: 'Trace', text: 'at line 1', fields, image_url: 'https://elsewhere.example/b.png' }];
		const { text: words, files } = await read({ bot_id: 'B1', text: 'Alert', blocks, attachments });
		expect(words).toBe(
			'Alert <1>\nfor @Ada\nhigh\nnow\n**bold** & more\nHost | Load\nweb | 9\nCard\nby @Ada\nTrace\nat line 1\nOwner: @Ada',
		);
		expect(files.map(({ id, mode }) => [id, mode])).toEqual([
			['https://elsewhere.example/a.png', 'external'],
			['https://elsewhere.example/b.png', 'external'],
		]);
	});

	test('files: its own, those of its blocks, and those of a message that it forwards, each once', async () => {
		const forwarded = {
			...{ is_share: true, author_name: 'Björn', text: 'My *sea*' },
			files: [{ id: 'F3' }, { id: 'F1' }],
			message_blocks: [{ message: { blocks: section(text('My '), text('sea', { bold: true })) } }],
		};
		const blocks = [
			{ type: 'image', slack_file: { id: 'F2' } },
			{ type: 'image', slack_file: { url: 'https://files.slack.com/files-pri/T1-F4/a.png' } },
			{ type: 'image', slack_file: { url: 'https://atelier.slack.com/files/U1/F5/a.png' } },
		];
		const { files, ...said } = await read({ text: 'look', files: [{ id: 'F1' }], blocks, attachments: [forwarded] });
		expect(files.map(({ id }) => id)).toEqual(['F1', 'F2', 'F4', 'F5', 'F3']);
		expect(said).toMatchObject({ text: 'look', forwarded: { author: 'Björn', text: 'My sea' } });
	});

	test('forwarded words, where its author added none', async () => {
		const attachments = [
			{ is_share: true, author_name: 'Björn', text: 'Draw <@U1>' },
			{ title: 'a preview', image_url: 'https://x/y' },
		];
		expect(await read({ text: '', attachments })).toMatchObject({ text: 'Draw @Ada', files: [] });
	});

	test('lists that are null, as Slack sends empty ones', async () => {
		const nothing = { text: null, files: null, blocks: null, fields: null, message_blocks: null };
		const attachments = [{ ...nothing, is_share: true, text: 'a fox' }];
		expect(await read({ ...nothing, attachments })).toMatchObject({ text: 'a fox', files: [] });
		expect(await read({ ...nothing, text: 'a fox', attachments: null })).toMatchObject({ text: 'a fox', files: [] });
		const parts = [
			{ type: 'text', text: 'a ', style: null },
			{ type: 'emoji', name: 'fox_face', unicode: null, skin_tone: null },
			{ type: 'text', text: null },
			{ type: 'rich_text_section', elements: null },
		];
		const blocks = [{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements: parts }] }];
		expect(await read({ ...nothing, blocks })).toMatchObject({ text: 'a 🦊' });
	});

	test('emoji that are newer than their names here, and those of the workspace', async () => {
		const blocks = section(
			{ type: 'emoji', name: 'of_next_year', unicode: '1faea' },
			{ type: 'emoji', name: 'parrot_gif' },
		);
		expect((await read({ blocks })).text).toBe('\u{1faea}:parrot_gif:');
	});

	test('the fallback of an attachment that has nothing else', async () => {
		expect((await read({ bot_id: 'B1', text: '', attachments: [{ fallback: 'Build 7 failed' }] })).text).toBe(
			'Build 7 failed',
		);
	});
});
