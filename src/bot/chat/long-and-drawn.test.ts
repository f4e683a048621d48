import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { answersChat, chatOf } from '../../../packages/fakes/src/chat.ts';
import { answers, held, smallPng } from '../../../packages/fakes/src/service.ts';
import { ada, BotHarness, moderator } from '../../../test/harness/bot-harness.ts';
import type { Bot } from '../bot.ts';

let harness: BotHarness;
let bot: Bot;
let png: Buffer;
let said = 0;
beforeEach(async () => {
	harness = await BotHarness.create();
	bot = await harness.start({ followUpMs: 0 });
	png = await smallPng('#123456');
});
afterEach(() => harness.close());

const channel = () => ({ ...harness.channel, place: { ...harness.channel.place, thread: 't' } });
const says = (text: string) =>
	bot.hear({ id: `m${said++}`, text, uploads: [], addressed: true, person: ada, channel: channel() });
const posted = () =>
	[...harness.messages].filter(([key]) => key.startsWith('chat.')).map(([key, reply]) => ({ key, ...reply }));
/** Returns the press of a button that is there now. */
const prepared = (label: string, person = ada) => {
	const found = posted().findLast(({ buttons = [] }) => buttons.some((button) => button.label === label));
	const { id } = found!.buttons!.find((button) => button.label === label)!;
	const message = { place: channel().place, key: found!.key };
	const press = { id: `p${said++}`, button: id, person, channel: channel(), message, attached: [] };
	return () => bot.press({ ...press, open: async () => {} });
};
const press = (label: string) => prepared(label)();
const streamed = (...deltas: object[]) =>
	answers(
		200,
		`${deltas.map((delta) => `data: ${JSON.stringify({ choices: [{ delta }] })}\n\n`).join('')}data: [DONE]\n\n`,
		{ 'content-type': 'text/event-stream' },
	);
const image = (bytes: Buffer) => ({
	type: 'image_url',
	image_url: { url: `data:image/png;base64,${bytes.toString('base64')}` },
});
const chats = () => harness.faulty.requests.filter(({ path }) => path === '/v1/chat/completions');

test.each([
	['in pieces', Array.from({ length: 40 }, () => ({ content: 'word '.repeat(100) }))],
	['at once', [{ content: 'word '.repeat(4000) }]],
])('an answer that comes %s ends at 12,500 characters, and Continue goes on with another turn', async (_, deltas) => {
	harness.faulty.next(streamed(...deltas));
	await says('Write a book');
	const texts = posted().map(({ text }) => text);
	expect(texts.join(' ').match(/word/g)).toHaveLength(2500);
	expect(texts.at(-1)).toMatch(/The answer has 12,500 characters, the most for one turn/);
	expect(
		posted()
			.at(-1)
			?.buttons?.map(({ label }) => label),
	).toEqual(['Continue', 'Retry', 'Draw this', 'Forget']);
	harness.faulty.next(answersChat('The end.'));
	await press('Continue');
	expect(posted().at(-1)?.text).toBe('The end.');
	const { messages } = chatOf(chats().at(-1));
	expect(messages.at(-2)?.content).toHaveLength(12_500);
	expect(messages.at(-1)?.content).toMatch(/^Ada: Continue exactly where/);
	await press('Continue');
	expect(chats()).toHaveLength(2);
});

test.each([
	['one person', ada],
	['a moderator as well', moderator],
])('a button that is pressed twice at once, by %s, does once what it does', async (_, other) => {
	const pressTwice = (label: string) => Promise.all([press(label), prepared(label, other)()]);
	harness.faulty.next(answersChat('word '.repeat(4000)));
	await says('Write a book');
	harness.faulty.next(answersChat('word '.repeat(4000)));
	await pressTwice('Continue');
	expect(chats()).toHaveLength(2);
	const retried = held(answersChat('Another end.'));
	harness.faulty.next(retried.behaviour);
	const again = prepared('Retry', other);
	const first = press('Retry');
	await vi.waitFor(() => expect(chats()).toHaveLength(3));
	const second = again();
	retried.release();
	await Promise.all([first, second]);
	expect(chats()).toHaveLength(3);
	await pressTwice('Forget');
	expect([...harness.messages.values()].filter(({ text }) => /^Forgotten/.test(text))).toHaveLength(1);
});

test('pictures in an answer are posted below its text, with the question as alt text', async () => {
	harness.faulty.next(streamed({ content: 'Here: ' }, { images: [image(png)] }, { content: 'done.' }));
	await says('Tell @everyone of a fox');
	const [words, pictures] = posted();
	expect(words?.text).toBe('Here: done.');
	expect(pictures).toMatchObject({ text: 'AI-generated for Ada', pictures: [{ alt: 'Tell @everyone of a fox' }] });
	expect(Buffer.from(pictures?.pictures?.[0]?.bytes ?? [])).toEqual(png);
	harness.faulty.next(answersChat('Thanks.'));
	await says('Nice');
	expect(chatOf(chats().at(-1)).messages.at(-2)?.content).toBe('Here: done.\n(with a picture that you drew)');
});

test('an answer of a picture alone is one, and a retry replaces it', async () => {
	harness.faulty.next(streamed({ content: `![fox](data:image/png;base64,${png.toString('base64')})` }));
	await says('A fox');
	expect(posted()).toMatchObject([{ pictures: [{ name: 'a-fox-1.png' }], buttons: [{ label: 'Retry' }] }]);
	expect(posted()[0]?.text).not.toContain('base64');
	harness.faulty.next(answersChat('No fox.'));
	await press('Retry');
	expect(posted().map(({ text }) => text)).toEqual(['No fox.']);
});

test('pictures of an answer are covered or left out where moderators have set that', async () => {
	const set = (command: string, options: Record<string, unknown>) =>
		bot.invoke({ id: `i${said++}`, command, options, person: moderator, channel: harness.channel });
	harness.faulty.always(streamed({ content: 'Here.' }, { images: [image(png)] }));
	await set('limits spoiler', { on: true });
	await says('A fox');
	expect(posted().at(-1)?.pictures).toMatchObject([{ spoiler: true }]);
	await set('limits settings', { log: 'log' });
	await set('limits review', { on: true });
	const before = posted().length;
	await says('A fox');
	expect(posted()).toHaveLength(before + 1);
	expect(posted().at(-1)?.text).toMatch(/^Here\.\n\nModerators review pictures here/);
});

test('reasoning that is known as such by its end alone does not stay', async () => {
	harness.faulty.next(
		streamed({ content: `${'I think. '.repeat(400)}` }, { content: 'So.</think>' }, { content: 'A fox.' }),
	);
	await says('Who?');
	expect(posted().map(({ text }) => text)).toEqual(['A fox.']);
	expect(await harness.openJobs()).toEqual([]);
});

test('a table in an answer is readable where the platform shows none, also while it is written', async () => {
	const answer = 'Two:\n\n| Name | Age |\n|---|--:|\n| Ada | 36 |\n\n| Page |\n|---|\n| [a](https://a.example) |';
	harness.faulty.next(answersChat(answer));
	const limits = { ...harness.channel.limits, noTables: true as const };
	const there = { ...channel(), limits };
	await bot.hear({ id: 'table', text: 'Who?', uploads: [], addressed: true, person: ada, channel: there });
	expect(posted().at(-1)?.text).toBe(
		'Two:\n\n```\nName  Age\n────  ───\nAda    36\n```\n\n- **Page:** [a](https://a.example)',
	);
});
