import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { createParser } from 'eventsource-parser';
import { afterEach, describe, expect, test } from 'vitest';
import { commands } from '../../../commands/index.ts';
import { COMMANDS } from '../../../test/harness/commands.ts';
import { FakeInbox, flat } from '../../../test/harness/inbox.ts';
import { describeCommands } from '../../bot/declaration/options.ts';
import type { Upload } from '../../domain/channel.ts';
import type { CommandDescription } from '../../domain/command.ts';
import { PROFILES } from '../../service/profiles.ts';
import { openStore } from '../../store/open-store.ts';
import { createSandbox, type SandboxOptions } from './index.ts';
import type { MessageView } from './server/store.ts';

const CHANNEL = 'atelier-general';

type Answer = { status: number; headers: Headers; body: { error?: string } & Record<string, unknown> };

/** Starts a sandbox on a socket, with what a page can do. */
async function open(options: Partial<SandboxOptions> = {}, available: readonly CommandDescription[] = COMMANDS) {
	const space = options.space ?? (await openStore('memory:')).space('sandbox');
	const { platform, routes } = createSandbox({ commands: available, ...options, space });
	const inbox = new FakeInbox();
	const server = createServer(getRequestListener(routes.fetch));
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	servers.push(server);
	await platform.start(inbox);
	const { port } = server.address() as AddressInfo;
	const origin = `http://127.0.0.1:${port}`;

	async function ask(path: string, init?: RequestInit): Promise<Answer> {
		const response = await fetch(`${origin}${path}`, init);
		return { status: response.status, headers: response.headers, body: await response.json() };
	}
	const send = (path: string, body: unknown, method = 'POST', headers: Record<string, string> = {}) =>
		ask(path, {
			method,
			headers: { 'content-type': 'application/json', ...headers },
			body: typeof body === 'string' ? body : JSON.stringify(body),
		});
	const form = (path: string, input: unknown, files: Record<string, Uint8Array | string>) => {
		const body = new FormData();
		body.append('input', typeof input === 'string' ? input : JSON.stringify(input));
		for (const [part, bytes] of Object.entries(files))
			body.append(
				part,
				new File([bytes as Uint8Array<ArrayBuffer>], `../${part}\u0007.png`, { type: 'image/svg+xml' }),
			);
		return ask(path, { method: 'POST', body });
	};
	const messages = async (as = 'ada', channel = CHANNEL) =>
		(await ask(`/sandbox/api/channels/${channel}/messages?as=${as}`)).body['messages'] as MessageView[];
	const imagine = (id: string, options: object = { prompt: 'a fox' }, as = 'ada') =>
		send('/sandbox/api/commands', { as, channel: CHANNEL, id, command: 'imagine', options });
	const say = (id: string, text: string, as = 'ada', more: object = {}) =>
		send('/sandbox/api/messages', { as, channel: CHANNEL, id, text, ...more });

	/** Listens to events. `until` resolves with the first that passes a test. */
	async function listen(as: string) {
		const leave = new AbortController();
		const response = await fetch(`${origin}/sandbox/events?as=${as}`, { signal: leave.signal });
		const events: { event: string | undefined; id: string | undefined; data: string }[] = [];
		const waiting = new Set<() => void>();
		const parser = createParser({
			onEvent: ({ event, id, data }) => {
				events.push({ event, id, data });
				for (const look of waiting) look();
			},
		});
		const ended = (async () => {
			const decoder = new TextDecoder();
			for await (const chunk of response.body ?? []) parser.feed(decoder.decode(chunk, { stream: true }));
		})().catch(() => {});
		const until = (test: (event: { event: string | undefined; data: string }) => boolean) =>
			new Promise<{ id: string | undefined; data: string }>((resolve) => {
				const look = () => {
					const found = events.find(test);
					if (!found) return;
					waiting.delete(look);
					resolve(found);
				};
				waiting.add(look);
				look();
			});
		return { response, events, until, ended, leave: () => leave.abort() };
	}
	const settled = (number: number) =>
		expect.poll(async () => (await messages()).find((message) => message.number === number)?.files.length).toBe(1);

	return { platform, inbox, origin, port, ask, send, form, messages, imagine, say, listen, settled };
}

const servers: Server[] = [];
afterEach(() => {
	for (const server of servers.splice(0)) {
		server.closeAllConnections();
		server.close();
	}
});

