import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { answersChat, chatOf } from '../../../packages/fakes/src/chat.ts';
import { answersPictures, smallPng } from '../../../packages/fakes/src/service.ts';
import { ada, BotHarness, moderator } from '../../../test/harness/bot-harness.ts';
import type { Upload } from '../../domain/channel.ts';
import type { IncomingMessage, QuotedMessage } from '../../domain/platform.ts';
import { PROFILES } from '../../service/profiles.ts';
import type { Bot } from '../bot.ts';

let harness: BotHarness;
let bot: Bot;
let said = 0;
let red: Upload;
let blue: Upload;

beforeEach(async () => {
	harness = await BotHarness.create();
	await harness.useService(PROFILES.openai, { chatPictures: 'on' });
	harness.faulty.always(answersChat('Indeed.'));
	bot = await harness.start({ followUpMs: 0 });
	const [one, other] = [await smallPng('#ff0000'), await smallPng('#0000ff')];
	red = { name: 'red.png', read: async () => one };
	blue = { name: 'blue.png', read: async () => other };
});
afterEach(() => harness.close());

const quote = (author: string, text: string, ...uploads: Upload[]): QuotedMessage => ({ author, text, uploads });
const inThread = () => ({ ...harness.channel, place: { ...harness.channel.place, thread: 't' } });
const says = (text: string, more: Partial<IncomingMessage> = {}) =>
	bot.hear({ id: `m${said++}`, text, uploads: [], addressed: true, person: ada, channel: inThread(), ...more });
const last = () => [...harness.messages.values()].at(-1)?.text ?? '';
const asked = () => harness.faulty.requests.filter(({ path }) => path === '/v1/chat/completions');
const prompt = () => {
	const { content } = JSON.parse(String(asked().at(-1)?.body)).messages.at(-1);
	return typeof content === 'string' ? content : content.find(({ type }: { type: string }) => type === 'text').text;
};
const edits = () => harness.faulty.requests.filter(({ path }) => path === '/v1/images/edits');
const sees = (request: { body: unknown } | undefined, bytes: Buffer) =>
	String(request?.body).includes(bytes.toString('base64'));

test('a mention in the middle of a thread brings what was said there, quoted', async () => {
	let reads = 0;
	const before = async () => {
		reads++;
		return [
			quote('Bea', 'Where do we meet?'),
			quote('Cem', 'At\nthe lake'),
			{ ...quote('Easel', 'Fine.'), own: true as const },
		];
	};
	await says('what did they agree on?', { before });
	expect(prompt()).toBe(
		'Said before:\n\n> Bea: Where do we meet?\n\n> Cem: At\n> the lake\n\n> You: Fine.\n\nAda: what did they agree on?',
	);
	// From then on it is a chat, which knows what is said.
	await says('and when?', { before });
	expect(reads).toBe(1);
	expect(JSON.stringify(chatOf(asked().at(-1)).messages)).toContain('> Cem: At');
});

test('a reply brings the message that it replies to, also in a chat, and is not quoted twice', async () => {
	const repliedTo = quote('Bea', 'E = mc²', { name: 'proof.pdf', read: async () => new Uint8Array() });
	await says('explain this to a child', { channel: harness.channel, repliedTo, before: async () => [repliedTo] });
	expect(prompt()).toBe(
		'In reply to:\n\n> Bea: E = mc² (with the files proof.pdf)\n\nAda: explain this to a child (with files that you cannot read: proof.pdf)',
	);
});

test('a quotation is bounded: the first message, the last ones, and the one that is replied to', async () => {
	const long = Array.from({ length: 15 }, (_, index) => quote('Bea', `${index} ${'x'.repeat(1500)}`));
	await says('sum it up', { before: async () => long, repliedTo: quote('Cem', 'y'.repeat(9000)) });
	expect(prompt().length).toBeLessThan(8200);
	expect(prompt()).toMatch(
		/^Said before:\n\n> Bea: 0 x+\n\n> …\n\n> Bea: 14 x+\n\nIn reply to:\n\n> Cem: y{3993}\n\nAda: sum it up$/,
	);
});

