import { afterEach, describe, expect, test, vi } from 'vitest';
import { eventually } from '../../../../packages/fakes/src/eventually.ts';
import { pngFile } from '../../../../packages/fakes/src/pictures.ts';
import { openSlackFixture, postIn, type SlackFixture } from '../../../../test/harness/slack-fixture.ts';
import type { Place, PlaceScope } from '../../../domain/channel.ts';
import type { IncomingMessage, MessageChange } from '../../../domain/platform.ts';

let fixture: SlackFixture;
afterEach(async () => {
	expect(fixture.slack.violations).toEqual([]);
	await fixture.close();
});

const received = () => fixture.core.received;
const ids = () => received().map(({ id }) => id);
const ada = () => fixture.slack.user('ada');
/** Waits until the core has received so many messages, and no more. */
async function receives(count: number) {
	await eventually(() => expect(received().length).toBeGreaterThanOrEqual(count));
	await ada().look();
	expect(received()).toHaveLength(count);
	return received();
}

describe('a message', () => {
	test('to the bot arrives in two events, and is received once by one of two processes', async () => {
		fixture = await openSlackFixture({ duplicates: true });
		const other = await fixture.another();
		for (const text of ['one', 'two', 'three', 'four']) await ada().say(`@Easel ${text}`);
		await eventually(() => expect(received().length + other.core.received.length).toBe(4));
		await ada().look();
		const all = [...received(), ...other.core.received];
		expect(all.map(({ text }) => text).toSorted()).toEqual(['four', 'one', 'three', 'two']);
		expect(all.every(({ addressed, toOthers }) => addressed && !toOthers)).toBe(true);
	});

	test('is received as it was typed, with names in place of mentions', async () => {
		fixture = await openSlackFixture();
		await ada().say('@Easel: is 1 < 2 & 3 > 2, @Björn? See https://example.com/a?b=c&d in #random @painters');
		const [message] = await receives(1);
		expect(message?.text).toBe('is 1 < 2 & 3 > 2, @Björn? See https://example.com/a?b=c&d in #random @painters');
		expect(message).toMatchObject({ toOthers: true, person: { name: 'Ada', moderator: true, locale: 'en-US' } });
	});

	test('to others in a channel, of an unknown bot or of Slack is ignored', async () => {
		fixture = await openSlackFixture();
		const { channel, account: user } = ada();
		await ada().say('A quiet word');
		await postIn(fixture, { text: 'I am the bot' }, 'own');
		const event = { type: 'message', channel: channel.id, channel_type: 'channel', user: user.id };
		const mention = `<@${[...(user.team.users.values() ?? [])].find(({ bot }) => bot)?.id}> hello`;
		const unnamed = { subtype: 'bot_message', bot_id: 'B2', user: undefined };
		for (const more of [{ bot_id: 'B1', text: 'hello' }, { subtype: 'channel_join' }, unnamed])
			fixture.slack.event({ ...event, ts: '1700000000.000100', text: mention, ...more });
		await ada().say('@Easel but this');
		expect((await receives(1))[0]?.text).toBe('but this');
	});

	test('in a thread is received in order, addressed or not', async () => {
		fixture = await openSlackFixture();
		const root = await postIn(fixture, { text: 'Talk here' }, 'root');
		const { ts } = root.handle.data as { ts: string };
		const user = ada();
		user.enter(ts);
		for (let number = 0; number < 8; number++) await user.say(`number ${number}`);
		await user.say('@Easel and you?');
		const all = await receives(9);
		expect(all.map(({ text }) => text)).toEqual([
			...Array.from({ length: 8 }, (_, number) => `number ${number}`),
			'and you?',
		]);
		expect(all.every(({ channel }) => channel.place.thread === ts)).toBe(true);
		expect(all.map(({ addressed }) => addressed)).toEqual([...Array(8).fill(false), true]);
	});

	test('in direct messages is addressed to the bot', async () => {
		fixture = await openSlackFixture();
		await ada().directMessages().say('Hello');
		const [message] = await receives(1);
		expect(message).toMatchObject({ text: 'Hello', addressed: true });
		expect(message?.channel.place).toMatchObject({ direct: true, server: fixture.place.server });
		expect(message?.channel.place.thread).toBeUndefined();
	});

	test.each(['whole', 'thinFiles', 'bareMentions'] as const)('with a picture is received with it: %s', async (how) => {
		fixture = await openSlackFixture(how === 'whole' ? {} : { [how]: true });
		const file = await pngFile('#16a085');
		await ada().say('@Easel make it night', [file]);
		const [message] = await receives(1);
		expect(message?.uploads).toHaveLength(1);
		const bytes = await message?.uploads[0]?.read(AbortSignal.timeout(5000), 10_000_000);
		expect(Buffer.from(bytes ?? []).equals(Buffer.from(file.bytes))).toBe(true);
		// The core recognizes pictures by their type.
		expect(message?.uploads[0]).toMatchObject({ type: 'image/png', name: file.name });
	});

	test('in a channel is answered in a thread that begins with it', async () => {
		fixture = await openSlackFixture();
		await ada().say('@Easel hello');
		const [message] = await receives(1);
		const thread = await message?.channel.openThread('hello');
		await thread?.post({ text: 'Good day' }, 'answer');
		expect(`${message?.channel.place.channel}.${thread?.place.thread}`).toBe(message?.id);
		const user = ada();
		await user.enter(thread?.place.thread);
		expect((await user.look()).map(({ text }) => text)).toContain('Good day');
	});
});