describe('a command', () => {
	test('is answered by one message: a status, then the picture with its buttons', async () => {
		const sandbox = await open();
		const { until, leave } = await sandbox.listen('bjorn');
		const answer = await sandbox.imagine('delivery1');
		expect(answer).toMatchObject({ status: 202, body: { id: 'd:ada:delivery1' } });

		const first = JSON.parse((await until(({ event }) => event === 'message')).data);
		expect(first).toMatchObject({
			text: '**a fox** · drawing…',
			files: [],
			about: { person: 'ada', command: 'imagine' },
		});
		const last = JSON.parse((await until(({ data }) => JSON.parse(data).files?.length === 1)).data);
		expect(last).toMatchObject({ number: first.number, revision: 1, buttons: [{ label: 'Again' }, {}, {}, {}] });
		leave();

		const [invocation] = sandbox.inbox.invocations;
		expect(invocation).toMatchObject({
			id: 'd:ada:delivery1',
			command: 'imagine',
			options: { prompt: 'a fox' },
			person: { id: 'ada', name: 'Ada', moderator: true },
			channel: { place: { platform: 'sandbox', server: 'atelier', channel: CHANNEL } },
		});
		expect(invocation?.id).toMatch(/^[\w:.-]{1,64}$/);
	});

	test('is listed only when it is available', async () => {
		const { ask } = await open(undefined, describeCommands(commands, { ...PROFILES.easel.capabilities, edit: false }));
		const listed = (await ask('/sandbox/api/state?as=ada')).body['commands'] as CommandDescription[];
		expect(listed.map(({ name }) => name)).toContain('compose');
		expect(listed.map(({ name }) => name)).not.toContain('edit');
	});

	test('sent twice has one id, and a message sent twice is one message', async () => {
		const sandbox = await open();
		await sandbox.imagine('twice-the-same');
		await sandbox.imagine('twice-the-same');
		expect(sandbox.inbox.invocations.map(({ id }) => id)).toEqual(['d:ada:twice-the-same', 'd:ada:twice-the-same']);
		await Promise.all([sandbox.say('message-twice', 'hello'), sandbox.say('message-twice', 'hello')]);
		expect((await sandbox.messages()).filter(({ author }) => author === 'ada')).toHaveLength(1);
		expect(sandbox.inbox.heard).toHaveLength(1);
	});

	test('has its pictures unchanged', async () => {
		const sandbox = await open();
		const bytes = await flat('#123456');
		const received = Promise.withResolvers<[name: string, bytes: Uint8Array, aborted: unknown]>();
		// The pictures are there while the command runs.
		sandbox.inbox.invoke = async ({ options }) => {
			const { name, read } = options['image'] as Upload;
			const aborted = await read(AbortSignal.abort(), 10_000_000).catch((error: unknown) => error);
			received.resolve([name, await read(AbortSignal.timeout(5000), 10_000_000), aborted]);
		};
		const input = { as: 'ada', channel: CHANNEL, id: 'edit-one', command: 'edit', options: { prompt: 'x' } };
		expect((await sandbox.form('/sandbox/api/commands', input, { image: bytes })).status).toBe(202);
		const [name, read, aborted] = await received.promise;
		expect(name).toBe('image.png');
		expect(bytes.equals(read)).toBe(true);
		expect(aborted).toBeInstanceOf(Error);
	});
});

describe('pictures', () => {
	test('are served as they were posted, with headers that make them harmless', async () => {
		const sandbox = await open();
		await sandbox.imagine('a-picture');
		await sandbox.settled(1);
		const file = (await sandbox.messages())[0]?.files[0];
		const response = await fetch(`${sandbox.origin}/sandbox/files/${file?.id}/${file?.name}?download`);
		expect(Object.fromEntries(response.headers)).toMatchObject({
			'content-type': 'image/png',
			'x-content-type-options': 'nosniff',
			'content-disposition': `attachment; filename*=UTF-8''easel-1.png`,
			'content-security-policy': "default-src 'none'; sandbox",
		});
		const { channel } = sandbox.inbox.invocations[0] ?? {};
		const big = new Uint8Array(3_000_001).map((_, index) => index % 251);
		await channel?.post({ text: '', pictures: [{ name: 'x.html', bytes: big, alt: '' }] }, 'big');
		const stored = (await sandbox.messages()).at(-1)?.files[0];
		const again = await fetch(`${sandbox.origin}/sandbox/files/${stored?.id}/x.html`);
		expect(again.headers.get('content-type')).toBe('application/octet-stream');
		expect(again.headers.get('content-disposition')).toMatch(/^attachment/);
		expect(Buffer.compare(Buffer.from(await again.arrayBuffer()), big)).toBe(0);
		for (const id of ['none', '%00', 'a%2Fb', 'a'.repeat(200)])
			expect((await fetch(`${sandbox.origin}/sandbox/files/${id}/x.png`)).status).toBe(404);
	});

	test('are removed with their message', async () => {
		const space = (await openStore('memory:')).space('sandbox');
		const sandbox = await open({ space });
		const { body } = await sandbox.form(
			'/sandbox/api/messages',
			{ as: 'ada', channel: CHANNEL, id: 'with-file', text: '' },
			{
				file: await flat('red'),
			},
		);
		const file = (body['files'] as { id: string; name: string; type: string }[])[0];
		expect(file).toMatchObject({ name: 'file.png', type: 'image/png', width: 320, height: 240 });
		await sandbox.send('/sandbox/api/deletions', { as: 'ada', channel: CHANNEL, number: 1 });
		expect(await sandbox.messages()).toEqual([]);
		expect((await fetch(`${sandbox.origin}/sandbox/files/${file?.id}/x.png`)).status).toBe(404);
		const left = (await Array.fromAsync(space.list(''))).filter(([key]) => /file|message|key/.test(key));
		expect([left, await space.files.names(''), await space.members('files', { limit: 1 })]).toEqual([[], [], []]);
	});
});