test('what the rules forbid, and what nobody asked about, is not read or sent', async () => {
	const options = { words: 'dragon' };
	await bot.invoke({ id: 'ban', command: 'limits ban', options, person: moderator, channel: harness.channel });
	const before = vi.fn(async () => [quote('Bea', 'Here be lions'), quote('Cem', 'a dragon'), quote('Dee', 'a fox')]);
	await says('a dragon?', { before });
	await says('draw a fox', { before });
	await says('forget', { before, channel: harness.channel });
	expect(before).not.toHaveBeenCalled();
	await says('what is it?', { before, channel: { ...inThread(), place: { ...inThread().place, thread: 'u' } } });
	expect(prompt()).toMatch(/Bea: Here be lions\n\n> Dee: a fox/);
	expect(prompt()).not.toContain('Cem');
});

test('a failure to read what was said before is no failure of the answer', async () => {
	await says('hello', { before: () => Promise.reject(new Error('No access')) });
	expect(prompt()).toBe('Ada: hello');
});

test('the words of others are kept for an hour, also for a retry, and go with the thread', async () => {
	await says('agreed?', { before: async () => [quote('Bea', 'At the lake')] });
	const chats = harness.store.space('chats');
	const kept = async () => (await Array.fromAsync(chats.list('context:'))).map(([, text]) => text);
	expect(await kept()).toEqual([expect.stringContaining('At the lake')]);
	const entries = await Array.fromAsync(chats.list('entry:'));
	expect(JSON.stringify(entries)).not.toContain('At the lake');
	await says('forget');
	expect(await kept()).toEqual([]);
});

describe('a picture in a thread that is no chat', () => {
	const before = async () => [quote('Bea', 'look', red), quote('Bea', 'and this', blue), quote('Cem', 'nice')];

	test.each([
		'make it night',
		'Can you remove the background?',
		'mach es blau',
		'夜にして',
		'把它变成夜晚',
		'你能去掉背景吗？',
	])('is edited by %j: the newest one', async (text) => {
		harness.faulty.always(answersPictures(harness.png));
		await says(text, { before });
		expect(asked()).toEqual([]);
		expect(edits()).toHaveLength(1);
		expect(Buffer.from(edits()[0]?.body ?? '').includes(await smallPng('#0000ff'))).toBe(true);
	});

	test('is not edited where it is not clear which one', async () => {
		await says('make it night', { before: async () => [quote('Bea', '', red, blue)] });
		expect(last()).toMatch(/has 2 pictures/);
		expect(harness.faulty.requests).toEqual([]);
	});

	test.each([
		'what is this?',
		'summarize this discussion',
		'danke',
		'Объясни, о чём речь',
		'这是什么？',
		'他们在聊什么呢',
	])('is seen by the model that answers %j', async (text) => {
		await says(text, { before });
		expect(edits()).toEqual([]);
		expect(sees(asked().at(-1), await smallPng('#0000ff'))).toBe(true);
		expect(prompt()).toContain('> Bea: look (with a picture)');
	});

	test('that cannot be read does not keep the question from its answer', async () => {
		const broken = { name: 'a.png', read: async () => Buffer.from('no picture') };
		await says('what do they say?', { before: async () => [quote('Bea', 'no', broken)] });
		expect(last()).toBe('Indeed.');
	});

	test('of a channel is edited by a plain instruction, and else seen', async () => {
		await says('the blue one is sad', { before, channel: harness.channel });
		expect(edits()).toEqual([]);
		expect(sees(asked().at(-1), await smallPng('#0000ff'))).toBe(true);
		harness.faulty.always(answersPictures(harness.png));
		const elsewhere = { ...harness.channel, place: { ...harness.channel.place, channel: 'other' } };
		await says('make it night', { before, channel: elsewhere });
		expect(edits()).toHaveLength(1);
		expect(asked()).toHaveLength(1);
	});

	test('of a channel whose messages cannot be read is the latest public result of the person', async () => {
		harness.faulty.always(answersPictures(harness.png));
		const bea = { ...ada, id: 'bea' };
		await bot.invoke(harness.imagine('open'));
		await bot.invoke({ ...harness.imagine('secret', { private: true }), person: bea });
		await says('make it a sunny day', { channel: harness.channel });
		expect(edits()).toHaveLength(1);
		harness.faulty.always(answersChat('Indeed.'));
		await says('make it a sunny day', { channel: harness.channel, person: bea });
		expect(edits()).toHaveLength(1);
	});
});

