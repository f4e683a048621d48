import { afterEach, describe, expect, test } from 'vitest';
import { eventually } from '../../../../packages/fakes/src/eventually.ts';
import { pngFile } from '../../../../packages/fakes/src/pictures.ts';
import { smallPng } from '../../../../packages/fakes/src/service.ts';
import {
	bytesOf,
	invocationOf,
	openSlackFixture,
	picture,
	postIn,
	pressOf,
	type SlackFixture,
} from '../../../../test/harness/slack-fixture.ts';

let fixture: SlackFixture;
afterEach(async () => {
	expect(fixture.slack.violations).toEqual([]);
	await fixture.close();
});

const user = (name: string, channel?: string) => fixture.slack.user(name, channel);
type Person = ReturnType<typeof user>;
/** Waits for a number of messages in all, and returns the last. */
async function received(count = 1) {
	await eventually(() => expect(fixture.core.received).toHaveLength(count));
	return fixture.core.received[count - 1]!;
}
/** Returns the last message that a person sees. */
async function last(person: Person) {
	const seen = await person.look();
	return seen.at(-1)!;
}

describe('words', () => {
	test.each([
		[
			'in a mention',
			(ada: Person) => ada.say('@Easel imagine *wild* portrait of @Björn in #gallery by @painters :wave:'),
		],
		[
			'in a slash command',
			(ada: Person) => ada.types('/imagine wild portrait of @Björn in #gallery by @painters :wave:'),
		],
	])('%s reach the service as people see them', async (where, asks) => {
		fixture = await openSlackFixture();
		await asks(user('ada'));
		const name = where === 'in a mention' ? 'Björn' : 'bjorn';
		const { options } = await invocationOf(fixture);
		expect(options['prompt']).toBe(`wild portrait of @${name} in #gallery by @painters 👋`);
	});

	test('with emoji, addresses and everybody are read alike in commands, mentions and edits', async () => {
		fixture = await openSlackFixture();
		const typed =
			'a 🦊 with 👋🏼 for a@b.example, +49 30 1234567, https://example.com/?a&b, #f405b3, @here :partyparrot:';
		await user('ada').types(`/imagine ${typed}`);
		expect((await invocationOf(fixture)).options['prompt']).toBe(typed);
		await user('ada').say(`@Easel ${typed}`);
		expect((await received()).text).toBe(typed);
		const texts: unknown[] = [];
		fixture.core.changed = async ({ text }) => void texts.push(text);
		const direct = user('ada').directMessages();
		await direct.say('hello');
		await received(2);
		await direct.rewrite(await last(direct), typed);
		await eventually(() => expect(texts).toEqual([typed]));
	});

	test('to the bot behind words to others are told apart', async () => {
		fixture = await openSlackFixture();
		await user('ada').say('@Björn look, @Easel draw a fox');
		expect(await received()).toMatchObject({ addressed: true, toBot: 'draw a fox' });
	});

	test('name a private channel, whose label is empty in a command', async () => {
		const channels = ['general', { name: 'secret', private: true, bot: true }];
		fixture = await openSlackFixture({ teams: [{ name: 'Atelier', users: { ada: { name: 'Ada' } }, channels }] });
		await user('ada').types('/imagine the logo of #secret at dusk');
		expect((await invocationOf(fixture)).options['prompt']).toBe('the logo of #secret at dusk');
	});

	test('are answered with ids in place of names that Slack does not return soon', async () => {
		fixture = await openSlackFixture({
			teams: [{ name: 'Atelier', users: { ada: {}, bob: {} }, channels: ['general'] }],
		});
		fixture.slack.faults.limit('users.info', { seconds: 60, times: 5 });
		const { id } = fixture.slack.world.person('bob');
		await user('ada').say('@Easel imagine a portrait of @bob');
		expect((await invocationOf(fixture)).options['prompt']).toBe(`a portrait of @${id}`);
	});

	test('around a mention of the bot stay whole', async () => {
		fixture = await openSlackFixture();
		await user('ada').say('What is a fox, @Easel?');
		expect(await received()).toMatchObject({ text: 'What is a fox?', addressed: true });
	});
});