describe('a private message', () => {
	test('reaches only its person, in events, history and unread marks', async () => {
		const sandbox = await open();
		const [ada, bjorn] = await Promise.all([sandbox.listen('ada'), sandbox.listen('bjorn')]);
		await sandbox.imagine('a-secret', { prompt: 'secret', private: true });
		await ada.until(({ data }) => JSON.parse(data).files?.length === 1);
		await sandbox.say('hello-all', 'hello');
		await bjorn.until(({ data }) => JSON.parse(data).text === 'hello');
		expect(bjorn.events.some(({ data }) => data.includes('secret'))).toBe(false);
		ada.leave();
		bjorn.leave();

		expect((await sandbox.messages('ada')).map(({ number, private: only }) => [number, only])).toEqual([
			[1, true],
			[2, false],
		]);
		expect((await sandbox.messages('bjorn')).map(({ number }) => number)).toEqual([2]);
		const press = { as: 'bjorn', channel: CHANNEL, number: 1, id: 'press-secret', button: 'again:1:x' };
		expect((await sandbox.send('/sandbox/api/presses', press)).status).toBe(404);
		expect((await sandbox.send('/sandbox/api/deletions', { as: 'chiyo', channel: CHANNEL, number: 1 })).status).toBe(
			404,
		);
		expect((await sandbox.say('reply-secret', 'x', 'bjorn', { replyTo: 1 })).status).toBe(404);
		expect((await sandbox.send('/sandbox/api/deletions', { as: 'ada', channel: CHANNEL, number: 1 })).status).toBe(200);
	});
});

describe('buttons', () => {
	test('open a form for the person who pressed, which only they can submit', async () => {
		const sandbox = await open();
		await sandbox.imagine('to-press');
		await sandbox.settled(1);
		const [ada, bjorn] = await Promise.all([sandbox.listen('ada'), sandbox.listen('bjorn')]);
		const press = { as: 'bjorn', channel: CHANNEL, number: 1, id: 'press-one', button: 'edit:1:x' };
		expect((await sandbox.send('/sandbox/api/presses', press)).status).toBe(202);
		const { form, press: pressed } = JSON.parse((await bjorn.until(({ event }) => event === 'form')).data);
		expect(pressed).toBe('press-one');
		expect(sandbox.inbox.presses[0]).toMatchObject({ id: 'd:bjorn:press-one', message: { key: 'd:ada:to-press' } });

		const input = { channel: CHANNEL, id: 'form-sent', command: 'edit', options: { prompt: 'bluer' }, form: form.id };
		expect((await sandbox.send('/sandbox/api/commands', { as: 'ada', ...input })).status).toBe(409);
		expect((await sandbox.send('/sandbox/api/commands', { as: 'bjorn', ...input })).status).toBe(202);
		const invocation = sandbox.inbox.invocations.at(-1);
		expect(invocation).toMatchObject({ form: form.id, attached: [{ name: 'easel-1.png', type: 'image/png' }] });
		expect(ada.events.some(({ event }) => event === 'form')).toBe(false);
		ada.leave();
		bjorn.leave();
	});

	test('of the menu can be pressed on every message, and no other', async () => {
		const sandbox = await open();
		await sandbox.form(
			'/sandbox/api/messages',
			{ as: 'ada', channel: CHANNEL, id: 'a-photo-1', text: 'look' },
			{ file: await flat('red') },
		);
		await sandbox.say('no-photo', 'words');
		const press = { as: 'bjorn', channel: CHANNEL, button: 'compose:1:menu' };
		expect((await sandbox.send('/sandbox/api/presses', { ...press, number: 1, id: 'menu-one' })).status).toBe(202);
		expect((await sandbox.send('/sandbox/api/presses', { ...press, number: 2, id: 'menu-two' })).status).toBe(202);
		expect(
			(await sandbox.send('/sandbox/api/presses', { ...press, number: 1, id: 'menu-three', button: 'x:1:y' })).status,
		).toBe(404);
		const [pressed, other] = sandbox.inbox.presses;
		expect(pressed?.attached).toHaveLength(1);
		expect(other?.attached).toEqual([]);
		expect(pressed && (await sandbox.platform.find(pressed.message))).toBeUndefined();
	});
});