describe('an instruction in a chat right after a picture', () => {
	const above =
		(...uploads: Upload[]) =>
		async () => [quote('Bea', 'hm'), quote('Easel', 'a fox', ...uploads)];
	beforeEach(() => says('hello'));

	test.each([
		'make it night',
		'Can you make it darker, please?',
		'now with a hat',
		'without the background',
		'mach den Himmel rot',
		'bitte ohne Hut',
		'ajoute un chapeau',
		'quita el fondo',
		'deixa o céu vermelho',
		'добавь шляпу',
		'夜にしてください',
		'把它变成夜晚',
		'能不能再亮一点？',
		'帽子换成红色',
		'请给它加一顶帽子',
		'不要背景',
		'改成水彩画好吗',
		'把背景換成海灘',
	])('%j edits it', async (text) => {
		harness.faulty.always(answersPictures(harness.png));
		await says(text, { before: above(red) });
		expect(edits()).toHaveLength(1);
	});

	test.each([
		'what is it?',
		'nice',
		'I like the fox',
		'the fox looks sad',
		'make a list of its colours',
		'add a paragraph about foxes',
		'more about foxes, please',
		'can you tell me more?',
		'> make it night',
		'why did you make it night?',
		'mach eine Liste',
		'wie macht man es Nacht?',
		'fais un résumé',
		'haz una lista',
		'сделай список',
		'夜にした理由を教えて',
		'这是什么',
		'真好看',
		'我喜欢这只狐狸',
		'把这段话翻译成英文',
		'换个话题',
		'更多关于狐狸的信息',
		'变成夜晚会怎么样？',
		'能告诉我它是什么品种吗？',
		'为什么把它变成夜晚',
		'把計劃寫短一點',
		'`make it night` is what I said',
	])('%j is answered in words', async (text) => {
		await says(text, { before: above(red) });
		expect(edits()).toEqual([]);
		expect(asked()).toHaveLength(2);
	});

	test('changes nothing further up, and asks which of several pictures is meant', async () => {
		await says('make it night', { before: async () => [quote('Easel', '', red), quote('Bea', 'hm')] });
		expect(edits()).toEqual([]);
		await says('make it night', { before: above(red, blue) });
		expect(last()).toMatch(/has 2 pictures/);
	});

	test('changes the result of a minute ago where the platform tells nothing of what was said', async () => {
		harness.faulty.always(answersPictures(harness.png));
		await says('draw a fox');
		await says('make it night');
		expect(edits()).toHaveLength(1);
		expect(Buffer.from(edits()[0]?.body ?? '').includes(harness.png)).toBe(true);
	});
});

test.each<[ideas: string, text: string, prompt: string | undefined]>([
	['give me ideas for a poster', 'the second one', 'A boat'],
	['give me ideas for a poster', 'draw 2', 'A boat'],
	['Gib mir Ideen für ein Plakat', 'das zweite', 'A boat'],
	['Gib mir Ideen für ein Plakat', 'zeichne die zweite Idee', 'A boat'],
	['des idées pour une affiche', 'dessine la deuxième', 'A boat'],
	['ideas para un cartel', 'dibuja el segundo', 'A boat'],
	['ideias para um cartaz', 'desenha a última', 'A boat'],
	['идеи для плаката', 'нарисуй вторую', 'A boat'],
	['ポスターの案をください', '二番目を描いて', 'A boat'],
	['how do I bake bread?', 'the second one', undefined],
	['give me ideas for a poster', '2', undefined],
	['give me ideas for a poster', 'the second one is nice', undefined],
	['give me ideas for a poster', 'the third one', undefined],
])('after %j, %j draws %j', async (ideas, text, prompt) => {
	harness.faulty.next(answersChat('1. A fox\n2. **A boat**'));
	await says(ideas);
	harness.faulty.always(prompt === undefined ? answersChat('Indeed.') : answersPictures(harness.png));
	await says(text);
	const made = harness.faulty.requests.filter(({ path }) => path === '/v1/images/generations');
	expect(made.map(({ body }) => JSON.parse(String(body)).prompt)).toEqual(prompt === undefined ? [] : [prompt]);
});
