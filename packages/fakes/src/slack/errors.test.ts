import type { App } from '@slack/bolt';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { BUTTONS, boltFor, errorOf as errorOfCall, run } from './bolt.fixture.ts';
import { type SlackFake, startSlack } from './index.ts';

let slack: SlackFake;
let app: App;

describe('Slack returns an error for', () => {
	beforeEach(async () => {
		slack = await startSlack({ pace: 0.02 });
		app = boltFor(slack);
	});
	afterEach(async () => {
		await app.stop();
		await slack.close();
	});

	const here = () => slack.world.channel().id;
	const words = { type: 'section', text: { type: 'mrkdwn', text: 'Hello' } } as const;
	const modal = (more: object = {}) => ({
		type: 'modal',
		title: { type: 'plain_text', text: 'Edit image' },
		blocks: [words],
		...more,
	});
	const errorOf = (method: string, args: object, token?: string) => errorOfCall(slack, app, method, args, token);

	test.each([
		['51 blocks', () => ({ blocks: Array(51).fill({ type: 'divider' }) }), 'invalid_blocks'],
		['a block of an unknown type', () => ({ blocks: [{ type: 'poster' }] }), 'invalid_blocks'],
		['an image without alt text', () => ({ blocks: [{ type: 'image', slack_file: { id: 'F1' } }] }), 'invalid_blocks'],
		[
			'an unknown file',
			() => ({ blocks: [{ type: 'image', alt_text: 'a fox', slack_file: { id: 'F1' } }] }),
			'invalid_blocks',
		],
		[
			'two blocks with the same id',
			() => ({ blocks: [words, words].map((one) => ({ ...one, block_id: 'x' })) }),
			'invalid_blocks',
		],
		[
			'a label of 76 characters',
			() => ({ blocks: [buttons({ text: { type: 'plain_text', text: 'x'.repeat(76) } })] }),
			'invalid_blocks',
		],
		['a value of 2,001 characters', () => ({ blocks: [buttons({ value: 'x'.repeat(2001) })] }), 'invalid_blocks'],
		[
			'26 buttons',
			() => ({ blocks: [{ type: 'actions', elements: Array(26).fill(BUTTONS.elements[0]) }] }),
			'invalid_blocks',
		],
		[
			'a section of 3,001 characters',
			() => ({ blocks: [{ type: 'section', text: { type: 'mrkdwn', text: 'x'.repeat(3001) } }] }),
			'invalid_blocks',
		],
		[
			'12,003 characters of Markdown',
			() => ({ blocks: Array.from({ length: 3 }, () => ({ type: 'markdown', text: 'x'.repeat(4001) })) }),
			'msg_blocks_too_long',
		],
		['no content', () => ({}), 'no_text'],
		['an unknown channel', () => ({ text: 'x', channel: 'C0NOWHERE' }), 'channel_not_found'],
	])('a message with %s', async (_, args, error) => {
		expect(
			await errorOf('chat.postMessage', {
				channel: here(),
				text: 'x',
				...(error === 'no_text' && { text: '' }),
				...args(),
			}),
		).toBe(error);
		expect(slack.violations.length).toBe(error === 'channel_not_found' ? 0 : 1);
	});

	const buttons = (more: object) => ({ type: 'actions', elements: [{ ...BUTTONS.elements[0], ...more }] });

	test('a message in a channel where the application cannot post', async () => {
		slack.world.channel().members.delete(slack.world.team().installation?.user.id ?? '');
		expect(await errorOf('chat.postMessage', { channel: here(), text: 'x' })).toBe('not_in_channel');
		expect(await errorOf('conversations.join', { channel: here() })).toBe('no error');
		slack.world.channel().archived = true;
		expect(await errorOf('chat.postMessage', { channel: here(), text: 'x' })).toBe('is_archived');
		slack.world.team().installation?.scopes.delete('chat:write');
		expect(await errorOf('chat.postMessage', { channel: here(), text: 'x' })).toBe('missing_scope');
		expect(await errorOf('chat.postMessage', { channel: here(), text: 'x' }, 'xoxb-nobody')).toBe('invalid_auth');
		expect(slack.violations).toEqual([]);
	});

	test('a second table in a message, which is no mistake of the application', async () => {
		const table = '| a | b |\n| --- | --- |\n| 1 | 2 |\n';
		const post = (text: string) =>
			errorOf('chat.postMessage', { channel: here(), text: 'x', blocks: [{ type: 'markdown', text }] });
		expect(await post(table)).toBe('no error');
		expect(await post(`${table}\n${table}`)).toBe('invalid_blocks');
		expect(slack.violations).toEqual([]);
	});

	test('direct messages without a Messages tab, and an edit after its time', async () => {
		const { ts = '' } = await app.client.chat.postMessage({ channel: here(), text: 'x' });
		slack.settings.editWindowMs = 60_000;
		expect(await errorOf('chat.update', { channel: here(), ts, text: 'y' })).toBe('no error');
		slack.clock.advance(61_000);
		expect(await errorOf('chat.update', { channel: here(), ts, text: 'z' })).toBe('edit_window_closed');
		slack.settings.messagesTab = false;
		const direct = slack.world.directMessages(slack.world.person('ada')).id;
		expect(await errorOf('chat.postMessage', { channel: direct, text: 'x' })).toBe('messages_tab_disabled');
	});

	test('a look at an upload that is not complete, and for completing it twice', async () => {
		const { file_id: id = '', upload_url = '' } = await app.client.files.getUploadURLExternal({
			filename: 'a.txt',
			length: 1,
		});
		expect(await errorOf('files.info', { file: id })).toBe('file_not_found');
		await fetch(upload_url, { method: 'POST', body: 'a' });
		expect(await errorOf('files.completeUploadExternal', { files: [{ id }] })).toBe('no error');
		expect(await errorOf('files.completeUploadExternal', { files: [{ id }] })).toBe('file_not_found');
		expect(await errorOf('files.info', { file: id })).toBe('no error');
		expect(slack.violations).toEqual([]);
	});

	test('a long update, an update of another author’s message, and an unknown argument', async () => {
		await slack.user('ada').say('mine');
		const [message] = await slack.user('ada').look();
		const { ts } = await app.client.chat.postMessage({ channel: here(), text: 'x' });
		expect(await errorOf('chat.update', { channel: here(), ts, text: 'x'.repeat(4001) })).toBe('msg_too_long');
		expect(await errorOf('chat.update', { channel: here(), ts: message?.id, text: 'x' })).toBe('cant_update_message');
		expect(await errorOf('chat.update', { channel: here(), ts, text: 'x', file_ids: ['F1'] })).toBe('file_not_found');
		expect(await errorOf('files.getUploadURLExternal', { filename: 'a.png', length: 3, alt_text: 'a fox' })).toBe(
			'no error',
		);
		expect(slack.violations).toHaveLength(4);
		expect(slack.violations.at(-1)).toMatch(/alt_text is not an argument/);
	});

	test.each([
		['a title of 25 characters', () => modal({ title: { type: 'plain_text', text: 'x'.repeat(25) } })],
		['3,001 characters of metadata', () => modal({ private_metadata: 'x'.repeat(3001) })],
		['an input but no submit button', () => modal({ blocks: [inputOf({ type: 'plain_text_input', action_id: 'x' })] })],
		[
			'an input of 3,001 characters',
			() => modal({ blocks: [inputOf({ type: 'plain_text_input', max_length: 3001 })], submit: words.text }),
		],
	])('a form with %s', async (_, view) => {
		app.command('/edit', async ({ ack, command }) => {
			await ack();
			expect(await errorOf('views.open', { trigger_id: command.trigger_id, view: view() })).toBe('invalid_arguments');
		});
		await run(slack, app);
		await slack.user('ada').types('/edit');
		await eventually(() => expect(slack.violations).toHaveLength(1));
	});

	const inputOf = (element: object) => ({ type: 'input', label: { type: 'plain_text', text: 'x' }, element });

	test('a form with an expired, used or unknown trigger', async () => {
		const triggers: string[] = [];
		app.command('/edit', async ({ ack, command }) => {
			await ack();
			triggers.push(command.trigger_id);
		});
		await run(slack, app);
		await slack.user('ada').types('/edit');
		await slack.user('ada').types('/edit');
		await eventually(() => expect(triggers).toHaveLength(2));
		const [first = '', second = ''] = triggers;
		expect(await errorOf('views.open', { trigger_id: first, view: modal() })).toBe('no error');
		expect(await errorOf('views.open', { trigger_id: first, view: modal() })).toBe('exchanged_trigger_id');
		slack.clock.advance(3001);
		expect(await errorOf('views.open', { trigger_id: second, view: modal() })).toBe('expired_trigger_id');
		expect(await errorOf('views.open', { trigger_id: 'x', view: modal() })).toBe('invalid_trigger_id');
		expect(slack.violations).toHaveLength(2);
	});

	test('a sixth use of a response URL, and one after 30 minutes', async () => {
		const urls: string[] = [];
		app.command('/edit', async ({ ack, command }) => {
			await ack();
			urls.push(command.response_url);
		});
		await run(slack, app);
		await slack.user('ada').types('/edit');
		await slack.user('ada').types('/edit');
		await eventually(() => expect(urls).toHaveLength(2));
		const answer = (url = '') =>
			fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"text":"x"}' });
		const statuses: number[] = [];
		for (let count = 0; count < 6; count++) statuses.push((await answer(urls[0])).status);
		expect(statuses).toEqual([200, 200, 200, 200, 200, 404]);
		slack.clock.advance(30 * 60_000 + 1);
		expect(await (await answer(urls[1])).json()).toMatchObject({ error: 'expired_url' });
		expect(slack.violations).toHaveLength(1);
	});

	test('too many calls of a method, until a minute is over', async () => {
		slack.settings.pace = 1;
		const call = () =>
			fetch(`${slack.apiUrl}usergroups.list`, { headers: { authorization: `Bearer ${slack.botToken}` } });
		const responses = await Promise.all(Array.from({ length: 21 }, call));
		expect(responses.map(({ status }) => status)).toEqual([...Array(20).fill(200), 429]);
		const refused = responses[20] as Response;
		expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(55);
		expect(await refused.json()).toEqual({ ok: false, error: 'ratelimited' });
		slack.clock.advance(60_000);
		expect((await call()).status).toBe(200);
	});

	test('messages to a channel faster than one per second, after a burst', async () => {
		slack.settings.pace = 1;
		const post = () =>
			fetch(`${slack.apiUrl}chat.postMessage`, {
				method: 'POST',
				headers: { authorization: `Bearer ${slack.botToken}`, 'content-type': 'application/json' },
				body: JSON.stringify({ channel: here(), text: 'x' }),
			});
		const statuses: number[] = [];
		for (let count = 0; count < 6; count++) statuses.push((await post()).status);
		expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
		slack.clock.advance(1000);
		expect((await post()).status).toBe(200);
	});

	test('a mention of a person who did not ask, or of a whole channel', async () => {
		const bjorn = slack.world.person('bjorn').id;
		await slack.user('ada').say('hello');
		const post = (text: string, blocks?: object[]) => errorOf('chat.postMessage', { channel: here(), text, blocks });
		await post(`for <@${slack.world.person('ada').id}>, in \`<!channel>\`, &lt;!here&gt;`);
		expect(slack.violations).toEqual([]);
		await post(`for <@${bjorn}>`);
		await post('x', [{ type: 'markdown', text: '<!channel>' }]);
		await post('x', [
			{
				type: 'rich_text',
				elements: [{ type: 'rich_text_section', elements: [{ type: 'broadcast', range: 'here' }] }],
			},
		]);
		expect(slack.violations).toEqual([
			expect.stringMatching(/pings Björn/),
			expect.stringMatching(/pings many people: <!channel>/),
			expect.stringMatching(/pings many people: <!here>/),
		]);
	});
});