describe('a forwarded message', () => {
	test('brings its picture and its words', async () => {
		fixture = await openSlackFixture();
		const file = await pngFile('#8e44ad');
		const bjorn = user('bjorn');
		await bjorn.say('My @Ada at sea', [file]);
		const sent = await last(bjorn);
		const ada = user('ada');
		await ada.forward(sent, '@Easel edit make it night');
		const { command, options } = await invocationOf(fixture);
		expect([command, options['prompt'], await bytesOf(options['image'])]).toEqual([
			...['edit', 'make it night'],
			new Uint8Array(file.bytes),
		]);
		await ada.directMessages().forward(ada.message(sent), 'what is this?');
		const asked = await received();
		expect(asked).toMatchObject({ text: 'what is this?', repliedTo: { author: 'Björn', text: 'My @Ada at sea' } });
		expect(await bytesOf(asked.uploads[0])).toEqual(new Uint8Array(file.bytes));
		await ada.directMessages().forward(ada.message(sent));
		expect(await received(2)).toMatchObject({ text: 'My @Ada at sea', uploads: [{ name: file.name }] });
	});

	test('opens the form of its picture', async () => {
		fixture = await openSlackFixture();
		const file = await pngFile('#16a085');
		const bjorn = user('bjorn');
		await bjorn.say('look', [file]);
		await bjorn.forward(await last(bjorn));
		const ada = user('ada');
		await ada.menu(await last(ada), 'Edit image');
		const { attached } = await pressOf(fixture);
		expect(await bytesOf(attached[0])).toEqual(new Uint8Array(file.bytes));
	});
});

describe('a file', () => {
	test.each([
		['tombstone', 'deleted'],
		['hidden_by_limit', 'hidden'],
		['external', 'elsewhere'],
		['access_denied', 'denied'],
		['file_not_found', 'denied'],
	] as const)('says why it cannot be read: %s', async (condition, unreadable) => {
		fixture = await openSlackFixture();
		const direct = user('ada').directMessages();
		await direct.say('make it night', [{ ...(await pngFile()), condition }]);
		expect((await received()).uploads).toEqual([expect.objectContaining({ unreadable })]);
		await direct.menu(await last(direct), 'Edit image');
		expect((await pressOf(fixture)).attached).toEqual([expect.objectContaining({ unreadable })]);
	});

	test.each([
		['file_deleted', 'deleted'],
		['file_not_found', 'denied'],
		['access_denied', 'denied'],
	])('of which the event has only the id is looked up: %s', async (code, unreadable) => {
		fixture = await openSlackFixture({ thinFiles: true });
		fixture.slack.faults.refuse('files.info', code);
		await user('ada')
			.directMessages()
			.say('make it night', [await pngFile()]);
		expect((await received()).uploads).toEqual([expect.objectContaining({ unreadable, type: 'image/*' })]);
	});

	test('that is gone or closed when it is read says so', async () => {
		fixture = await openSlackFixture();
		await user('ada')
			.directMessages()
			.say('make it night', [await pngFile()]);
		const [upload] = (await received()).uploads;
		for (const file of fixture.slack.world.files.values()) file.state = 'deleted';
		await expect(bytesOf(upload)).rejects.toThrow('does not exist any more');
		fixture.slack.settings.thinFiles = true;
		fixture.slack.faults.serverError('files.info', { status: 403 });
		await user('ada')
			.directMessages()
			.say('make it night', [{ ...(await pngFile()), condition: 'thin' }]);
		const [second] = (await received(2)).uploads;
		fixture.slack.faults.refuse('files.info', 'file_not_found');
		await expect(bytesOf(second)).rejects.toThrow('I have no access to the picture');
	});

	test('in a format that is not read is Slack’s own picture of it', async () => {
		fixture = await openSlackFixture();
		const converted = await smallPng('#d35400');
		const bytes = Buffer.from('\0\0\0\x18ftypheic a photo of a phone');
		await user('ada').say('@Easel edit make it night', [{ name: 'IMG_1.HEIC', bytes, converted }]);
		const { options } = await invocationOf(fixture);
		expect(options['image']).toMatchObject({ name: 'IMG_1.jpeg', type: 'image/jpeg' });
		expect(await bytesOf(options['image'])).toEqual(new Uint8Array(converted));
	});

	test('in a format that is not read is waited for while Slack makes its picture', async () => {
		fixture = await openSlackFixture();
		const converted = await smallPng('#d35400');
		const bytes = Buffer.from('\0\0\0\x18ftypheic a photo of a phone');
		const photo = { name: 'IMG_2.HEIC', bytes, converted, condition: 'converting' } as const;
		await user('ada').say('@Easel edit make it night', [photo]);
		expect(await bytesOf((await invocationOf(fixture)).options['image'])).toEqual(new Uint8Array(converted));
	});

	test('that is a page is read, and is told from the login page', async () => {
		fixture = await openSlackFixture();
		const page = { name: 'page.html', bytes: Buffer.from('<!DOCTYPE html><p>hello</p>') };
		await user('ada').directMessages().say('sum it up', [page]);
		const { uploads } = await received();
		expect(await bytesOf(uploads[0])).toEqual(new Uint8Array(page.bytes));
		fixture.slack.settings.loginPage = true;
		await expect(bytesOf(uploads[0])).rejects.toThrow('files:read');
	});

	test('that is a voice clip, a snippet or a document is received with its type', async () => {
		fixture = await openSlackFixture();
		const file = (name: string, text: string) => ({ name, bytes: Buffer.from(text) });
		await user('ada')
			.directMessages()
			.say('', [
				file('audio_message.m4a', '\0\0\0\x18ftypM4A a voice'),
				{ ...file('Untitled', 'a long text'), snippet: true },
				file('brief.pdf', '%PDF-1.7'),
			]);
		expect((await received()).uploads.map(({ name, type }) => [name, type])).toEqual([
			['audio_message.m4a', 'audio/mp4'],
			['Untitled', 'text/plain'],
			['brief.pdf', 'application/pdf'],
		]);
	});
});