test('a message that its process has not stored is delivered to the next', async () => {
	fixture = await openSlackFixture();
	const commit = vi.spyOn(fixture.space, 'commit').mockImplementationOnce(() => new Promise(() => {}));
	await ada().directMessages().say('Hello');
	await eventually(() => expect(commit).toHaveBeenCalled());
	const { core } = await fixture.another();
	await fixture.platform.stop();
	await eventually(() => expect(core.received.map(({ text }) => text)).toEqual(['Hello']));
});

test('what was written while nothing was connected for long is heard, once, also after what fails', async () => {
	fixture = await openSlackFixture();
	const { slack, keyv, platform } = fixture;
	const root = await postIn(fixture, { text: 'Talk here' }, 'root');
	const { ts } = root.handle.data as { ts: string };
	const direct = ada().directMessages();
	await direct.say('Hello');
	const [hello] = await receives(1);
	await platform.stop();
	slack.settings.losesEvents = true;
	await direct.say('Are you there?');
	const user = ada();
	user.enter(ts);
	for (const text of ['one', 'two']) await user.say(text);
	await postIn(fixture, { text: 'I was' }, 'own', { ...fixture.place, thread: ts });
	slack.settings.losesEvents = false;
	const talks = async () => [{ place: { ...fixture.place, thread: ts } }, { place: hello!.channel.place }];
	const ago = (ms: number) => keyv.set('connected:events', Date.now() - ms);
	await ago(60_000);
	const soon = await fixture.another({ talks });
	await soon.platform.stop();
	await ago(600_000);
	const heard: string[] = [];
	const hear = async ({ text }: IncomingMessage) => {
		heard.push(text);
		if (text === 'one') throw new Error('It cannot be answered');
	};
	await Promise.all([fixture.another({ talks, hear }), fixture.another({ talks, hear })]);
	await eventually(() => expect(heard.toSorted()).toEqual(['Are you there?', 'one', 'two']));
	expect([...received(), ...soon.core.received].map(({ text }) => text)).toEqual(['Hello']);
});

describe('a command in a message', () => {
	test('takes the files of its message, and is answered in a thread', async () => {
		fixture = await openSlackFixture();
		const file = await pngFile('#8e44ad');
		await ada().say('@Easel edit make it night', [file]);
		await eventually(() => expect(fixture.core.invoked).toHaveLength(1));
		const [{ command, options, channel, id } = {} as never] = fixture.core.invoked;
		expect({ command, prompt: options['prompt'] }).toEqual({ command: 'edit', prompt: 'make it night' });
		expect(options['image']).toMatchObject({ read: expect.any(Function) });
		expect(id).toBe(`${channel.place.channel}.${channel.place.thread}`);
		expect(received()).toEqual([]);
	});

	test('is refused with too many files; other messages belong to the chat', async () => {
		fixture = await openSlackFixture();
		const file = await pngFile();
		await ada().say('@Easel edit make it night', [file, file]);
		const user = ada();
		await eventually(async () =>
			expect((await user.look()).map(({ text }) => text).join()).toMatch(/one picture; you sent 2/),
		);
		await ada().directMessages().say('edit this sentence for me');
		await ada().say('@Easel models are better than that');
		expect((await receives(2)).map(({ text }) => text)).toEqual([
			'edit this sentence for me',
			'models are better than that',
		]);
		expect(fixture.core.invoked).toEqual([]);
	});
});