describe('messages between people', () => {
	test('are addressed to the bot by a mention or a reply', async () => {
		const sandbox = await open();
		await sandbox.imagine('for-reply');
		await sandbox.settled(1);
		await sandbox.say('plain-words', 'an easel@easeland.test is not meant');
		await sandbox.say('named-words', 'hey @easel, hello');
		await sandbox.say('reply-words', 'nice', 'bjorn', { replyTo: 1 });
		expect(sandbox.inbox.heard.map(({ addressed }) => addressed)).toEqual([false, true, true]);
		expect(sandbox.inbox.heard[2]?.person).toMatchObject({ id: 'bjorn', moderator: false });
	});

	test('are for others when they mention or answer them, and lose a leading mention of the bot', async () => {
		const sandbox = await open();
		await sandbox.say('for-bjorn-1', 'hello @Björn');
		await sandbox.say('for-both-12', '@Easel, and @Björn: hello');
		await sandbox.say('to-oneself', 'I am @Ada');
		await sandbox.say('reply-words', 'nice', 'bjorn', { replyTo: 1 });
		expect(sandbox.inbox.heard.map(({ toOthers, addressed }) => [toOthers, addressed])).toEqual([
			[true, false],
			[true, true],
			[false, false],
			[true, false],
		]);
		expect(sandbox.inbox.heard[1]?.text).toBe('and @Björn: hello');
	});

	test('lose the mention of the bot wherever it is, and tell what is said to the bot alone', async () => {
		const sandbox = await open();
		await sandbox.say('at-the-end', 'draw a fox @Easel');
		await sandbox.say('to-others-first', '@Björn look, @Easel draw a fox');
		expect(sandbox.inbox.heard.map(({ text, toBot }) => [text, toBot])).toEqual([
			['draw a fox', undefined],
			['@Björn look, draw a fox', 'draw a fox'],
		]);
	});

	test('are edited and deleted by their author, which the core receives', async () => {
		const sandbox = await open();
		await sandbox.say('first-words', 'my number');
		const at = { as: 'ada', channel: CHANNEL, number: 1 };
		const edit = (input: object) => sandbox.send('/sandbox/api/edits', { ...at, ...input });
		expect((await edit({ text: 'a secret' })).body).toMatchObject({ text: 'a secret', edited: expect.any(String) });
		expect(await edit({ text: 'mine', as: 'bjorn' })).toMatchObject({ status: 403 });
		expect(await edit({ text: ' ' })).toMatchObject({ status: 400 });
		expect(await edit({ text: 'x'.repeat(2001) })).toMatchObject({ status: 400 });
		expect((await sandbox.send('/sandbox/api/deletions', at)).status).toBe(200);
		const id = sandbox.inbox.heard[0]?.id;
		const place = sandbox.inbox.heard[0]?.channel.place;
		expect(sandbox.inbox.changes).toEqual([
			{ id, place, text: 'a secret' },
			{ id, place },
		]);
	});

	test('start threads with messages of their own', async () => {
		const sandbox = await open();
		await sandbox.say('thread-root', 'a subject');
		const start = () => sandbox.send('/sandbox/api/threads', { as: 'bjorn', channel: CHANNEL, number: 1 });
		const thread = await start();
		expect(thread).toMatchObject({ status: 201, body: { id: `${CHANNEL}.1`, title: 'a subject' } });
		expect((await start()).body).toEqual(thread.body);
		const inside = { as: 'ada', channel: thread.body['id'], id: 'in-a-thread', text: 'inside' };
		expect((await sandbox.send('/sandbox/api/messages', inside)).status).toBe(201);
		expect(sandbox.inbox.heard.at(-1)?.channel.place).toEqual({
			platform: 'sandbox',
			server: 'atelier',
			channel: CHANNEL,
			thread: `${CHANNEL}.1`,
		});
		expect(await sandbox.messages()).toMatchObject([{ text: 'a subject' }]);
	});

	test('are dropped when there are newer ones, and their messages can start another', async () => {
		const sandbox = await open({ bounds: { threads: 1 } });
		const start = async (number: number) => {
			await sandbox.say(`thread-root${number}`, `subject ${number}`);
			return sandbox.send('/sandbox/api/threads', { as: 'ada', channel: CHANNEL, number });
		};
		for (const number of [1, 2]) await start(number);
		const dropped = await sandbox.ask(`/sandbox/api/channels/${CHANNEL}.1/messages?as=ada`);
		expect(dropped.status).toBe(404);
		const again = await sandbox.send('/sandbox/api/threads', { as: 'ada', channel: CHANNEL, number: 1 });
		expect(again).toMatchObject({ status: 201, body: { title: 'subject 1' } });
	});

	test("name a thread's channel where an option is about requests", async () => {
		const available = describeCommands(commands, PROFILES.easel.capabilities);
		const sandbox = await open({}, available);
		await sandbox.say('thread-root', 'a subject');
		const thread = { as: 'ada', channel: CHANNEL, number: 1 };
		const { id } = (await sandbox.send('/sandbox/api/threads', thread)).body;
		const sent = async (command: string, options: object) => {
			const input = { as: 'ada', channel: CHANNEL, id: command.replace(' ', '-'), command, options };
			expect((await sandbox.send('/sandbox/api/commands', input)).status).toBe(202);
			return sandbox.inbox.invocations.at(-1)?.options['channel'];
		};
		const cap = { scope: 'channel', period: 'day', channel: id };
		expect(await sent('limits set', { ...cap, images: 1 })).toBe(CHANNEL);
		expect(await sent('limits clear', cap)).toBe(id);
	});

	test('are deleted by their author and by moderators', async () => {
		const sandbox = await open();
		await sandbox.say('to-delete', 'one', 'chiyo');
		const remove = (as: string) => sandbox.send('/sandbox/api/deletions', { as, channel: CHANNEL, number: 1 });
		expect(await remove('bjorn')).toMatchObject({
			status: 403,
			body: { error: 'Only moderators can delete messages of others.' },
		});
		await sandbox.send('/sandbox/api/moderators', { server: 'atelier', person: 'bjorn', moderator: true }, 'POST');
		expect((await remove('bjorn')).status).toBe(200);
	});

	test('load page by page', async () => {
		const sandbox = await open();
		for (let index = 1; index <= 7; index += 1) await sandbox.say(`message-${index}`, String(index));
		const page = (query: string) => sandbox.ask(`/sandbox/api/channels/${CHANNEL}/messages?as=ada&limit=3${query}`);
		const texts = (answer: Answer) => (answer.body['messages'] as MessageView[]).map(({ text }) => text).join('');
		expect(texts(await page(''))).toBe('567');
		expect(texts(await page('&before=5'))).toBe('234');
		const last = await page('&before=2');
		expect([texts(last), last.body['more']]).toEqual(['1', false]);
	});
});

