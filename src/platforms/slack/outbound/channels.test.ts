import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../../../../packages/fakes/src/eventually.ts';
import { smallPng } from '../../../../packages/fakes/src/service.ts';
import {
	channelOfCommand,
	openSlackFixture,
	picture,
	postIn,
	type SlackFixture,
} from '../../../../test/harness/slack-fixture.ts';

let fixture: SlackFixture;
beforeEach(async () => {
	fixture = await openSlackFixture();
});
afterEach(async () => {
	expect(fixture.slack.violations).toEqual([]);
	await fixture.close();
});

const visible = async (person = 'bjorn') => fixture.slack.user(person).look();

describe('a message', () => {
	test('is posted, edited, found by another process, and deleted', async () => {
		const buttons = [
			{ id: 'again:1:x', label: 'Again' },
			{ id: 'delete:1:x', label: 'Delete', kind: 'danger' as const },
		];
		const post = await postIn(fixture, { text: 'Drawing **a fox** …' }, 'job-1');
		const [status] = await visible();
		await post.edit({ text: '**a fox**', buttons });
		expect(await visible()).toMatchObject([
			{ id: status?.id, text: '**a fox**', buttons: ['Again', 'Delete'], private: false },
		]);

		const { platform } = await fixture.another();
		const found = await platform.find(JSON.parse(JSON.stringify(post.handle)));
		await found?.edit({ text: 'found by its handle' });
		expect((await visible())[0]?.text).toBe('found by its handle');
		await (await platform.find({ place: fixture.place, key: 'job-1' }))?.delete();
		expect(await visible()).toEqual([]);
		expect(await platform.find({ place: fixture.place, key: 'job-1' })).toBeUndefined();
		expect(await platform.find(post.handle)).toBeUndefined();
	});

	test('gets its picture by four calls when Slack processes files at once, and otherwise once they are processed', async () => {
		const { slack } = fixture;
		const calls = () =>
			slack.calls
				.splice(0)
				.filter(({ method }) => method !== 'apps.connections.open')
				.map(({ method, error }) => (error ? `${method}: ${error}` : method));
		const upload = ['files.getUploadURLExternal', 'files.completeUploadExternal'];
		slack.calls.length = 0;
		slack.settings.processing = { polls: 0, ms: 0 };
		const post = await postIn(fixture, { text: 'Drawing **a fox** …' }, 'job-1');
		await post.edit({ text: '**a fox**', pictures: [await picture()] });
		expect(calls()).toEqual(['chat.postMessage', ...upload, 'chat.update']);

		slack.settings.processing = { polls: 1, ms: 60_000 };
		const later = await postIn(fixture, { text: 'Drawing **an owl** …' }, 'job-2');
		await later.edit({ text: '**an owl**', pictures: [await picture()] });
		const written = ['chat.update: invalid_blocks', 'files.info', 'chat.update'];
		expect(calls()).toEqual(['chat.postMessage', ...upload, ...written]);
	});

	test('under the same key is edited', async () => {
		await postIn(fixture, { text: 'one' }, 'job-1');
		await postIn(fixture, { text: 'two' }, 'job-1');
		expect((await visible()).map(({ text }) => text)).toEqual(['two']);
	});

	test('that exists stays as it is with `ifAbsent`', async () => {
		const channel = await fixture.platform.channel(fixture.place);
		await postIn(fixture, { text: 'one' }, 'job-1');
		const post = await channel?.post({ text: 'two' }, 'job-1', { ifAbsent: true });
		expect((await visible()).map(({ text }) => text)).toEqual(['one']);
		await post?.delete();
		await channel?.post({ text: 'three' }, 'job-1', { ifAbsent: true });
		expect((await visible()).map(({ text }) => text)).toEqual(['three']);
	});

	test.each([
		['lost', { statusAfter: 503 }],
		['never made', { status: 503 }],
		['refused by an error of Slack’s own', { error: 'internal_error' }],
	] as const)('whose call was %s is there once', async (_, fault) => {
		fixture.slack.faults.add('chat.postMessage', fault);
		const post = await postIn(fixture, { text: 'Drawing …' }, 'job-1');
		await post.edit({ text: 'a fox' });
		expect((await visible()).map(({ text }) => text)).toEqual(['a fox']);
	});

	test('whose `ts` was not stored is found by its key', async () => {
		const { handle } = await postIn(fixture, { text: 'Drawing …' }, 'job-1');
		await fixture.keyv.set('post:job-1', { channel: handle.place.channel, since: Date.now() });
		const { platform } = await fixture.another();
		await (await platform.find({ place: fixture.place, key: 'job-1' }))?.edit({ text: 'found' });
		await postIn(fixture, { text: 'once more' }, 'job-1');
		expect((await visible()).map(({ text }) => text)).toEqual(['once more']);
	});

	test('shows names without mentioning people', async () => {
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
		const [message] = await visible();
		expect(message?.text).toMatch(/@Björn .*#general.* @painters/);
		expect(message?.text).not.toMatch(/<@|<!(channel|here)|<!subteam/);
	});

	test.each([
		['is_archived', /archived/],
		['restricted_action', /restrict who can post/],
		['ekm_access_denied', /restrict who can post/],
		['no_permission', /\/invite @/],
		['missing_scope', /permission/],
	])('that is refused with %s throws a sentence for people', async (code, sentence) => {
		fixture.slack.faults.refuse('chat.postMessage', code, 2);
		await expect(postIn(fixture, { text: 'x' }, 'refused')).rejects.toMatchObject({
			name: 'PlatformRefusedError',
			message: expect.stringMatching(sentence),
		});
	});

	test('waits as long as Slack says', async () => {
		fixture.slack.faults.limit('chat.postMessage', { seconds: 1 });
		await postIn(fixture, { text: 'after a while' }, 'late');
		expect((await visible())[0]?.text).toBe('after a while');
	});
});

describe('pictures', () => {
	test('replace the status once Slack has processed them, with the same bytes', async () => {
		const post = await postIn(fixture, { text: 'Drawing …' }, 'job-1');
		const [status] = await visible();
		const pictures = [await picture('#111111', 'one'), await picture('#222222', 'two')];
		await post.edit({ text: 'dots', pictures });
		expect(await visible()).toEqual([
			expect.objectContaining({
				id: status?.id,
				pictures: pictures.map(({ bytes, alt }) => ({ bytes: new Uint8Array(bytes), alt })),
			}),
		]);
		await post.edit({ text: 'still there' });
		expect((await visible())[0]?.pictures).toHaveLength(2);
		const found = await (await fixture.another()).platform.find(post.handle);
		await found?.edit({ text: 'gone', pictures: [] });
		expect((await visible())[0]?.pictures).toHaveLength(0);
	});

	test('of a type that messages cannot show are posted in the thread', async () => {
		const bytes = Buffer.from('RIFF\x04\x00\x00\x00WEBP');
		const post = await postIn(
			fixture,
			{ text: 'a fox', pictures: [{ name: 'fox.webp', bytes, alt: 'a fox' }] },
			'job-1',
		);
		expect((await visible())[0]?.text).toMatch(/a fox.*Slack does not show the picture/s);
		const ada = fixture.slack.user('ada');
		ada.enter(post.handle.data?.['ts']);
		expect(await post.describe?.(['a red fox'])).toBe(false);
		expect((await ada.look()).at(-1)?.pictures).toMatchObject([{ alt: 'a fox' }]);
		await post.delete();
		expect((await ada.look()).flatMap(({ pictures }) => pictures)).toEqual([]);
	});

	test('that messages cannot refer to yet are posted a moment later', async () => {
		fixture.slack.faults.refuse('chat.postMessage', 'invalid_blocks', 2);
		await postIn(fixture, { text: 'a fox', pictures: [await picture()] }, 'job-1');
		expect(await visible()).toMatchObject([{ text: 'a fox', pictures: [{ alt: 'a fox' }] }]);
	});

	test('of which Slack returns no files are posted all the same', async () => {
		fixture.slack.faults.refuse('files.info', 'file_not_found', 20);
		const post = await postIn(fixture, { text: 'Drawing …' }, 'job-1');
		await post.edit({ text: 'a fox', pictures: [await picture()] });
		expect(await visible()).toMatchObject([{ text: 'a fox', pictures: [{ alt: 'a fox' }] }]);
	});

	test('that Slack does not process in time are posted in the thread, and the message says so', async () => {
		fixture.slack.settings.processing = 'never';
		const post = await postIn(fixture, { text: 'Drawing …' }, 'job-1');
		const edited = post.edit({ text: 'a fox', pictures: [await picture()] });
		await eventually(() => expect(fixture.slack.calls.some(({ method }) => method === 'files.info')).toBe(true));
		// Later uploads are processed.
		fixture.slack.settings.processing = { polls: 0, ms: 0 };
		await edited;
		const [message] = await visible();
		expect(message?.text).toMatch(/a fox.*Slack does not show the picture/s);
		const ada = fixture.slack.user('ada');
		ada.enter(message?.id);
		expect((await ada.look()).at(-1)?.pictures).toMatchObject([{ alt: 'a fox' }]);
	});

	test.each([
		['disabled', /Uploads are turned off/],
		['storage full', /storage is full/],
	] as const)('are refused with a sentence when uploads are %s', async (uploads, sentence) => {
		fixture.slack.settings.uploads = uploads;
		const post = await postIn(fixture, { text: 'Drawing …' }, 'job-1');
		await expect(post.edit({ text: 'a fox', pictures: [await picture()] })).rejects.toThrow(sentence);
	});

	test('that are covered are shown in direct messages to the person who presses the button', async () => {
		const post = await postIn(fixture, { text: 'Drawing …' }, 'job-1');
		await post.edit({
			text: 'a fox',
			pictures: [{ ...(await picture()), spoiler: true }],
			buttons: [{ id: 'edit:1:x', label: 'Edit' }],
		});
		const bjorn = fixture.slack.user('bjorn');
		const [message] = await visible();
		if (!message) throw new Error('There is no message');
		expect(message).toMatchObject({ text: 'a fox', pictures: [], buttons: ['Show picture', 'Edit'] });

		await bjorn.press(message, 'Edit');
		await eventually(() => expect(fixture.core.pressed).toHaveLength(1));
		expect(await fixture.core.pressed[0]?.attached[0]?.read(AbortSignal.timeout(5000), 10_000_000)).toEqual(
			Buffer.from(await smallPng('#c0392b')),
		);

		const found = await (await fixture.another()).platform.find(post.handle);
		expect(await found?.describe?.(['a red fox'])).toBe(true);
		await bjorn.press(message, 'Show picture');
		await eventually(async () =>
			expect((await bjorn.directMessages().look()).at(-1)?.pictures).toMatchObject([{ alt: 'a red fox' }]),
		);
		expect((await visible('ada')).some(({ pictures }) => pictures.length > 0)).toBe(false);
	});

	test('a file is found when Slack does not list its shares', async () => {
		fixture.slack.settings.emptyShares = true;
		const csv = { name: 'usage.csv', bytes: Buffer.from('a,b\n') };
		const post = await postIn(fixture, { text: 'a table', files: [csv] }, 'report');
		await post.edit({ text: 'the same table' });
		expect(await visible()).toMatchObject([{ text: 'the same table', files: ['usage.csv'] }]);
	});

	test('a report is a message with its chart, and its file is in the thread', async () => {
		const csv = { name: 'usage-2026-11.csv', bytes: Buffer.from('a,b\n') };
		const report = { text: '| table |', pictures: [await picture()], files: [csv] };
		await postIn(fixture, report, 'report');
		expect(await visible()).toMatchObject([
			{ text: '| table |', pictures: [{ alt: 'a fox' }], files: ['usage-2026-11.csv'] },
		]);
		const bjorn = fixture.slack.user('bjorn');
		bjorn.enter((await bjorn.look())[0]?.id);
		expect(await bjorn.look()).toMatchObject([{}, { text: '', pictures: [], files: ['usage-2026-11.csv'] }]);
	});

	test('a file that was not shared is shared when the message is posted again', async () => {
		const csv = { name: 'usage.csv', bytes: Buffer.from('a,b\n') };
		const report = { text: 'a table', files: [csv] };
		fixture.slack.faults.die('files.completeUploadExternal', 3);
		await expect(postIn(fixture, report, 'report')).rejects.toThrow();
		expect(await visible()).toMatchObject([{ text: 'a table', files: [] }]);
		for (const ifAbsent of [true, false])
			await (await fixture.platform.channel(fixture.place))?.post(report, 'report', { ifAbsent });
		expect(await visible()).toMatchObject([{ text: 'a table', files: ['usage.csv'] }]);
	});

	test('a file that Slack has shared before the call failed is not shared again', async () => {
		const csv = { name: 'usage.csv', bytes: Buffer.from('a,b\n') };
		fixture.slack.faults.serverError('files.completeUploadExternal', { after: true });
		await postIn(fixture, { text: 'a table', files: [csv] }, 'report');
		await fixture.another();
		await postIn(fixture, { text: 'a table', files: [csv] }, 'report');
		expect(await visible()).toMatchObject([{ text: 'a table', files: ['usage.csv'] }]);
	});

	test('in the thread are replaced when they could not be shared', async () => {
		fixture.slack.settings.processing = 'never';
		const post = await postIn(fixture, { text: 'Drawing …' }, 'job-1');
		const edited = expect(post.edit({ text: 'a fox', pictures: [await picture()] })).rejects.toThrow();
		await eventually(() => expect(fixture.slack.calls.some(({ method }) => method === 'files.info')).toBe(true));
		fixture.slack.settings.processing = { polls: 0, ms: 0 };
		fixture.slack.faults.die('files.completeUploadExternal', 3);
		await edited;
		const { platform } = await fixture.another();
		const found = await platform.find(post.handle);
		await found?.edit({ text: 'a fox', pictures: [await picture()] });
		expect(await visible()).toMatchObject([{ text: 'a fox', pictures: [{ alt: 'a fox' }] }]);
		const ada = fixture.slack.user('ada');
		ada.enter(post.handle.data?.['ts']);
		expect((await ada.look()).slice(1)).toEqual([]);
	});

	test('a file that cannot be uploaded leaves no message behind', async () => {
		fixture.slack.settings.uploads = 'storage full';
		const csv = { name: 'usage.csv', bytes: Buffer.from('a,b\n') };
		await expect(postIn(fixture, { text: 'a table', files: [csv] }, 'report')).rejects.toThrow('storage is full');
		expect(await visible()).toEqual([]);
	});

	test('a file that cannot be shared keeps the message and its pictures', async () => {
		const csv = { name: 'usage.csv', bytes: Buffer.from('a,b\n') };
		const report = { text: 'a table', pictures: [await picture()], files: [csv] };
		const release = fixture.slack.faults.slow('chat.postMessage');
		const posting = postIn(fixture, report, 'report');
		await eventually(() => expect(fixture.slack.calls.at(-1)?.method).toBe('chat.postMessage'));
		fixture.slack.faults.refuse('files.completeUploadExternal', 'internal_error', 3);
		release();
		await expect(posting).rejects.toThrow('does not accept this right now');
		expect(await visible()).toMatchObject([{ text: 'a table', pictures: [{ alt: 'a fox' }], files: [] }]);
	});
});

describe('a private reply', () => {
	test('is ephemeral', async () => {
		const channel = await channelOfCommand(fixture, '/models');
		await channel.post({ text: 'a secret', visibility: 'private' }, 'private-1');
		expect((await visible('ada')).at(-1)).toMatchObject({ text: 'a secret', private: true });
		expect(await visible('bjorn')).toEqual([]);
	});

	test('with a picture is a direct message, which an ephemeral message links to', async () => {
		const channel = await channelOfCommand(fixture, '/imagine a fox private:true');
		const post = await channel.post({ text: 'Drawing …', visibility: 'private' }, 'private-1');
		await post.edit({ text: 'a fox', pictures: [await picture()] });
		const direct = (await visible('ada')).filter(({ pictures }) => pictures.length > 0);
		expect(direct).toMatchObject([{ text: 'a fox', private: true }]);
		expect((await visible('ada')).map(({ text }) => text).join()).toMatch(/My answer is in our direct messages/);
		expect(await visible('bjorn')).toEqual([]);
	});

	test('in a thread of its own is in direct messages', async () => {
		const channel = await channelOfCommand(fixture, '/chat hello');
		const thread = await channel.openThread('hello', { private: true });
		expect(thread.place).toMatchObject({ direct: true, thread: expect.any(String) });
		await thread.post({ text: 'Just us.' }, 'thread-1');
		expect(await visible('bjorn')).toEqual([]);
	});
});

test('a thread begins with its title', async () => {
	const channel = await channelOfCommand(fixture, '/chat Tell me of *foxes*');
	// Slack's answer is lost.
	fixture.slack.faults.serverError('chat.postMessage', { after: true });
	const thread = await channel.openThread('Tell me of *foxes*');
	await thread.post({ text: 'They are small.' }, 'thread-1');
	const ada = fixture.slack.user('ada');
	const [first] = await ada.threads();
	expect(first?.title).toMatch(/Tell me of/);
	ada.enter(first?.id);
	expect((await ada.look()).at(-1)?.text).toBe('They are small.');
});

test('times are in the time zone of the person who asked', async () => {
	const channel = await channelOfCommand(fixture, '/usage');
	expect(channel.when(Date.UTC(2026, 10, 21, 12))).toMatch(/Nov 21, 2026.*1:00.*GMT\+1/);
	expect((await fixture.platform.channel(fixture.place))?.when(0)).toMatch(/UTC/);
	fixture.slack.world.person('bjorn').timeZone = 'Mars/Olympus_Mons';
	expect((await channelOfCommand(fixture, '/usage', 'bjorn')).when(0)).toMatch(/UTC/);
});

test('a channel is joined, or the error asks for an invitation', async () => {
	fixture.slack.faults.refuse('chat.postMessage', 'not_in_channel');
	await postIn(fixture, { text: 'here I am' }, 'joined');
	expect((await visible()).at(-1)?.text).toBe('here I am');
	fixture.slack.faults.refuse('chat.postMessage', 'channel_not_found', 2);
	await expect(postIn(fixture, { text: 'x' }, 'outside')).rejects.toThrow('Invite me with `/invite @Easel`');
});
