import type { APIAttachment, APIMessage } from 'discord.js';
import { describe, expect, test } from 'vitest';
import { fileKindOf } from '../../../domain/channel.ts';
import { filesOf, readMessage } from './message-reader.ts';

const message = (properties: object) =>
	({ content: '', attachments: [], embeds: [], ...properties }) as unknown as APIMessage;
const attachment = (properties: object) =>
	({
		id: '1',
		url: `https://cdn.discordapp.com/${crypto.randomUUID()}`,
		filename: 'fox.png',
		size: 1,
		...properties,
	}) as APIAttachment;
const media = (name: string, properties: object = {}) => ({ url: `https://cdn.discordapp.com/${name}`, ...properties });
const preview = (type: string, url: string) => ({
	...{ type, url },
	thumbnail: { url, proxy_url: `https://images-ext-1.discordapp.net/external/x/${encodeURIComponent(url)}` },
});

const read = (content: string) => readMessage(message({ content }), { self: ['1'], nameOf: () => undefined });
const wordsOf = (content: string) => read(content).text;

test.each([
	['<@1> see <id:linked-roles:123> and <id:browse>', 'see linked-roles and browse'],
	['who is <@&5>, in <#6>?', 'who is @deleted-role, in #unknown?'],
	['**<@!1>** hello', 'hello'],
	['# <@1> draw a fox', 'draw a fox'],
	['-# <@1> draw a fox', 'draw a fox'],
	['@everyone <@1> draw a fox', 'draw a fox'],
	['||<@1> draw a fox||', 'draw a fox'],
	['||<@1> draw|| a ||fox||', '|| draw|| a ||fox||'],
	['#general and @everyone', '#general and @everyone'],
])('the words of %s', (content, expected) => {
	expect(wordsOf(content)).toBe(expected);
});

test.each([
	['<@2> look, <@1> draw a fox', 'draw a fox'],
	['<@1> <@2>, <@&3> draw a fox', 'draw a fox'],
	['<@2> <@1> can you draw a fox?', 'can you draw a fox?'],
	['<@2> draw a fox', 'draw a fox'],
	['why does <@1> draw foxes?', undefined],
	['let nobody but <@1> draw a fox', undefined],
	['“<@1> draw a fox” is what she said', undefined],
	['good morning ☀️ <@1> draw a fox', 'draw a fox'],
	['good morning\n<@1> draw a fox', 'draw a fox'],
	['<@1> draw a fox', undefined],
	['draw a fox', undefined],
])('what is said to the bot in %s', (content, expected) => {
	expect(read(content).toBot).toBe(expected);
});

describe('files', () => {
	/** Covered ones end with `!`. */
	const kindsOf = (properties: object) =>
		filesOf(message(properties)).map(
			({ filename, content_type, covered }) =>
				fileKindOf({ name: filename, type: content_type }) + (covered ? '!' : ''),
		);

	test.each<[string, object, string[]]>([
		['without a type', { attachments: [attachment({ content_type: null })] }, ['picture']],
		['marked as spoilers by a flag', { attachments: [attachment({ flags: 8 })] }, ['picture!']],
		['that move', { attachments: [attachment({ content_type: 'image/webp', flags: 32 })] }, ['picture']],
		[
			'of a covered container',
			{
				components: [
					{
						type: 17,
						spoiler: true,
						components: [
							{ type: 12, items: [{ media: media('a.png') }] },
							{ type: 9, components: [], accessory: { type: 11, media: media('b.png') } },
							{ type: 13, file: media('1'), name: 'report.pdf', size: 3 },
						],
					},
				],
			},
			['picture!', 'picture!', 'other!'],
		],
		[
			'of a gallery that Discord has not looked at yet',
			{
				components: [
					{
						type: 12,
						items: [{ media: { url: 'https://example.com/image?id=5', proxy_url: '', content_type: null } }],
					},
				],
			},
			['picture'],
		],
		[
			'of links between bars',
			{
				content: 'one https://example.com/a.png, ||two https://example.com/b.png||',
				embeds: [preview('image', 'https://example.com/a.png'), preview('image', 'https://example.com/b.png')],
			},
			['picture', 'picture!'],
		],
		[
			'of an open bar',
			{ content: '|| https://example.com/a.png', embeds: [preview('image', 'https://example.com/a.png')] },
			['picture'],
		],
	])('%s', (_, properties, expected) => {
		expect(kindsOf(properties)).toEqual(expected);
	});

	test.each(['image', 'gifv'])('of the links to an %s take the place of these links', (type) => {
		const content = 'look https://example.com/a here';
		const { text, files } = readMessage(message({ content, embeds: [preview(type, 'https://example.com/a')] }), {
			self: [],
			nameOf: () => undefined,
		});
		expect(text).toBe('look  here');
		expect(files).toHaveLength(1);
	});

	test('that preview a page are shown, and no part of what the message says', () => {
		const { embeds } = {
			embeds: ['article', 'link', 'video', 'image'].map((type) => preview(type, `https://example.com/${type}`)),
		};
		expect(filesOf(message({ embeds }))).toHaveLength(4);
		const { files } = readMessage(message({ embeds }), { self: [], nameOf: () => undefined });
		expect(files.map(({ url }) => url)).toEqual([expect.stringMatching(/image$/)]);
	});
});
