import { AttachmentBuilder, MessageFlags } from 'discord.js';
import { describe, expect } from 'vitest';
import { codeOf, fetchChannel, test } from '../client.fixture.ts';
import { modal } from './components.ts';

const option = (name: string, required = false) => ({ type: 3, name, description: 'a', required });
const choices = (count: number, length = 1) =>
	Array.from({ length: count }, (_, n) => ({ name: `${n}`, value: `${n}`.padEnd(length, 'x') }));
const large = (name: string) => ({ ...option(name), choices: choices(25, 90) });

describe('a body beyond the limits is refused and reported', () => {
	const button = (customId: string, label = 'A') => ({ type: 2, style: 2, label, custom_id: customId });
	const row = (...components: object[]) => ({ type: 1, components });
	const text = (content: string) => ({ type: 10, content });
	const V2 = MessageFlags.IsComponentsV2;

	test.for([
		['2,001 characters', { content: 'x'.repeat(2001) }, 'content'],
		['six rows', { components: Array.from({ length: 6 }, (_, n) => row(button(`${n}`))) }, 'components'],
		['six buttons', { components: [row(...Array.from({ length: 6 }, (_, n) => button(`${n}`)))] }, 'components'],
		['a label of 81 characters', { components: [row(button('a', 'x'.repeat(81)))] }, 'label'],
		['a custom id of 101 characters', { components: [row(button('x'.repeat(101)))] }, 'custom_id'],
		['a link with a custom id', { components: [row({ ...button('a'), url: 'https://easel.test' })] }, 'INVALID_URL'],
		['a custom id used twice', { components: [row(button('a'), button('a'))] }, 'DUPLICATED'],
		['a layout without the flag', { components: [text('hello')] }, 'components'],
		['a layout and a text', { flags: V2, content: 'hello', components: [text('hello')] }, 'LEGACY_FIELDS'],
		['41 components', { flags: V2, components: Array.from({ length: 41 }, () => text('a')) }, 'MAX_TOTAL'],
		[
			'4,001 characters in a layout',
			{ flags: V2, components: [text('x'.repeat(2000)), text('x'.repeat(2001))] },
			'TEXT_SIZE',
		],
		['an unknown attachment', { content: 'a', attachments: [{ id: '0' }] }, 'attachments'],
		[
			'an unknown file in a layout',
			{ flags: V2, components: [{ type: 13, file: { url: 'attachment://a.png' } }] },
			'NOT_FOUND',
		],
		[
			'embeds of 6,001 characters',
			{ embeds: [{ description: 'x'.repeat(4000) }, { description: 'x'.repeat(2001) }] },
			'EMBED_SIZE',
		],
		[
			'contradicting mentions',
			{ content: 'a', allowed_mentions: { parse: ['users'], users: ['1'.repeat(18)] } },
			'EXCLUSIVE',
		],
	] as const)('%s', async ([_, body, word], { discord, login }) => {
		const { client } = await login();
		const channel = discord.world.channel();
		expect(await codeOf(client.rest.post(`/channels/${channel.id}/messages`, { body }))).toBe(50035);
		expect(discord.violations).toEqual([expect.stringContaining(word)]);
		expect(channel.messages.size).toBe(0);
	});

	test.for([
		['that is required and takes none', { min_values: 0 }, 'at least one value'],
		['whose minimum exceeds its maximum', { min_values: 3, max_values: 2 }, 'must not exceed'],
	] as const)('a file upload %s', ([_, counts, message]) => {
		const component = { type: 19, custom_id: 'files', ...counts };
		const body = { custom_id: 'form', title: 'Files', components: [{ type: 18, label: 'Files', component }] };
		expect(modal.safeParse(body).error?.message).toContain(message);
		const optional = { ...component, min_values: 0, required: false };
		const components = [{ type: 18, label: 'Files', component: optional }];
		expect(modal.safeParse({ ...body, components }).success).toBe(true);
	});

	test.for([
		['a title of 46 characters', { type: 23 }, 'x'.repeat(46)],
		['a text of 5,000 characters', { type: 4, style: 1, max_length: 5000 }],
		['a radio group with one option', { type: 21, options: [{ label: '1', value: '1' }] }],
		['an upload of eleven files', { type: 19, max_values: 11 }],
	] as const)('a form with %s', ([_, input, title = 'A form']) => {
		const components = [{ type: 18, label: 'A label', component: { ...input, custom_id: 'input' } }];
		expect(modal.safeParse({ custom_id: 'form', title, components }).success).toBe(false);
	});

	test('no content, a file beyond the limit of the server, and too many files', async ({ discord, login }) => {
		const { client } = await login();
		const channel = await fetchChannel(discord, client);
		discord.world.server().fileBytes = 1000;
		const file = (size: number) => new AttachmentBuilder(Buffer.alloc(size), { name: 'a.png' });
		expect(await codeOf(channel.send({ content: ' ' }))).toBe(50006);
		expect(await codeOf(channel.send({ files: [file(1001)] }))).toBe(40005);
		expect(await codeOf(channel.send({ files: Array.from({ length: 11 }, () => file(10)) }))).toBe(50035);
		expect(discord.violations).toHaveLength(3);
	});

	test.for([
		['a name in capitals', { name: 'Imagine', description: 'a' }, 'lowercase'],
		['no description', { name: 'imagine' }, 'description'],
		[
			'optional before required',
			{ name: 'a', description: 'a', options: [option('b'), option('c', true)] },
			'REQUIRED',
		],
		['an option name used twice', { name: 'a', description: 'a', options: [option('b'), option('b')] }, 'NAME_INVALID'],
		['26 choices', { name: 'a', description: 'a', options: [{ ...option('b'), choices: choices(26) }] }, 'choices'],
		['an unknown locale', { name: 'a', description: 'a', description_localizations: { tlh: 'a' } }, 'localizations'],
		[
			'9,000 characters',
			{ name: 'a', description: 'a', options: [large('b'), large('c'), large('d'), large('e')] },
			'TOO_LARGE',
		],
		['an unknown property', { name: 'a', description: 'a', options: [{ ...option('b'), min_value: 1 }] }, 'min_value'],
		['a menu with a description', { name: 'Edit', type: 3, description: 'a' }, 'description'],
	] as const)('a command with %s', async ([_, body, word], { discord, login }) => {
		const { client } = await login();
		const path = `/applications/${discord.applicationId}/commands` as const;
		expect(await codeOf(client.rest.put(path, { body: [body] }))).toBe(50035);
		expect(discord.violations).toEqual([expect.stringContaining(word)]);
		expect(discord.commands().map(({ name }) => name)).toContain('edit');
	});
});