describe('the platform', () => {
	test('finds, edits and deletes its messages after a restart', async () => {
		const space = (await openStore('memory:')).space('sandbox');
		const before = await open({ space });
		await before.imagine('survivor');
		await before.settled(1);
		await before.send('/sandbox/api/emulation', { platform: 'slack' }, 'POST');
		await before.platform.stop();

		const after = await open({ space });
		expect((await after.messages())[0]).toMatchObject({
			text: '**a fox** · 1024×1024',
			files: [{ name: 'easel-1.png' }],
		});
		expect((await after.ask('/sandbox/api/state?as=ada')).body['settings']).toMatchObject({ emulates: 'slack' });

		const place = { platform: 'sandbox', server: 'atelier', channel: CHANNEL };
		const post = await after.platform.find({ place, key: 'd:ada:survivor' });
		await post?.edit({ text: 'edited later' });
		expect((await after.messages())[0]).toMatchObject({
			text: 'edited later',
			files: [{ name: 'easel-1.png' }],
			buttons: [],
		});
		await post?.delete();
		expect(await after.messages()).toEqual([]);
		expect(await after.platform.find({ place, key: 'd:ada:survivor' })).toBeUndefined();
		await expect(post?.edit({ text: 'too late' })).rejects.toThrow('deleted');
	});

	test('posts one message for each key, and edits it when the key is posted again', async () => {
		const sandbox = await open();
		await sandbox.say('hello-there', 'hello');
		const channel = sandbox.inbox.heard[0]?.channel;
		const picture = { name: 'a.png', bytes: await flat('blue'), alt: 'blue' };
		await channel?.post({ text: 'one', pictures: [picture] }, 'key:1');
		await channel?.post({ text: 'two' }, 'key:1');
		await channel?.post({ text: 'three', pictures: [{ ...picture, alt: 'red' }] }, 'key:1', { ifAbsent: true });
		expect((await sandbox.messages()).slice(1)).toMatchObject([{ text: 'two', files: [{ alt: 'blue' }] }]);
		await expect(channel?.post({ text: 'x' }, 'not a key')).rejects.toThrow('key');
		await expect(channel?.post({ text: 'x' }, 'x'.repeat(65))).rejects.toThrow('key');
		await expect(channel?.post({ text: 'x' }, 'p:ada:hello-there')).rejects.toThrow('is a person');
		const thread = await channel?.openThread('A thread\nwith a long title');
		await thread?.post({ text: 'in it' }, 'key:2');
		// It is started on the message that it answers.
		expect(thread?.place.thread).toBe(`${CHANNEL}.1`);
		expect(await sandbox.messages('bjorn', `${CHANNEL}.1`)).toMatchObject([{ text: 'in it' }]);
		const alone = await (await sandbox.platform.channel({ ...thread!.place, thread: `${CHANNEL}.1` }))?.openThread(
			'Aside',
		);
		expect(alone?.place.thread).toBe(`${CHANNEL}.3`);
	});

	test('applies the limits of the platform that it emulates', async () => {
		const sandbox = await open();
		await sandbox.say('hello-there', 'hello');
		const channel = sandbox.inbox.heard[0]?.channel;
		const picture = { name: 'a.png', bytes: new Uint8Array(1), alt: '' };
		expect(channel?.limits).toMatchObject({ text: 2000, pictures: 10 });
		await channel?.post({ text: 'x'.repeat(2000), pictures: Array(10).fill(picture) }, 'full');
		const large = { ...picture, bytes: new Uint8Array(20 * 2 ** 20 + 1) };
		const half = { ...picture, bytes: new Uint8Array(13 * 2 ** 20) };
		for (const more of [
			{ text: 'x'.repeat(2001) },
			...[Array(11).fill(picture), [half, half], [large]].map((pictures) => ({ pictures })),
		])
			await expect(channel?.post({ text: '', ...more }, 'a')).rejects.toThrow('As on discord');
		expect((await sandbox.say('too-long-here', 'x'.repeat(2001))).body.error).toBe(
			'A message can have at most 2,000 characters here.',
		);
		await sandbox.send('/sandbox/api/emulation', { platform: 'slack' }, 'POST');
		await channel?.post({ text: 'x'.repeat(3000), pictures: [large] }, 'd');
		await expect(channel?.post({ text: 'x'.repeat(3001) }, 'e')).rejects.toThrow('As on slack');
		await sandbox.say('longer-on-slack', 'x'.repeat(12_000));
		expect((await sandbox.messages()).map(({ text }) => text.length)).toEqual([5, 2000, 3000, 12_000]);
	});

	test('ends streams and refuses requests after a stop, but still posts', async () => {
		const sandbox = await open();
		await sandbox.say('hello-there', 'hello');
		expect(sandbox.platform.state()).toBe('ready');
		const { ended } = await sandbox.listen('ada');
		await sandbox.platform.stop();
		await ended;
		expect(sandbox.platform.state()).toBe('stopped');
		expect((await sandbox.say('after-the-end', 'hello')).status).toBe(503);
		expect((await sandbox.imagine('after-the-end')).status).toBe(503);
		expect((await sandbox.ask('/sandbox/events?as=ada')).status).toBe(503);
		await sandbox.inbox.heard[0]?.channel.post({ text: 'late' }, 'late');
		expect((await sandbox.messages()).at(-1)?.text).toBe('late');
	});
});

