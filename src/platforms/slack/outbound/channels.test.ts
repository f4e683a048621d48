import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { smallPng } from '../../../../test/fakes/service.ts';
import { channelOfCommand, openSlackFixture, postIn, type SlackFixture } from '../../../../test/fakes/slack-fixture.ts';

let fixture: SlackFixture;
beforeEach(async () => {
	fixture = await openSlackFixture();
});
afterEach(async () => {
	expect(fixture.slack.violations).toEqual([]);
	await fixture.close();
});

const seen = async (person = 'bjorn') => fixture.slack.user(person).look();
const picture = async (colour = '#c0392b', alt = 'a fox') => ({
	name: 'fox-1.png',
	bytes: await smallPng(colour),
	alt,
});

describe('a message', () => {
	test('is posted, edited in its place, found again by another process, and deleted', async () => {
		const buttons = [
			{ id: 'again:1:x', label: 'Again' },
			{ id: 'delete:1:x', label: 'Delete', kind: 'danger' as const },
		];
		const post = await postIn(fixture, { text: 'Drawing **a fox** …' }, 'job-1');
		const [status] = await seen();
		await post.edit({ text: '**a fox**', buttons });
		expect(await seen()).toMatchObject([
			{ id: status?.id, text: '**a fox**', buttons: ['Again', 'Delete'], private: false },
		]);

		const { platform } = await fixture.another();
		const found = await platform.find(JSON.parse(JSON.stringify(post.handle)));
		await found?.edit({ text: 'found by its handle' });
		expect((await seen())[0]?.text).toBe('found by its handle');
		await (await platform.find({ place: fixture.place, key: 'job-1' }))?.delete();
		expect(await seen()).toEqual([]);
		expect(await platform.find({ place: fixture.place, key: 'job-1' })).toBeUndefined();
		expect(await platform.find(post.handle)).toBeUndefined();
	});

	test('under the same key is the same message', async () => {
		await postIn(fixture, { text: 'one' }, 'job-1');
		await postIn(fixture, { text: 'two' }, 'job-1');
		expect((await seen()).map(({ text }) => text)).toEqual(['two']);
	});

	test('stays as it is where another one is only for want of it', async () => {
		const channel = await fixture.platform.channel(fixture.place);
		await postIn(fixture, { text: 'one' }, 'job-1');
		const post = await channel?.post({ text: 'two' }, 'job-1', { ifAbsent: true });
		expect((await seen()).map(({ text }) => text)).toEqual(['one']);
		await post?.delete();
		await channel?.post({ text: 'three' }, 'job-1', { ifAbsent: true });
		expect((await seen()).map(({ text }) => text)).toEqual(['three']);
	});

	test('that nobody lived to write down is found by its key', async () => {
		fixture.slack.faults.serverError('chat.postMessage', { after: true });
		await expect(postIn(fixture, { text: 'Drawing …' }, 'job-1')).rejects.toThrow();
		const { platform } = await fixture.another();
		await (await platform.find({ place: fixture.place, key: 'job-1' }))?.edit({ text: 'found' });
		await postIn(fixture, { text: 'once more' }, 'job-1');
		expect((await seen()).map(({ text }) => text)).toEqual(['once more']);
	});

	test('names people without ringing for them', async () => {
		const channel = await fixture.platform.channel(fixture.place);
		const { account: user } = fixture.slack.user('bjorn');
		const [group] = fixture.slack.world.teams.values().flatMap(({ groups }) => groups.values());
		await postIn(
			fixture,
			{
				text: [
					channel?.refer('person', user.id),
					channel?.refer('channel', fixture.place.channel),
					channel?.refer('role', group?.id ?? ''),
					'<!channel> <!here|now>',
				].join(' '),
			},
			'names',
		);
		const [message] = await seen();
		expect(message?.text).toMatch(/@Björn .*#general.* @painters/);
		expect(message?.text).not.toMatch(/<@|<!(channel|here)|<!subteam/);
	});

	test.each([
		['is_archived', /archived/],
		['restricted_action', /restrict who can post/],
		['ekm_access_denied', /restrict who can post/],
		['no_permission', /\/invite @/],
		['missing_scope', /permission/],
	])('that is refused with %s says what to do', async (code, sentence) => {
		fixture.slack.faults.refuse('chat.postMessage', code, 2);
		await expect(postIn(fixture, { text: 'x' }, 'refused')).rejects.toMatchObject({
			name: 'PlatformRefusedError',
			message: expect.stringMatching(sentence),
		});
	});

	test('waits where Slack says so, and holds up nothing else meanwhile', async () => {
		fixture.slack.faults.limit('chat.postMessage', { seconds: 1 });
		await postIn(fixture, { text: 'after a while' }, 'late');
		expect((await seen())[0]?.text).toBe('after a while');
	});
});

describe('pictures', () => {
	test('take the place of the status once Slack can show them, as the bytes that they are', async () => {
		const post = await postIn(fixture, { text: 'Drawing …' }, 'job-1');
		const [status] = await seen();
		const pictures = [await picture('#111111', 'one'), await picture('#222222', 'two')];
		await post.edit({ text: 'dots', pictures });
		expect(await seen()).toEqual([
			expect.objectContaining({
				id: status?.id,
				pictures: pictures.map(({ bytes, alt }) => ({ bytes: new Uint8Array(bytes), alt })),
			}),
		]);
		await post.edit({ text: 'still there' });
		expect((await seen())[0]?.pictures).toHaveLength(2);
		const found = await (await fixture.another()).platform.find(post.handle);
		await found?.edit({ text: 'gone', pictures: [] });
		expect((await seen())[0]?.pictures).toHaveLength(0);
	});

	test('that Slack does not get done with come below, and the message says so', async () => {
		fixture.slack.settings.processing = 'never';
		const post = await postIn(fixture, { text: 'Drawing …' }, 'job-1');
		const edited = post.edit({ text: 'a fox', pictures: [await picture()] });
		await vi.waitFor(() => expect(fixture.slack.calls.some(({ method }) => method === 'files.info')).toBe(true));
		// What is uploaded from now on is better treated than the first.
		fixture.slack.settings.processing = { polls: 0, ms: 0 };
		await edited;
		const [message] = await seen();
		expect(message?.text).toMatch(/a fox.*Slack does not show the picture/s);
		const ada = fixture.slack.user('ada');
		ada.enter(message?.id);
		expect((await ada.look()).at(-1)?.pictures).toHaveLength(1);
	});

	test.each([
		['disabled', /Uploads are turned off/],
		['storage full', /storage is full/],
	] as const)('where uploads are %s: a sentence', async (uploads, sentence) => {
		fixture.slack.settings.uploads = uploads;
		const post = await postIn(fixture, { text: 'Drawing …' }, 'job-1');
		await expect(post.edit({ text: 'a fox', pictures: [await picture()] })).rejects.toThrow(sentence);
	});

	test('that are covered are shown to who wants to see them, in direct messages', async () => {
		const post = await postIn(fixture, { text: 'Drawing …' }, 'job-1');
		await post.edit({
			text: 'a fox',
			pictures: [{ ...(await picture()), spoiler: true }],
			buttons: [{ id: 'edit:1:x', label: 'Edit' }],
		});
		const bjorn = fixture.slack.user('bjorn');
		const [message] = await seen();
		if (!message) throw new Error('The message is not there');
		expect(message).toMatchObject({ text: 'a fox', pictures: [], buttons: ['Show picture', 'Edit'] });

		await bjorn.press(message, 'Edit');
		await vi.waitFor(() => expect(fixture.core.pressed).toHaveLength(1));
		expect(await fixture.core.pressed[0]?.attached[0]?.read(AbortSignal.timeout(5000))).toEqual(
			Buffer.from(await smallPng('#c0392b')),
		);

		await bjorn.press(message, 'Show picture');
		await vi.waitFor(async () => expect((await bjorn.directMessages().look()).at(-1)?.pictures).toHaveLength(1));
		expect((await seen('ada')).some(({ pictures }) => pictures.length > 0)).toBe(false);
	});

	test('a file is found also where Slack does not say where it has shared it', async () => {
		fixture.slack.settings.emptyShares = true;
		const csv = { name: 'usage.csv', bytes: Buffer.from('a,b\n') };
		const post = await postIn(fixture, { text: 'a table', files: [csv] }, 'report');
		await post.edit({ text: 'the same table' });
		expect(await seen()).toMatchObject([{ text: 'the same table', files: ['usage.csv'] }]);
	});

	test('a report comes with its chart and its file in one message', async () => {
		const csv = { name: 'usage-2026-11.csv', bytes: Buffer.from('a,b\n') };
		await postIn(fixture, { text: '| table |', pictures: [await picture()], files: [csv] }, 'report');
		expect(await seen()).toMatchObject([
			{ text: '| table |', pictures: [{ alt: 'a fox' }], files: ['usage-2026-11.csv'] },
		]);
	});
});

describe('what is for one person', () => {
	test('is shown to nobody else, for the moment', async () => {
		const channel = await channelOfCommand(fixture, '/models');
		await channel.post({ text: 'a secret', visibility: 'private' }, 'private-1');
		expect((await seen('ada')).at(-1)).toMatchObject({ text: 'a secret', private: true });
		expect(await seen('bjorn')).toEqual([]);
	});

	test('goes to direct messages where it will have a picture, and the channel says where to look', async () => {
		const channel = await channelOfCommand(fixture, '/imagine a fox private:true');
		const post = await channel.post({ text: 'Drawing …', visibility: 'private' }, 'private-1');
		await post.edit({ text: 'a fox', pictures: [await picture()] });
		const direct = (await seen('ada')).filter(({ pictures }) => pictures.length > 0);
		expect(direct).toMatchObject([{ text: 'a fox', private: true }]);
		expect((await seen('ada')).map(({ text }) => text).join()).toMatch(/My answer is in our direct messages/);
		expect(await seen('bjorn')).toEqual([]);
	});

	test('a thread for one person is in direct messages', async () => {
		const channel = await channelOfCommand(fixture, '/chat hello');
		const thread = await channel.openThread('hello', { private: true });
		expect(thread.place).toMatchObject({ direct: true, thread: expect.any(String) });
		await thread.post({ text: 'Just us.' }, 'thread-1');
		expect(await seen('bjorn')).toEqual([]);
	});
});

test('a thread begins with its title and is posted in', async () => {
	const channel = await channelOfCommand(fixture, '/chat Tell me of *foxes*');
	const thread = await channel.openThread('Tell me of *foxes*');
	await thread.post({ text: 'They are small.' }, 'thread-1');
	const ada = fixture.slack.user('ada');
	const [first] = await ada.threads();
	expect(first?.title).toMatch(/Tell me of/);
	ada.enter(first?.id);
	expect((await ada.look()).at(-1)?.text).toBe('They are small.');
});

test('times are in the time zone of who asked', async () => {
	const channel = await channelOfCommand(fixture, '/usage');
	expect(channel.when(Date.UTC(2026, 10, 21, 12))).toMatch(/Nov 21, 2026.*1:00.*GMT\+1/);
	expect((await fixture.platform.channel(fixture.place))?.when(0)).toMatch(/UTC/);
});

test('where the bot is not, it goes in by itself, or asks to be let in', async () => {
	fixture.slack.faults.refuse('chat.postMessage', 'not_in_channel');
	await postIn(fixture, { text: 'here I am' }, 'joined');
	expect((await seen()).at(-1)?.text).toBe('here I am');
	fixture.slack.faults.refuse('chat.postMessage', 'channel_not_found', 2);
	await expect(postIn(fixture, { text: 'x' }, 'outside')).rejects.toThrow('Invite me with `/invite @Easel`');
});
