import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { commands } from '../../../commands/index.ts';
import { answersChat, chatOf, streamedAnswer } from '../../../packages/fakes/src/chat.ts';
import { eventually } from '../../../packages/fakes/src/eventually.ts';
import { answers, type FaultyService, smallPng, startFaultyService } from '../../../packages/fakes/src/service.ts';
import type { Channel, Person, Place, Post, Reply } from '../../domain/channel.ts';
import type { IncomingMessage, Platform } from '../../domain/platform.ts';
import { Easel } from '../../easel.ts';
import { PlatformRefusedError } from '../../i18n/translator.ts';
import { createLog } from '../../log.ts';
import { ServiceClient } from '../../service/client.ts';
import type { Service } from '../../service/service.ts';
import { openStore } from '../../store/open-store.ts';
import type { Store } from '../../store/store.ts';
import type { Lease } from '../../usage/lease.ts';
import { Bot } from '../bot.ts';

/** A platform that stores its messages in a map, by thread and key. */
function paperPlatform() {
	const messages = new Map<string, Reply>();
	const typed: string[] = [];
	/** While it is, nothing can be posted or edited. */
	const outage: { is: boolean; error?: Error } = { is: false };
	let threads = 0;
	const nameOf = ({ thread = '' }: Place, key: string) => `${thread}/${key}`;
	function postOf(place: Place, key: string): Post {
		return {
			handle: { place, key },
			async edit(reply) {
				if (outage.is) throw outage.error ?? new Error('Service Unavailable');
				messages.set(nameOf(place, key), reply);
			},
			async delete() {
				messages.delete(nameOf(place, key));
			},
		};
	}
	function channelOf(place: Place): Channel {
		return {
			place,
			limits: { text: 2000, pictures: 10, pictureBytes: 10 ** 7, edits: { count: 50, perMs: 1000 } },
			async post(reply, key) {
				if (outage.is) throw outage.error ?? new Error('Service Unavailable');
				messages.set(nameOf(place, key), reply);
				return postOf(place, key);
			},
			openThread: async () => channelOf({ ...place, thread: `t${++threads}` }),
			typing: async () => void typed.push(place.thread ?? place.channel),
			when: (at) => new Date(at).toISOString(),
			refer: (_, id) => id,
		};
	}
	const platform: Platform = {
		name: 'paper',
		start: async () => {},
		stop: async () => {},
		state: () => 'ready',
		find: async ({ place, key }) => (messages.has(nameOf(place, key)) ? postOf(place, key) : undefined),
		channel: async (place) => channelOf(place),
		direct: async () => undefined,
	};
	return { messages, typed, outage, platform, channelOf };
}

const ada: Person = { id: 'ada', name: 'Ada', moderator: false };
const home: Place = { platform: 'paper', server: 'club', channel: 'general' };

