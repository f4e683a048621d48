import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../../../../packages/fakes/src/eventually.ts';
import {
	bytesOf,
	channelOfCommand,
	openSlackFixture,
	picture,
	pressOf,
	type SlackFixture,
} from '../../../../test/harness/slack-fixture.ts';
import type { Reply } from '../../../domain/channel.ts';

let fixture: SlackFixture;
beforeEach(async () => {
	fixture = await openSlackFixture();
});
afterEach(async () => {
	expect(fixture.slack.violations).toEqual([]);
	await fixture.close();
});

const STATUS: Reply = {
	text: 'Drawing **a fox** …',
	expected: { count: 1 },
	buttons: [{ id: 'cancel:1:job-1', label: 'Cancel' }],
};
const resultOf = async (...colours: string[]): Promise<Reply> => ({
	text: '**a \\*red\\* fox**\nAI-generated for Ada · again from [an earlier result](https://example.com/p1)',
	pictures: await Promise.all(colours.map((colour) => picture(colour))),
	buttons: [{ id: 'again:1:job-1', label: 'Again' }],
});

const visible = async (person = 'bjorn') => fixture.slack.user(person).look();
const methods = () => fixture.slack.calls.map(({ method }) => method);

/** Posts the status of a request while the channel takes no messages. */
async function postStatus(line = '/imagine a fox', seconds = 60) {
	const channel = await channelOfCommand(fixture, line);
	fixture.slack.faults.limit('chat.postMessage', { seconds });
	return channel.post(STATUS, 'job-1');
}

describe('while the messages of a channel are backed up', () => {
	test('only the requester sees the status, and everybody the result, with its buttons', async () => {
		const post = await postStatus();
		expect(await visible('ada')).toMatchObject([{ text: 'Drawing **a fox** …', buttons: ['Cancel'], private: true }]);
		expect(await visible()).toEqual([]);
		await post.edit({ ...STATUS, text: 'Drawing **a fox** … 5 s' });
		const result = await resultOf('#111111', '#222222', '#333333');
		await post.edit(result);
		const [seen, ...others] = await visible('ada');
		expect(others).toEqual([]);
		expect(seen).toMatchObject({
			text: result.text.replaceAll('\\', ''),
			pictures: result.pictures?.map(({ bytes }) => ({ bytes: new Uint8Array(bytes) })),
			buttons: ['Again'],
			private: false,
		});
		expect(methods().filter((method) => method === 'chat.update' || method === 'files.info')).toEqual([]);

		if (!seen) throw new Error('There is no message');
		await fixture.slack.user('bjorn').press(seen, 'Again');
		const { button, message, attached } = await pressOf(fixture);
		expect({ button, key: message.key }).toEqual({ button: 'again:1:job-1', key: 'job-1' });
		expect(await Promise.all(attached.map(bytesOf))).toEqual(seen.pictures?.map(({ bytes }) => bytes));
		const found = await fixture.platform.find(message);
		expect(found?.link).toMatch(/archives/);
		expect(await found?.pictures?.()).toHaveLength(3);
	});

	test('its result is repeated and deleted by another process', async () => {
		const result = await resultOf('#111111');
		await (await postStatus()).edit(result);
		const { platform } = await fixture.another();
		const found = await platform.find({ place: fixture.place, key: 'job-1' });
		await found?.edit(result);
		expect(await visible()).toHaveLength(1);
		expect(methods().filter((method) => method === 'files.completeUploadExternal')).toHaveLength(1);
		await found?.delete();
		expect(await visible()).toEqual([]);
		expect([...fixture.slack.world.files.values()].map(({ state }) => state)).toEqual(['deleted']);
	});

	test('its result becomes an ordinary message when it is edited, so that its buttons react', async () => {
		const post = await postStatus(undefined, 1);
		await post.edit(await resultOf('#111111'));
		const buttons = [{ id: 'vary:1:job-1', label: 'Vary' }];
		await post.edit({ text: 'a fox', buttons });
		expect(await visible()).toMatchObject([{ text: 'a fox', pictures: [expect.anything()], buttons: ['Vary'] }]);
		await post.edit({ text: 'two foxes', buttons, pictures: [await picture('#444444')] });
		const [seen, ...others] = await visible();
		expect([seen?.text, seen?.pictures?.length, others]).toEqual(['two foxes', 1, []]);
	});

	test('an error replaces the status', async () => {
		const post = await postStatus();
		await post.edit({ text: 'The image service failed.', buttons: [{ id: 'again:1:job-1', label: 'Again' }] });
		expect(await visible('ada')).toMatchObject([
			{ text: 'The image service failed.', buttons: ['Again'], private: true },
		]);
		expect(await visible()).toEqual([]);
		await post.delete();
		expect(await visible('ada')).toEqual([]);
	});

	test('an error of another process replaces the status', async () => {
		const { handle } = await postStatus();
		const { platform } = await fixture.another();
		await (await platform.find({ place: handle.place, key: handle.key }))?.edit({ text: 'Easel stopped.' });
		expect(await visible('ada')).toMatchObject([{ text: 'Easel stopped.', private: true }]);
	});

	test('a covered picture waits until the channel takes messages', async () => {
		const post = await postStatus(undefined, 1);
		await post.edit({ text: 'a fox', pictures: [{ ...(await picture()), spoiler: true }] });
		expect(await visible()).toMatchObject([{ text: 'a fox', pictures: [], buttons: ['Show picture'] }]);
		expect(await visible('ada')).toHaveLength(1);
	});
});

describe('a result that is shared is posted once', () => {
	test.each([
		['breaks before Slack has it', { die: true }],
		['breaks afterwards', { statusAfter: 503 }],
	] as const)('when the call %s', async (_, fault) => {
		const post = await postStatus();
		fixture.slack.faults.add('files.completeUploadExternal', fault);
		await post.edit(await resultOf('#111111'));
		expect(await visible()).toMatchObject([{ pictures: [expect.anything()], buttons: ['Again'] }]);
	});

	test.each(['before the call', 'while Slack handles the call'])('when the process ends %s', async (when) => {
		const post = await postStatus();
		const result = await resultOf('#111111');
		const release = fixture.slack.faults.slow('files.completeUploadExternal');
		const lost = post.edit(result);
		await eventually(() => expect(methods().at(-1)).toBe('files.completeUploadExternal'));
		if (when !== 'before the call') release();
		const { platform } = await fixture.another();
		const found = await platform.find({ place: fixture.place, key: 'job-1' });
		await found?.edit(result);
		expect(await visible()).toMatchObject([{ pictures: [expect.anything()], buttons: ['Again'] }]);
		if (when !== 'before the call') return lost;
		// In this test the call comes after all, and Slack refuses to complete an upload twice.
		release();
		await lost.catch(() => {});
		expect(await visible()).toHaveLength(1);
		fixture.slack.violations.length = 0;
	});
});