describe('a mention in a thread', () => {
	async function talk() {
		const bjorn = user('bjorn');
		await bjorn.say('Which *logo* do we take, @Ada?', [await pngFile('#111111')]);
		const root = await last(bjorn);
		bjorn.enter(root.id);
		const place = { ...fixture.place, thread: root.id };
		await postIn(fixture, { text: 'Here is **one**', pictures: [await picture('#222222')] }, 'own', place);
		await bjorn.say('Or this 🦊?', [await pngFile('#333333')]);
		const ada = user('ada');
		ada.enter(root.id);
		return ada;
	}

	test('is told what was said before it, with the pictures', async () => {
		fixture = await openSlackFixture();
		const ada = await talk();
		await ada.say('@Easel which is best?');
		const message = await received(2);
		expect(message.repliedTo).toMatchObject({ author: 'Björn', text: 'Which logo do we take, @Ada?' });
		const before = (await message.before?.()) ?? [];
		expect(before.map(({ author, text, uploads, own }) => [author, text, uploads.length, own])).toEqual([
			['Björn', 'Which logo do we take, @Ada?', 1, undefined],
			['Easel', 'Here is **one**', 1, true],
			['Björn', 'Or this 🦊?', 1, undefined],
		]);
		expect(await bytesOf(before[2]?.uploads[0])).toEqual(new Uint8Array((await pngFile('#333333')).bytes));
		expect(fixture.slack.calls.filter(({ method }) => method === 'conversations.replies')).toHaveLength(1);
	});

	test('is told the beginning of a long thread and its end', async () => {
		fixture = await openSlackFixture();
		const ada = await talk();
		for (let index = 0; index < 20; index++) await ada.say(`number ${index}`);
		await received(21);
		await ada.say('@Easel sum it up');
		const before = (await (await received(22)).before?.()) ?? [];
		const texts = before.map(({ text }) => text);
		expect(texts).toEqual([
			'Which logo do we take, @Ada?',
			...Array.from({ length: 14 }, (_, index) => `number ${index + 6}`),
		]);
	});

	test('is answered without it where Slack has a limit of one history a minute', async () => {
		fixture = await openSlackFixture({ unlisted: true, pace: 1 });
		const ada = await talk();
		for (const text of ['one', 'two']) await ada.say(`@Easel ${text}`);
		const second = await received(3);
		expect([second.text, second.addressed, await second.before?.()]).toEqual(['two', true, []]);
	});

	test('is told which permission lacks to find its picture', async () => {
		fixture = await openSlackFixture();
		const ada = await talk();
		const error = { error: 'missing_scope', more: { needed: 'channels:history' } };
		fixture.slack.faults.add('conversations.replies', error, 2);
		await ada.say('@Easel edit make it night');
		await eventually(async () => expect((await last(ada)).text).toMatch(/permission `channels:history`/));
		await ada.say('@Easel which is best?');
		expect((await received(2)).text).toBe('which is best?');
	});

	test('may be added by an edit, and is then answered once', async () => {
		fixture = await openSlackFixture();
		const ada = await talk();
		await ada.say('imagine a hill');
		const own = await last(ada);
		await received(2);
		await ada.rewrite(own, '@Easel imagine a hill');
		expect((await invocationOf(fixture)).options).toEqual({ prompt: 'a hill' });
		await ada.rewrite(own, '@Easel imagine a hill at night');
		await ada.say('done');
		await received(3);
		expect(fixture.core.invoked).toHaveLength(1);
	});

	test('composes the pictures of the people above it, and edits one of several by its number', async () => {
		fixture = await openSlackFixture();
		const ada = await talk();
		await ada.say('@Easel compose side by side');
		const { options } = await invocationOf(fixture);
		expect(await bytesOf(options['image1'])).toEqual(new Uint8Array((await pngFile('#111111')).bytes));
		expect(await bytesOf(options['image2'])).toEqual(new Uint8Array((await pngFile('#333333')).bytes));
		ada.enter();
		await ada.say('these', [await pngFile('#111111'), await pngFile('#333333')]);
		ada.enter((await last(ada)).id);
		await ada.say('@Easel edit make it night');
		await eventually(async () => expect((await last(ada)).text).toMatch(/has 2 pictures. Name one, such as `#2`/));
		await ada.say('@Easel edit make the second one blue');
		const { options: second } = await invocationOf(fixture, 2);
		expect(await bytesOf(second['image'])).toEqual(new Uint8Array((await pngFile('#333333')).bytes));
		await ada.say('@Easel compose this with the first one', [await pngFile('#555555')]);
		const { options: both } = await invocationOf(fixture, 3);
		expect(await bytesOf(both['image1'])).toEqual(new Uint8Array((await pngFile('#111111')).bytes));
		expect(await bytesOf(both['image2'])).toEqual(new Uint8Array((await pngFile('#555555')).bytes));
	});

	test('edits the newest picture above it where its thread begins with none', async () => {
		fixture = await openSlackFixture();
		const bjorn = user('bjorn');
		await bjorn.say('A logo, please');
		bjorn.enter((await last(bjorn)).id);
		for (const colour of ['#111111', '#333333']) await bjorn.say('this?', [await pngFile(colour)]);
		await bjorn.say('@Easel edit make it night');
		const { options } = await invocationOf(fixture);
		expect(await bytesOf(options['image'])).toEqual(new Uint8Array((await pngFile('#333333')).bytes));
	});
});