describe('a chat thread', () => {
	let faulty: FaultyService;
	let service: Service;
	let store: Store;
	let paper: ReturnType<typeof paperPlatform>;
	let bot: Bot;
	let leases: Lease[];
	let asked = 0;

	beforeEach(async () => {
		faulty = await startFaultyService();
		faulty.always(answersChat('Indeed.'));
		service = new ServiceClient({
			baseUrl: faulty.url,
			timeoutMs: 5000,
			models: { image: 'image', chat: 'chat', embedding: 'embedding' },
		});
		store = await openStore('memory:');
		paper = paperPlatform();
		leases = [];
		bot = await start();
	});
	afterEach(async () => {
		await bot.stop(0);
		await service.close();
		await faulty.close();
		await store.close();
	});

	/** @param earlier whether the processes that were started before have ended */
	async function start(followUpMs = 0, earlier = 'ended', platforms = [paper.platform]): Promise<Bot> {
		if (earlier === 'ended')
			for (const lease of leases.splice(0)) {
				await lease.release();
				lease.renew = async () => {};
			}
		const log = await createLog({ level: 'silent', format: 'json', secrets: [] });
		const easel = new Easel({ service, store, platforms, commands, log, plan: { price: 30 }, followUpMs });
		leases.push(easel.lease);
		const next = new Bot(easel);
		await next.start();
		return next;
	}
	const inThread = (thread = 't1') => paper.channelOf({ ...home, thread });
	const open = (options: Record<string, unknown>, id = `open${asked++}`) =>
		bot.invoke({ id, command: 'chat', options, person: ada, channel: paper.channelOf(home) });
	const says = (text: string, more: Partial<IncomingMessage> = {}) =>
		bot.hear({
			id: `m${asked++}`,
			text,
			uploads: [],
			person: ada,
			channel: inThread(),
			addressed: false,
			...more,
		});
	const texts = () => [...paper.messages.values()].map(({ text }) => text);
	const stored = async () => (await Array.fromAsync(store.space('chats').list(''))).map(([key]) => key);
	const chats = () => faulty.requests.map(chatOf);

	describe('an answer in an outage of the platform', () => {
		/** Asks, and loses the platform in the middle of the answer. */
		async function asksInOutage() {
			const answer = streamedAnswer();
			faulty.next(answer.behaviour);
			const answered = open({ prompt: 'Tell me of foxes' });
			await faulty.arrived(1);
			await answer.sends('Foxes are small.');
			await eventually(() => expect(texts().join()).toContain('Foxes are'));
			paper.outage.is = true;
			await answer.sends(' They eat mice.');
			await answer.ends();
			// Between the attempts to show it pass seconds. The clock goes on from where it is.
			const began = performance.now();
			vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
			vi.advanceTimersByTime(began);
			const passing = setInterval(() => vi.advanceTimersByTime(1000), 1);
			await answered;
			clearInterval(passing);
			vi.useRealTimers();
			expect(texts().join()).not.toContain('mice');
		}

		test('is completed once it is over', async () => {
			await asksInOutage();
			await bot.sweep();
			paper.outage.is = false;
			const other = await start(0, 'alive');
			const seal = { id: 'seal', text: 'And what do seals eat?', uploads: [], person: ada, channel: inThread() };
			await other.hear({ ...seal, addressed: false });
			expect(texts().at(-1)).toBe('Indeed.');
			const later = Date.now() + 60_000;
			const now = vi.spyOn(bot.easel, 'now').mockReturnValue(later);
			await bot.sweep();
			now.mockRestore();
			const answer = [...paper.messages.values()].find(({ text }) => text.includes('mice'));
			expect(answer?.text).toBe('Foxes are small. They eat mice.');
			expect(answer?.buttons?.map(({ label }) => label)).toContain('Retry');
			await says('And what do owls eat?');
			expect(
				chats()
					.at(-1)
					?.messages.map(({ content }) => content),
			).toContain('Foxes are small. They eat mice.');
		});

		test('is completed by the next process when its own has ended meanwhile', async () => {
			await asksInOutage();
			paper.outage.is = false;
			await (await start()).sweep();
			expect(texts().at(-1)).toBe('Foxes are small. They eat mice.');
		});
	});

	test('shows typing until the first text of the answer is visible', async () => {
		vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
		try {
			const answer = streamedAnswer();
			faulty.next(answer.behaviour);
			const answered = open({ prompt: 'Tell me of foxes' });
			await faulty.arrived(1);
			vi.advanceTimersByTime(20_000);
			expect(paper.typed).toEqual(['t1', 't1', 't1']);
			await answer.sends('Foxes are small.');
			await eventually(() => expect(texts().join()).toContain('Foxes are'));
			vi.advanceTimersByTime(20_000);
			await answer.ends();
			await answered;
			vi.advanceTimersByTime(20_000);
			expect(paper.typed).toHaveLength(3);
		} finally {
			vi.useRealTimers();
		}
	});

	test('does not read or store messages from other places', async () => {
		await says('Nobody asked you.');
		await says('Nor here.', { channel: paper.channelOf(home) });
		expect(faulty.requests).toEqual([]);
		expect(paper.messages.size).toBe(0);
		expect(await stored()).toEqual([]);
	});

	test('is opened once, and each turn is answered once, when their events are delivered twice', async () => {
		await Promise.all([open({ prompt: 'Hello' }, 'same'), open({ prompt: 'Hello' }, 'same')]);
		await Promise.all([says('And?', { id: 'twice' }), says('And?', { id: 'twice' })]);
		await says('And?', { id: 'twice' });
		expect(chats()).toHaveLength(2);
		expect(chats()[1]?.messages.map(({ content }) => content)).toEqual(['Ada: Hello', 'Indeed.', 'Ada: And?']);
	});

	test('takes no memory while it is idle', async () => {
		const threads = Array.from({ length: 10_000 }, (_, index) => `t${index}`);
		const keyv = store.space('chats').keyv;
		for (const thread of threads)
			await keyv.set(`thread:paper:club:general:${thread}`, { place: { ...home, thread }, mentionsOnly: false });
		await Promise.all(threads.slice(0, 50).map((thread) => says('Hello', { channel: inThread(thread) })));
		expect(faulty.requests).toHaveLength(50);
		expect(bot.easel.turns.busyThreads).toBe(0);
	});

	test('drops its oldest messages when it is too long, and says so once', async () => {
		await open({});
		for (let turn = 0; turn < 5; turn++) await says(`${turn} ${'x'.repeat(9000)}`);
		const sent = chats().map(({ messages }) => messages.map(({ content }) => content).join(''));
		expect(sent[0]).toMatch(/Ada: 0 /);
		expect(sent[4]).not.toMatch(/Ada: [012] /);
		expect(sent[4]).toMatch(/Ada: 4 /);
		for (const text of sent) expect(text.length).toBeLessThan(25_000);
		expect(texts().filter((text) => text.includes('This thread is long'))).toHaveLength(1);
	});

	test('does not answer a message that is deleted before its turn', async () => {
		await open({});
		await bot.stop(0);
		bot = await start(200);
		const saying = says('Oops', { id: 'oops' });
		await eventually(async () => expect((await stored()).some((key) => key.startsWith('entry:'))).toBe(true));
		await bot.changed({ id: 'oops', place: { ...home, thread: 't1' } });
		await saying;
		expect(faulty.requests).toEqual([]);
	});

	test('no longer sends a deleted answer to the model', async () => {
		await open({ prompt: 'Hello' });
		const [key] = [...paper.messages].find(([, { text }]) => text === 'Indeed.') ?? [''];
		await bot.changed({ id: key.split('/')[1] ?? '', place: { ...home, thread: 't1' } });
		await says('And?');
		expect(chats()[1]?.messages).toEqual([{ role: 'user', content: 'Ada: Hello\n\nAda: And?' }]);
	});

	test('leaves nothing in the store when it is deleted, even during an answer', async () => {
		await open({ prompt: 'Hello' });
		const answer = streamedAnswer();
		faulty.next(answer.behaviour);
		const saying = says('A long story');
		await answer.sends('Once upon');
		await bot.forget({ ...home, thread: 't1' });
		await answer.aborted;
		await saying;
		expect((await stored()).filter((key) => !key.startsWith('seen:'))).toEqual([]);
		await says('Hello?');
		expect(faulty.requests).toHaveLength(2);
	});

	test('after a crash, marks the unfinished answer as interrupted and answers the messages that waited', async () => {
		await open({ prompt: 'Hello' });
		const answer = streamedAnswer();
		faulty.next(answer.behaviour);
		vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
		void says('A long story');
		await answer.sends('Once upon a time');
		await eventually(() => expect(texts().join()).toContain('Once upon a time'));
		await vi.advanceTimersByTimeAsync(1000);
		vi.useRealTimers();
		await eventually(async () =>
			expect(JSON.stringify(await Array.fromAsync(store.space('chats').list('entry:')))).toContain('Once upon a time'),
		);
		void says('Are you there?');
		await eventually(async () => expect((await stored()).filter((key) => key.startsWith('entry:'))).toHaveLength(5));

		// As if the first process had been killed.
		const before = bot;
		bot = await start();
		await bot.sweep();
		await eventually(() => expect(texts().filter((text) => text === 'Indeed.')).toHaveLength(2));
		const cut = [...paper.messages.values()].find(({ text }) => text.includes('Interrupted'));
		expect(cut?.text).toMatch(/^Once upon a time\n+\*Interrupted/);
		expect(cut?.buttons?.map(({ label }) => label)).toContain('Retry');
		expect(chats().at(-1)?.messages.at(-1)?.content).toBe('Ada: Are you there?');
		await before.stop(0);
	});

	test('after a crash, is not asked for again and again where its thread takes no answer any more', async () => {
		await open({ prompt: 'Hello' });
		const answer = streamedAnswer();
		faulty.next(answer.behaviour);
		void says('A long story');
		await answer.sends('Once upon a time');
		await eventually(() => expect(texts().join()).toContain('Once upon a time'));

		const before = bot;
		bot = await start();
		const openJobs = () => store.space('ledger').members('open', { limit: 10 });
		expect(await openJobs()).toHaveLength(1);
		paper.outage.is = true;
		await bot.sweep();
		// The platform may only be out of reach.
		expect(await openJobs()).toHaveLength(1);
		paper.outage.error = new PlatformRefusedError('slack.errors.goneThread');
		await bot.sweep();
		expect(await openJobs()).toEqual([]);
		paper.outage.is = false;
		await before.stop(0);
	});

	test('after a crash, answers a message that had not been sent to the service', async () => {
		await open({});
		await bot.stop(0);
		const killed = await start(60_000);
		bot = killed;
		void says('Hello?');
		await eventually(async () => expect((await stored()).some((key) => key.startsWith('waiting:'))).toBe(true));
		await eventually(async () => expect((await stored()).some((key) => key.startsWith('entry:'))).toBe(true));
		// A process that does not run the platform leaves the message alone.
		const elsewhere = await start(0, 'ended', [{ ...paper.platform, name: 'other' }]);
		await elsewhere.sweep();
		await elsewhere.stop(0);
		bot = await start();
		await bot.sweep();
		await eventually(() => expect(texts()).toContain('Indeed.'));
		await killed.stop(0);
		expect(faulty.requests).toHaveLength(1);
	});

	test('has one turn at a time in two processes; messages that the other receives join the next turn', async () => {
		await open({ prompt: 'Hello' });
		const second = await start(0, 'alive');
		const answer = streamedAnswer();
		faulty.next(answer.behaviour);
		const saying = says('A long story');
		await answer.sends('Once upon a time');
		const heard = { uploads: [], person: ada, channel: inThread(), addressed: false };
		await second.hear({ id: 'elsewhere', text: 'Are you there?', ...heard });
		expect(faulty.requests).toHaveLength(2);
		await answer.ends();
		await saying;
		expect(chats()).toHaveLength(3);
		expect(chats()[2]?.messages.at(-1)?.content).toBe('Ada: Are you there?');
		await second.stop(0);
	});

	test('stops the running answer and drops waiting messages when it is told to forget', async () => {
		await open({ prompt: 'Hello' });
		const answer = streamedAnswer();
		faulty.next(answer.behaviour);
		const saying = says('A long story');
		await answer.sends('Once upon a time');
		const waiting = says('And another one');
		await eventually(async () => expect(JSON.stringify(await stored())).toContain('t1:4'));
		await says('Forget everything!');
		await answer.aborted;
		await Promise.all([saying, waiting]);
		expect(faulty.requests).toHaveLength(2);
		expect((await stored()).filter((key) => key.startsWith('entry:'))).toEqual([]);
		expect(texts().some((text) => text.startsWith('Forgotten'))).toBe(true);
	});

	test('does not answer a blocked member', async () => {
		await open({ prompt: 'Hello' });
		const moderator = { ...ada, id: 'mod', name: 'Mod', moderator: true };
		const options = { member: 'ada' };
		await bot.invoke({ id: 'b', command: 'limits block', options, person: moderator, channel: inThread() });
		await says('Hello?', { id: 'blocked' });
		expect(paper.messages.get('t1/blocked')).toMatchObject({ text: /blocked you/, visibility: 'private' });
		expect(faulty.requests).toHaveLength(1);
	});

	describe('a mention in a channel', () => {
		const calls = (text: string, more: Partial<IncomingMessage> = {}) =>
			says(text, { channel: paper.channelOf(home), addressed: true, ...more });

		test('opens one thread and is answered once, although it is delivered twice', async () => {
			await Promise.all([calls('Hello', { id: 'same' }), calls('Hello', { id: 'same' })]);
			await calls('Hello', { id: 'same' });
			expect([...paper.messages.keys()].filter((key) => key.startsWith('t2/'))).toEqual([]);
			expect(chats().map(({ messages }) => messages.map(({ content }) => content))).toEqual([['Ada: Hello']]);
			expect(texts()).toContain('Indeed.');
		});

		test('of a blocked member opens no thread', async () => {
			const moderator = { ...ada, id: 'mod', name: 'Mod', moderator: true };
			const options = { member: 'ada' };
			await bot.invoke({ id: 'b', command: 'limits block', options, person: moderator, channel: inThread() });
			await calls('Hello', { id: 'blocked' });
			expect(paper.messages.get('/blocked')).toMatchObject({ text: /blocked you/, visibility: 'private' });
			expect(faulty.requests).toEqual([]);
		});

		test('that says to forget is told where to write that', async () => {
			await calls('forget', { id: 'f' });
			expect(paper.messages.get('/f')).toMatchObject({ text: /Write \*forget\* in the thread/ });
			expect([...paper.messages.keys()]).toEqual(['/f']);
		});

		test('without text is told what is missing', async () => {
			const upload = { name: 'a.png', read: async () => smallPng() };
			await calls('', { id: 'p', uploads: [upload] });
			expect(paper.messages.get('/p')).toMatchObject({ text: /Say what to do with the picture/ });
			await calls('', { id: 'h' });
			expect(paper.messages.get('/h.help')).toMatchObject({ text: /what I can do/ });
		});
	});

	describe('a direct message', () => {
		const direct: Place = { ...home, channel: 'dm', direct: true };
		const writes = (text: string, more: Partial<IncomingMessage> = {}) =>
			says(text, { channel: paper.channelOf(direct), ...more });

		test('starts a chat that remembers', async () => {
			await writes('Hello', { id: 'one' });
			await writes('And?');
			expect(paper.messages.get('/one.hello')?.text).toMatch(/I remember this chat/);
			expect(chats()[1]?.messages.map(({ content }) => content)).toEqual(['Ada: Hello', 'Indeed.', 'Ada: And?']);
			await writes('forget');
			await writes('Who am I?');
			expect(chats()[2]?.messages.map(({ content }) => content)).toEqual(['Ada: Who am I?']);
		});

		test('is one turn, although it is delivered twice', async () => {
			await Promise.all([writes('Hello', { id: 'same' }), writes('Hello', { id: 'same' })]);
			await writes('Hello', { id: 'same' });
			expect(chats()).toHaveLength(1);
		});

		test('is greeted once where each message has a thread', async () => {
			for (const thread of ['t1', 't2', 't3'])
				await writes(thread, { channel: paper.channelOf({ ...direct, thread }) });
			expect(texts().filter((text) => text.includes('I remember'))).toHaveLength(1);
			expect(chats().map(({ messages }) => messages.length)).toEqual([1, 1, 1]);
		});

		test('leaves nothing in the store when the chat is deleted', async () => {
			await writes('Hello');
			await bot.forget(direct);
			expect((await stored()).filter((key) => !key.startsWith('seen:'))).toEqual([]);
		});
	});

	test('completes model names from a list that is requested once', async () => {
		const body = JSON.stringify({ data: [{ id: 'big-alpha' }, { id: 'alpha-chat' }, { id: 'beta' }] });
		faulty.next(answers(200, body, { 'content-type': 'application/json' }));
		const suggest = (typed: string, option = 'model', command = 'chat') => bot.suggest({ command, option, typed });
		expect(await suggest('alpha')).toEqual(['alpha-chat', 'big-alpha']);
		expect(await suggest('')).toHaveLength(3);
		expect(await suggest('1536', 'size', 'imagine')).toEqual(['1536x1024', '1024x1536']);
		expect(await suggest('alpha', 'prompt')).toEqual([]);
		expect(await suggest('alpha', 'model', 'nothing')).toEqual([]);
		expect(faulty.requests).toHaveLength(1);
	});
});
