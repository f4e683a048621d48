import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { answersChat, chatOf } from '../../packages/fakes/src/chat.ts';
import { answersPictures } from '../../packages/fakes/src/service.ts';
import { ada, BotHarness } from '../../test/harness/bot-harness.ts';
import type { IncomingMessage } from '../domain/platform.ts';
import { PROFILES } from '../service/profiles.ts';
import type { Bot } from './bot.ts';

let harness: BotHarness;
let bot: Bot;
let requests = 0;
beforeEach(async () => {
	harness = await BotHarness.create();
	const models = { image: 'alpha-image', chat: 'chat', embedding: 'embedding', moderation: 'moderation' };
	await harness.useService(PROFILES.easel, { models });
	harness.faulty.always(async (exchange) => {
		const isFlagged = /poison/.test(String(await exchange.read()));
		if (!exchange.request.path.endsWith('/moderations'))
			return (/chat/.test(exchange.request.path) ? answersChat('Indeed.') : answersPictures(harness.png))(exchange);
		const results = [{ flagged: isFlagged, categories: { violence: isFlagged } }];
		exchange.response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ results }));
	});
	bot = await harness.start({ followUpMs: 0 });
});
afterEach(() => harness.close());

async function invoke(command: string, options: Record<string, unknown> = {}, person = ada) {
	const id = `r${++requests}`;
	await bot.invoke({ id, command, options, person, channel: harness.channel });
	return harness.seen(id);
}
const mod = { id: 'mod', name: 'Mod', moderator: true };
const moderate = (command: string, options: Record<string, unknown>) => invoke(command, options, mod);
const says = async (text: string, more: Partial<IncomingMessage> = {}) => {
	const id = `m${++requests}`;
	const place = { ...harness.channel.place, thread: 't' };
	const channel = { ...harness.channel, place };
	await bot.hear({ id, text, uploads: [], person: ada, channel, addressed: false, ...more });
	return harness.seen(id);
};
const asked = (path: string) => harness.faulty.requests.filter((request) => request.path.endsWith(path));
const times = <T>(count: number, work: (index: number) => Promise<T>) =>
	Promise.all(Array.from({ length: count }, (_, index) => work(index)));

describe('words that are searched for are not embedded', () => {
	test('for a blocked member', async () => {
		await moderate('limits block', { member: 'ada' });
		const replies = await times(60, (index) => invoke('find', { words: `fox ${index}` }));
		expect(harness.faulty.embedded).toEqual([]);
		expect(replies[0]).toMatchObject({ visibility: 'private', text: expect.stringMatching(/blocked/) });
	});

	test('outside of the allowed channels', async () => {
		await moderate('limits allow', { channel: 'elsewhere' });
		expect((await invoke('find', { words: 'fox' }))?.text).toMatch(/only in/);
		expect(harness.faulty.embedded).toEqual([]);
	});

	test('more than 20 times a minute', async () => {
		const replies = await times(60, (index) => invoke('find', { words: `fox ${index}` }));
		expect(harness.faulty.embedded).toHaveLength(20);
		expect(replies.at(-1)?.text).toMatch(/many times.*Nothing was counted.*Try again in \d+ s/);
	});
});

describe('the moderation model is not asked', () => {
	test('about requests over a cap, by commands and by buttons', async () => {
		await invoke('imagine', { prompt: 'a fox', n: 1 });
		const result = [...harness.messages].find(([, { pictures }]) => pictures)?.[0] ?? '';
		await moderate('limits set', { scope: 'member', period: 'day', images: 0 });
		const before = harness.faulty.requests.length;
		await times(40, (index) => invoke('imagine', { prompt: `fox ${index}` }));
		const buttons = (harness.seen(result)?.buttons ?? []).filter(({ id }) => /^(again|vary):/.test(id));
		expect(buttons).toHaveLength(2);
		for (const { id } of buttons) await harness.press(bot, `p${++requests}`, id, result);
		expect(harness.faulty.requests).toHaveLength(before);
	});

	test('about chats over a cap, whose pictures are not read either', async () => {
		await moderate('limits set', { scope: 'member', period: 'day', images: 0, what: 'chat' });
		let reads = 0;
		const read = async () => {
			reads++;
			return harness.png;
		};
		const uploads = [{ name: 'a.png', read }];
		const replies = await times(40, () => says('What is this?', { addressed: true, uploads }));
		expect(replies[0]?.text).toMatch(/0 of 0/);
		expect([harness.faulty.requests.length, reads]).toEqual([0, 0]);
	});

	test('about messages between people, until a turn is about to send them to the chat model', async () => {
		await says('Hello', { addressed: true });
		await bot.press({
			...{ id: 'only', button: 'mentions:1:only', person: ada, message: { place: harness.channel.place, key: 'x' } },
			...{ channel: { ...harness.channel, place: { ...harness.channel.place, thread: 't' } }, attached: [] },
			open: async () => {},
		});
		const before = asked('/moderations').length;
		for (let index = 0; index < 20; index++) await says(index === 7 ? 'The poison is ready' : `Bjorn, hello ${index}`);
		expect(asked('/moderations')).toHaveLength(before);
		await says('What did we say?', { addressed: true });
		const history = JSON.stringify(chatOf(asked('/chat/completions').at(-1) as never));
		expect(history).toContain('Bjorn, hello 19');
		expect(history).not.toContain('poison');
		const after = asked('/moderations').length;
		expect(after - before).toBeLessThan(14);
		await says('And then?', { addressed: true });
		expect(asked('/moderations')).toHaveLength(after + 1);
	});
});

test('forgetting a thread and drawing need no chat cap', async () => {
	await says('Hello', { addressed: true });
	await moderate('limits set', { scope: 'member', period: 'day', images: 0, what: 'chat' });
	await says('draw a fox', { addressed: true });
	expect(asked('/images/generations')).toHaveLength(1);
	expect((await says('forget', { addressed: true }))?.text).toMatch(/forgot/i);
});

test('threads that are opened without a chat turn are bounded, and those of other people are not', async () => {
	const replies = [];
	for (let index = 0; index < 110; index++) replies.push(await invoke('chat'));
	expect(replies.filter((reply) => /opened 100 threads/.test(reply?.text ?? ''))).toHaveLength(10);
	const { channel } = harness;
	const mention = { channel, addressed: true };
	expect((await says('draw a fox', mention))?.text).toMatch(/opened 100 threads/);
	expect((await invoke('chat', {}, mod))?.text ?? '').not.toMatch(/opened 100/);
	expect(asked('/images/generations')).toEqual([]);
});