describe('what Slack does not return', () => {
	/** Looks nothing up that these methods return. */
	function silence(...methods: string[]): void {
		for (const method of methods) for (let calls = 0; calls < 5; calls++) fixture.slack.faults.slow(method);
	}

	test('does not delay a command in direct messages', async () => {
		fixture = await openSlackFixture();
		silence('users.info', 'usergroups.list', 'conversations.open');
		const { account } = user('ada');
		await user('ada').directMessages().types('/imagine a fox');
		expect((await invocationOf(fixture)).person).toMatchObject({ id: account.id, name: 'ada', moderator: false });
	});

	test('does not delay a mention, whose channels and files stay ids', async () => {
		fixture = await openSlackFixture({ thinFiles: true });
		silence('conversations.info', 'files.info');
		await user('ada').say('@Easel is #gallery nice?', [await pngFile()]);
		expect((await received()).text).toMatch(/^is #C\w+ nice\?$/);
	});

	test('of the groups leaves a person known, and is looked up again', async () => {
		fixture = await openSlackFixture();
		fixture.slack.faults.serverError('usergroups.list', { status: 403 });
		await user('ada').types('/imagine a fox');
		expect((await invocationOf(fixture)).person).toMatchObject({ name: 'Ada', moderator: true, roles: [] });
		await user('ada').types('/imagine a hill');
		expect((await invocationOf(fixture, 2)).person.roles).toHaveLength(1);
	});
});

test('a message to the bot that cannot be read is answered with a sentence', async () => {
	fixture = await openSlackFixture();
	const ada = user('ada');
	await ada.say('A logo, please');
	const root = (await last(ada)).id;
	const covered = { text: 'one', pictures: [{ ...(await picture()), spoiler: true as const }] };
	await postIn(fixture, covered, 'own', { ...fixture.place, thread: root });
	ada.enter(root);
	await fixture.slack.user('ada').look();
	const { keyv } = fixture;
	keyv.get = (() => Promise.reject(new Error('gone'))) as never;
	await ada.say('@Easel edit make it night');
	await eventually(async () => expect((await last(ada)).text).toMatch(/^Something went wrong/));
});

test('Slackbot and apps are told from people, and are no moderators', async () => {
	fixture = await openSlackFixture();
	const { channel, account } = user('ada');
	const bot = [...account.team.users.values()].find((one) => one.bot)?.id;
	const event = { type: 'app_mention', channel: channel.id, text: `<@${bot}> imagine a fox` };
	fixture.slack.event({ ...event, user: 'USLACKBOT', ts: '1700000000.000100' });
	fixture.slack.event({ ...event, user: account.id, bot_id: 'B0OTHER', ts: '1700000000.000200' });
	await user('ada').say('@Easel imagine a hill');
	await invocationOf(fixture, 3);
	const asking = fixture.core.invoked.map(({ options, person }) => [options['prompt'], person.app, person.moderator]);
	const apps = ['a fox', true, false];
	expect(asking).toEqual([apps, apps, ['a hill', undefined, true]]);
});