test('edits and deletions in threads are reported, additions by Slack are not', async () => {
	fixture = await openSlackFixture();
	const changes: MessageChange[] = [];
	fixture.core.changed = async (change) => void changes.push(change);
	const root = await postIn(fixture, { text: 'Talk here' }, 'root');
	const { ts } = root.handle.data as { ts: string };
	const user = ada();
	user.enter(ts);
	await user.say('@Björn my number is 1');
	const own = (await user.look()).at(-1) as Awaited<ReturnType<typeof user.look>>[number];
	await receives(1);
	const answer = await (await fixture.platform.channel({ ...fixture.place, thread: ts }))?.post(
		{ text: 'I see' },
		'answer',
	);
	await answer?.edit({ text: 'I see.' });
	await user.rewrite(own, '@Björn my number is a secret & more');
	await eventually(() => expect(changes).toHaveLength(1));
	await user.erase(own);
	await eventually(() => expect(changes).toHaveLength(2));
	await answer?.delete();
	await eventually(() => expect(changes).toHaveLength(3));
	const place = { ...fixture.place, thread: ts };
	expect(changes).toEqual([
		{ id: ids()[0], place, text: '@Björn my number is a secret & more' },
		{ id: ids()[0], place },
		{ id: expect.any(String), place },
	]);
});

test('an edit that is delivered again is not reported again, since it would undo a later one', async () => {
	fixture = await openSlackFixture({ duplicates: true });
	const texts: unknown[] = [];
	fixture.core.changed = async ({ text }) => void texts.push(text);
	const root = await postIn(fixture, { text: 'Talk here' }, 'root');
	const user = ada();
	user.enter((root.handle.data as { ts: string }).ts);
	await user.say('It is one');
	const own = (await user.look()).at(-1) as Awaited<ReturnType<typeof user.look>>[number];
	for (const text of ['It is two', 'It is three']) {
		await user.rewrite(own, text);
		await eventually(() => expect(texts.at(-1)).toBe(text));
	}
	expect(texts).toEqual(['It is two', 'It is three']);
});

test('channels that the bot has left are forgotten', async () => {
	fixture = await openSlackFixture();
	const gone: PlaceScope[] = [];
	fixture.core.forget = async (where) => void gone.push(where);
	const { server } = fixture.place;
	fixture.slack.event({ type: 'channel_left', channel: 'C0GONE' });
	fixture.slack.event({ type: 'group_deleted', channel: 'G0GONE' });
	await eventually(() => expect(gone).toHaveLength(2));
	expect(gone).toEqual([
		{ platform: 'slack', server, channel: 'C0GONE' },
		{ platform: 'slack', server, channel: 'G0GONE' },
	]);
});

test('an answer whose process was killed before it stored the message is continued in its place', async () => {
	fixture = await openSlackFixture();
	await ada().say('@Easel tell me a story');
	const [message] = await receives(1);
	const thread = await message?.channel.openThread('a story');
	const place = thread?.place as Place;
	await thread?.post({ text: 'Once', growing: true }, 'chat.abc.0');
	const { channel, thread: ts = '' } = place;
	await fixture.keyv.set('post:chat.abc.0', { channel, thread: ts, since: Date.now() });
	const { platform } = await fixture.another();
	await (await platform.channel(place))?.post({ text: 'Once upon a time' }, 'chat.abc.0');
	const user = ada();
	user.enter(ts);
	expect((await user.look()).slice(-1).map(({ text }) => text)).toEqual(['Once upon a time']);
	expect((await user.look()).filter(({ text }) => text.startsWith('Once'))).toHaveLength(1);
});
