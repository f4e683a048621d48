import type { App } from '@slack/bolt';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Actor } from '../actor.ts';
import { eventually } from '../eventually.ts';
import { pngFile } from '../pictures.ts';
import { BUTTONS, boltFor, run } from './bolt.fixture.ts';
import { type SlackFake, startSlack } from './index.ts';

let slack: SlackFake;
let app: App;

/** Uploads a picture, and waits until it is processed. */
async function upload(bytes: Uint8Array, name = 'fox.png') {
	const { upload_url = '', file_id = '' } = await app.client.files.getUploadURLExternal({
		filename: name,
		length: bytes.length,
	});
	await fetch(upload_url, { method: 'POST', body: new Uint8Array(bytes) });
	await app.client.files.completeUploadExternal({ files: [{ id: file_id }] });
	await eventually(async () => expect((await app.client.files.info({ file: file_id })).file?.mimetype).not.toBe(''));
	return file_id;
}

describe.each(['socket', 'http'] as const)('in %s mode', (mode) => {
	beforeEach(async () => {
		slack = await startSlack({ pace: 0.02, mode });
		app = boltFor(slack);
	});
	afterEach(async () => {
		await app.stop();
		await slack.close();
	});

	test('shows a reply to a command with its picture, text and buttons', async () => {
		const fox = await pngFile();
		app.command('/imagine', async ({ command, ack, client }) => {
			await ack();
			const { ts = '', channel = '' } = await client.chat.postMessage({
				channel: command.channel_id,
				text: `Drawing ${command.text}`,
			});
			const id = await upload(fox.bytes);
			await client.chat.update({
				channel,
				ts,
				text: command.text,
				blocks: [
					{ type: 'section', text: { type: 'mrkdwn', text: `*${command.text}* for <@${command.user_id}>` } },
					{ type: 'image', slack_file: { id }, alt_text: 'a fox' },
					BUTTONS,
				],
			});
		});
		await run(slack, app);
		const ada = new Actor(slack.user('ada'));
		const seen = await ada.does('/imagine', { prompt: 'a fox & a hen', n: 2 }).sees({ pictures: 1 });
		expect(seen).toEqual({
			id: expect.any(String),
			text: '**a fox & a hen n:2** for @Ada',
			pictures: [{ bytes: new Uint8Array(fox.bytes), alt: 'a fox' }],
			files: [],
			buttons: ['Again'],
			private: false,
		});
		expect((await new Actor(slack.user('bjorn')).looks()).map(({ id }) => id)).toEqual([seen.id]);
		expect(slack.violations).toEqual([]);
	});

	test('submits a form with a picture, shows its errors, and submits it again', async () => {
		const received: unknown[] = [];
		app.command('/edit', async ({ command, ack, client }) => {
			await ack();
			await client.views.open({
				trigger_id: command.trigger_id,
				view: {
					type: 'modal',
					callback_id: 'edit',
					title: { type: 'plain_text', text: 'Edit image' },
					submit: { type: 'plain_text', text: 'Edit' },
					private_metadata: command.channel_id,
					blocks: [
						{
							type: 'input',
							block_id: 'image',
							label: { type: 'plain_text', text: 'The picture' },
							element: { type: 'file_input', action_id: 'image', filetypes: ['png', 'jpg'], max_files: 1 },
						},
						{
							type: 'input',
							block_id: 'prompt',
							label: { type: 'plain_text', text: 'Change to make' },
							element: { type: 'plain_text_input', action_id: 'prompt', initial_value: command.text, max_length: 2000 },
						},
					],
				},
			});
		});
		app.view('edit', async ({ view, ack, client }) => {
			const files = view.state.values['image']?.['image']?.files ?? [];
			const [file] = files;
			if (!file) return ack({ response_action: 'errors', errors: { image: '`image` is missing.' } });
			await ack();
			const response = await fetch(String(file.url_private_download), {
				headers: { authorization: `Bearer ${slack.botToken}` },
			});
			received.push(view.state.values['prompt']?.['prompt']?.value, Buffer.from(await response.arrayBuffer()));
			await client.chat.postEphemeral({
				channel: view.private_metadata,
				user: slack.world.person('ada').id,
				text: 'Done',
			});
		});
		await run(slack, app);
		const user = slack.user('ada');
		const ada = new Actor(user);
		const picture = await pngFile();
		await ada.does('/edit', { prompt: 'brighter' }).sees({ text: /`image` is missing/, private: true });
		const form = user.form();
		expect(form?.fields.map(({ name, kind }) => [name, kind])).toEqual([
			['image', 'picture'],
			['prompt', 'text'],
		]);
		expect(user.refuses({})).toMatch(/complete this required/);
		if (!form) throw new Error('No form is open');
		await ada.fillsIn(form, { image: picture }).sees({ text: /Done/, private: true });
		await ada.does('/edit', { prompt: 'darker', image: picture }).sees({ text: /Done/, private: true });
		expect(received).toEqual(['brighter', Buffer.from(picture.bytes), 'darker', Buffer.from(picture.bytes)]);
		expect(await slack.user('bjorn').look()).toEqual([]);
		expect(slack.violations).toEqual([]);
	});

	test('delivers messages with files and mentions, and buttons and shortcuts with their message', async () => {
		const received: unknown[] = [];
		app.event('message', async ({ event }) => void received.push({ ...event }));
		app.event('app_mention', async ({ event }) => void received.push({ ...event }));
		app.shortcut('edit:1:menu', async ({ shortcut, ack }) => {
			await ack();
			received.push(shortcut.type === 'message_action' && shortcut.message['files']);
		});
		app.action('again', async ({ body, ack, respond }) => {
			await ack();
			received.push(body.type === 'block_actions' && body.container['message_ts']);
			await respond({ text: 'Pressed', response_type: 'ephemeral', replace_original: false });
		});
		await run(slack, app);
		const user = slack.user('ada');
		await user.say('1 < 2 @Easel @Björn #gallery', [await pngFile()]);
		await eventually(() => expect(received).toHaveLength(2));
		const [bot, bjorn] = [slack.world.team().installation?.user.id, slack.world.person('bjorn').id];
		const text = `1 &lt; 2 <@${bot}> <@${bjorn}> <#${slack.world.channel('gallery').id}>`;
		const files = [{ mimetype: 'image/png', name: 'picture.png' }];
		expect(received).toMatchObject([
			{ type: 'message', subtype: 'file_share', text, files, channel_type: 'channel' },
			{ type: 'app_mention', text, files },
		]);
		const [message] = await user.look();
		if (!message) throw new Error('There is no message');
		expect(message.text).toBe('1 < 2 @Easel @Björn #gallery');
		await user.menu(message, 'Edit image');
		await eventually(() => expect(received[2]).toMatchObject(files));

		const { ts } = await app.client.chat.postMessage({
			channel: slack.world.channel().id,
			text: 'Here',
			blocks: [{ type: 'markdown', text: '**Here**' }, BUTTONS],
		});
		await eventually(() => expect(received).toHaveLength(3));
		const post = (await user.look()).find(({ id }) => id === ts);
		if (!post) throw new Error('There is no post');
		await new Actor(user).presses('Again', post).sees({ text: /Pressed/, private: true });
		expect(received[3]).toBe(ts);
		expect(slack.violations).toEqual([]);
	});
});