describe('other web sites', () => {
	const say = { as: 'ada', channel: CHANNEL, id: 'from-afar', text: 'hello' };

	test.each([
		[{ origin: 'https://evil.test' }],
		[{ origin: 'null' }],
		[{ origin: 'http://127.0.0.1:1' }],
		[{ 'sec-fetch-site': 'cross-site' }],
		[{ 'sec-fetch-site': 'same-site' }],
	])('are refused: %o', async (headers) => {
		const sandbox = await open();
		expect((await sandbox.send('/sandbox/api/messages', say, 'POST', headers)).status).toBe(403);
		expect((await sandbox.ask('/sandbox/events?as=ada', { headers })).status).toBe(403);
		expect((await sandbox.ask('/sandbox/api/state?as=ada', { headers })).status).toBe(403);
		expect(sandbox.inbox.heard).toEqual([]);
	});

	test('cannot use a host name of their own', async () => {
		const sandbox = await open();
		const status = (host: string, path = '/') =>
			new Promise<string | undefined>((resolve) => {
				const socket = connect(sandbox.port, '127.0.0.1');
				socket.once('data', (data) => {
					resolve(String(data).split(' ')[1]);
					socket.destroy();
				});
				socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
			});
		const state = '/sandbox/api/state?as=ada';
		for (const host of ['evil.test', `evil.test:${sandbox.port}`, 'localhost.evil.test', '127.0.0.1.evil.test'])
			expect([host, await status(host), await status(host, state)]).toEqual([host, '403', '403']);
		for (const host of [
			`localhost:${sandbox.port}`,
			`127.0.0.1:${sandbox.port}`,
			'[::1]:3000',
			'192.168.1.7',
			'a.localhost',
		])
			expect([host, await status(host), await status(host, state)]).toEqual([host, '200', '200']);
	});

	test('are not loaded by the page', async () => {
		const { origin, port } = await open();
		const response = await fetch(origin, { headers: { origin: `http://127.0.0.1:${port}` } });
		expect(response.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'");
		expect(await response.text()).not.toMatch(/https?:\/\//);
		const etag = (await fetch(`${origin}/sandbox/main.ts`)).headers.get('etag') ?? '';
		expect((await fetch(`${origin}/sandbox/main.ts`, { headers: { 'if-none-match': etag } })).status).toBe(304);
		expect((await fetch(`${origin}/sandbox/..%2findex.ts`)).status).toBe(404);
	});
});

test('what programs write into text and nobody sees is left out', async () => {
	const sandbox = await open();
	await sandbox.say('pasted-output', '\u001b[31mred\u001b[0m\u0000 and half of a pair: \ud800');
	expect(sandbox.inbox.heard[0]?.text).toBe('[31mred[0m and half of a pair: \ufffd');
});

describe('invalid input is refused in one sentence', () => {
	const at = { as: 'ada', channel: CHANNEL, id: 'some-request' };
	const message = { ...at, text: 'hello' };
	const command = { ...at, command: 'imagine', options: { prompt: 'x' } };
	const press = { ...at, number: 1, button: 'again:1:x' };
	const cases: [string, unknown, number, string?][] = [
		['messages', '{', 400],
		['messages', '[]', 400],
		['messages', 'null', 400],
		['messages', { ...message, as: undefined }, 400],
		['messages', { ...message, as: 'zed' }, 404],
		['messages', { ...message, as: 7 }, 400],
		['messages', { ...message, channel: 'nowhere' }, 404],
		['messages', { ...message, channel: `${CHANNEL}.99` }, 404],
		['messages', { ...message, channel: 'x'.repeat(65) }, 400],
		['messages', { ...message, id: 'short' }, 400],
		['messages', { ...message, id: '../../etc/passwd' }, 400],
		['messages', { ...message, text: 3 }, 400],
		['messages', { ...message, text: ' \n ' }, 400],
		['messages', { ...message, text: 'x'.repeat(12_001) }, 400],
		['messages', { ...message, replyTo: 99 }, 404],
		['messages', { ...message, replyTo: 1.5 }, 400],
		['messages', { ...message, text: 'x'.repeat(70_000) }, 400],
		['commands', { ...command, command: 'fly' }, 404],
		['commands', { ...command, command: 'x'.repeat(65) }, 400],
		['commands', { ...command, options: 'x' }, 400],
		['commands', { ...command, options: { prompt: null } }, 400],
		['commands', { ...command, options: { prompt: {} } }, 400],
		[
			'commands',
			{ ...command, options: { prompt: 'x'.repeat(6001) } },
			400,
			'An option can have at most 6000 characters.',
		],
		['commands', { ...command, options: { 'pro mpt': 'x' } }, 400],
		['commands', { ...command, options: Object.fromEntries(Array.from({ length: 26 }, (_, i) => [`o${i}`, 1])) }, 400],
		['commands', { ...command, form: 'unknown' }, 409],
		['presses', { ...press, number: 0 }, 400],
		['presses', { ...press, number: 99 }, 404],
		['presses', { ...press, number: 1e300 }, 400],
		['presses', { ...press, button: '' }, 400],
		['presses', { ...press, button: 'x'.repeat(101) }, 400],
		['presses', `"${'x'.repeat(70_000)}"`, 413],
		['threads', { as: 'ada', channel: CHANNEL, number: 99 }, 404],
		['threads', { as: 'ada', channel: CHANNEL, number: 1, title: 'x'.repeat(101) }, 400],
		['deletions', { as: 'ada', channel: CHANNEL, number: '1' }, 400],
		['deletions', { as: 'ada', channel: CHANNEL }, 400],
	];
	test.each(cases)('%s %j', async (path, body, status, sentence) => {
		const sandbox = await open();
		const answer = await sandbox.send(`/sandbox/api/${path}`, body);
		expect(answer.status).toBe(status);
		expect(answer.body.error).toMatch(/^[\p{Lu}“][^\n]{5,150}\.$/u);
		if (sentence) expect(answer.body.error).toBe(sentence);
		expect(await sandbox.messages()).toEqual([]);
		expect((await sandbox.say('next-request', 'works')).status).toBe(201);
	});

	test('on the other addresses', async () => {
		const sandbox = await open();
		const { ask, send, form } = sandbox;
		const status = async (answer: Promise<Answer>) => {
			const { status, body } = await answer;
			expect(body.error).toMatch(/^[\p{Lu}“][^\n]{5,150}\.$/u);
			return status;
		};
		expect(await status(ask('/sandbox/api/state'))).toBe(400);
		expect(await status(ask('/sandbox/api/state?as=zed'))).toBe(404);
		expect(await status(ask(`/sandbox/api/channels/${CHANNEL}/messages?as=ada&limit=x`))).toBe(400);
		expect(await status(ask(`/sandbox/api/channels/${CHANNEL}/messages?as=ada&before=-1`))).toBe(400);
		expect(await status(ask('/sandbox/api/channels/nowhere/messages?as=ada'))).toBe(404);
		expect(await status(ask('/sandbox/events?as=zed'))).toBe(404);
		expect(await status(ask('/sandbox/nothing'))).toBe(404);
		expect(await status(send('/sandbox/api/emulation', { platform: 'irc' }, 'POST'))).toBe(400);
		expect(await status(send('/sandbox/api/moderators', { server: 'x', person: 'ada', moderator: true }, 'POST'))).toBe(
			404,
		);
		expect(
			await status(send('/sandbox/api/moderators', { server: 'atelier', person: 'zed', moderator: true }, 'POST')),
		).toBe(404);
		expect(
			await status(send('/sandbox/api/moderators', { server: 'atelier', person: 'ada', moderator: 1 }, 'POST')),
		).toBe(400);
		expect(await status(send('/sandbox/api/messages', message, 'POST', { 'content-type': 'text/plain' }))).toBe(415);
		expect(await status(send('/sandbox/api/messages', 'x', 'POST', { 'content-type': 'multipart/form-data' }))).toBe(
			400,
		);
		expect(await status(form('/sandbox/api/messages', '{', { file: 'x' }))).toBe(400);
		expect(await status(form('/sandbox/api/messages', { ...message, as: 'zed' }, { file: 'x' }))).toBe(404);
		expect(await status(form('/sandbox/api/commands', command, { 'a b': 'x' }))).toBe(400);
		const large = new Uint8Array(21 * 2 ** 20);
		expect(await status(form('/sandbox/api/messages', message, { file: large }))).toBe(413);
		const many = Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`file${index}`, 'x']));
		expect(await status(form('/sandbox/api/messages', message, many))).toBe(413);
		expect(await status(form('/sandbox/api/commands', command, { image: new Uint8Array(26 * 2 ** 20) }))).toBe(413);
		expect(await sandbox.messages()).toEqual([]);
	});

	test('but not for large uploads that have not arrived: only other large ones wait for those to end', async () => {
		const sandbox = await open();
		const begin = (headers = '') => {
			const socket = connect(sandbox.port, '127.0.0.1');
			const head = `POST /sandbox/api/messages HTTP/1.1\r\nHost: 127.0.0.1:${sandbox.port}\r\n${headers}`;
			const length = 64 * 2 ** 20;
			socket.write(`${head}Content-Type: multipart/form-data; boundary=x\r\nContent-Length: ${length}\r\n\r\n--x`);
			return socket;
		};
		const say = (id: string, bytes = 0) => {
			const message = { as: 'ada', channel: CHANNEL, id, text: 'hello' };
			return sandbox.form('/sandbox/api/messages', message, bytes > 0 ? { file: new Uint8Array(bytes) } : {});
		};
		// Those of other web sites are refused before.
		begin('Origin: https://evil.test\r\n');
		const uploads = [begin(), begin()];
		expect((await say('while-two')).status).toBe(201);
		let hasEnded = false;
		const large = say('after-two', 2 ** 20).finally(() => (hasEnded = true));
		expect((await say('while-three')).status).toBe(201);
		expect(hasEnded).toBe(false);
		for (const upload of uploads) upload.destroy();
		expect((await large).status).toBe(201);
	});
});
