import type { App } from '@slack/bolt';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { eventually } from '../eventually.ts';
import { pngFile } from '../pictures.ts';
import { BUTTONS, boltFor, errorOf as errorOfCall, run } from './bolt.fixture.ts';
import { type SlackFake, startSlack } from './index.ts';

let slack: SlackFake;
let app: App;

async function start(mode: 'socket' | 'http' = 'socket') {
	slack = await startSlack({ pace: 0.02, mode });
	app = boltFor(slack);
}
beforeEach(() => start());
afterEach(async () => {
	await app.stop();
	await slack.close();
});

const here = () => slack.world.channel().id;
const errorOf = (method: string, args: object, token?: string) => errorOfCall(slack, app, method, args, token);

describe('files', () => {
	test('in ephemeral messages, and below buttons that are added later, are recorded', async () => {
		const user = slack.user('ada');
		const file = await uploaded(new Uint8Array((await pngFile('#7f8c8d')).bytes));
		await app.client.files.completeUploadExternal({ files: [{ id: file }], channel_id: here() });
		for (let polls = 0; polls < 2; polls++) await app.client.files.info({ file });
		const blocks = [{ type: 'image', alt_text: 'a fox', slack_file: { id: file } }];
		await errorOf('chat.postEphemeral', { channel: here(), user: user.account.id, text: 'A fox', blocks });
		const ts = [...(slack.world.files.get(file)?.shares.get(here()) ?? [])][0];
		await errorOf('chat.update', { channel: here(), ts, text: 'A fox', blocks: [BUTTONS] });
		expect(slack.violations).toEqual([
			'chat.postEphemeral: an ephemeral message has an uploaded picture',
			'chat.update: buttons are added to a message with files',
		]);
	});

	async function uploaded(bytes = new Uint8Array([1, 2, 3]), filename = 'fox.png') {
		const { upload_url = '', file_id = '' } = await app.client.files.getUploadURLExternal({
			filename,
			length: bytes.length,
		});
		await fetch(upload_url, { method: 'POST', body: bytes });
		return file_id;
	}
	const picture = async () => new Uint8Array((await pngFile()).bytes);
	const show = (id: string) =>
		errorOf('chat.postMessage', {
			channel: here(),
			text: 'x',
			blocks: [{ type: 'image', slack_file: { id }, alt_text: 'a fox' }],
		});
	const download = (address: unknown, token = slack.botToken) =>
		fetch(String(address), { headers: { authorization: `Bearer ${token}` }, redirect: 'manual' });

	test('cannot be shared with a `markdown` block', async () => {
		const share = async (block: object) =>
			errorOf('files.completeUploadExternal', {
				files: [{ id: await uploaded() }],
				channel_id: here(),
				blocks: [block],
			});
		expect(await share({ type: 'markdown', text: 'a table' })).toBe('internal_error');
		expect(await share({ type: 'section', text: { type: 'mrkdwn', text: 'a table' } })).toBe('no error');
	});

	test('can be shown only once they are processed', async () => {
		slack.settings.processing = 'never';
		const id = await uploaded(await picture());
		expect(await errorOf('files.completeUploadExternal', { files: [{ id }] })).toBe('no error');
		expect((await app.client.files.info({ file: id })).file).toMatchObject({ mimetype: '', shares: {} });
		expect(await show(id)).toBe('invalid_blocks');

		slack.settings.processing = { polls: 2, ms: 60_000 };
		const next = await uploaded(await picture());
		await app.client.files.completeUploadExternal({ files: [{ id: next }] });
		expect((await app.client.files.info({ file: next })).file?.mimetype).toBe('');
		expect((await app.client.files.info({ file: next })).file?.mimetype).toBe('image/png');
		expect(await show(next)).toBe('no error');
		expect(slack.violations).toEqual([]);
	});

	test('are shared once they are processed, and list their shares unless the settings leave them empty', async () => {
		const share = async () => {
			const id = await uploaded(Buffer.from('a;b'), 'usage.csv');
			await app.client.files.completeUploadExternal({ files: [{ id }], channel_id: here() });
			return async () => (await app.client.files.info({ file: id })).file?.shares?.public?.[here()]?.[0]?.ts;
		};
		const first = await share();
		await eventually(async () => expect(await first()).toBeDefined());
		expect(await slack.user('ada').look()).toMatchObject([{ id: await first(), files: ['usage.csv'] }]);
		slack.settings.emptyShares = true;
		const second = await share();
		await eventually(async () => expect(await slack.user('ada').look()).toHaveLength(2));
		expect(await second()).toBeUndefined();
	});

	test('are downloaded with the right token only, else as the login page, and redirected if set so', async () => {
		const file = await pngFile();
		await slack.user('ada').say('look', [file]);
		const [{ id = '' } = {}] = [...slack.world.files.values()];
		const { file: info } = await app.client.files.info({ file: id });
		const whole = await download(info?.url_private_download);
		expect(Buffer.from(await whole.arrayBuffer())).toEqual(Buffer.from(file.bytes));
		expect((await download(info?.url_private_download, 'x')).headers.get('content-type')).toMatch(/html/);
		slack.settings.loginPage = true;
		expect((await download(info?.url_private_download)).headers.get('content-type')).toMatch(/html/);
		slack.settings.loginPage = false;
		slack.settings.redirects = 'elsewhere';
		const redirected = await download(info?.url_private_download);
		expect(redirected.status).toBe(302);
		const location = String(redirected.headers.get('location'));
		expect((await fetch(location)).headers.get('content-type')).toBe('image/png');
		expect(slack.violations).toEqual([]);
		await download(location);
		expect(slack.violations).toEqual([expect.stringMatching(/token was sent to a host that is not Slack/)]);
	});

	test('cannot be uploaded or lack their fields if set so, and belong to one workspace', async () => {
		slack.settings.uploads = 'disabled';
		expect(await errorOf('files.getUploadURLExternal', { filename: 'x', length: 1 })).toBe('file_uploads_disabled');
		slack.settings.uploads = 'on';
		slack.settings.thinFiles = true;
		const received: unknown[] = [];
		app.message(async ({ message }) => void received.push('files' in message && message.files));
		await run(slack, app);
		await slack.user('ada').say('look', [await pngFile()]);
		await eventually(() => expect(received).toMatchObject([[{ file_access: 'check_file_info' }]]));
		expect(Object.keys((received as object[][])[0]?.[0] ?? {})).not.toContain('url_private');

		slack.world.addTeam({ name: 'Other', users: { eve: {} } });
		slack.world.install(slack.world.team('Other'));
		const eve = slack.user('eve');
		await eve.say('mine', [await pngFile()]);
		const foreign = [...slack.world.files.values()].at(-1)?.id ?? '';
		expect(await errorOf('files.info', { file: foreign })).toBe('file_not_found');
		expect(await errorOf('chat.postMessage', { channel: eve.channel.id, text: 'x' })).toBe('channel_not_found');
		expect(slack.violations).toHaveLength(2);
	});
});

describe('deliveries', () => {
	test('by Socket Mode go to one connection each, and wait while none is open', async () => {
		const received: string[] = [];
		app.message(async ({ message }) => void ('text' in message && received.push(message.text ?? '')));
		const second = boltFor(slack);
		second.message(async ({ message }) => void ('text' in message && received.push(message.text ?? '')));
		await Promise.all([run(slack, app), run(slack, second)]);
		expect(slack.sockets.connected()).toBe(2);
		const ada = slack.user('ada');
		for (const word of ['one', 'two', 'three']) await ada.say(word);
		await eventually(() => expect(received.toSorted()).toEqual(['one', 'three', 'two']));
		slack.sockets.drop();
		await ada.say('four');
		await vi.waitFor(() => expect(received).toContain('four'), { timeout: 10_000 });
		slack.sockets.disconnect('refresh_requested', 'one');
		await ada.say('five');
		await vi.waitFor(() => expect(received).toContain('five'), { timeout: 10_000 });
		expect(received).toHaveLength(5);
		await second.stop();
	});

	test('are repeated if set so, and recorded when they are not acknowledged', async () => {
		const received: unknown[] = [];
		slack.settings.duplicates = true;
		app.message(async ({ body }) => void received.push(body.event_id));
		app.command('/edit', async () => {});
		await run(slack, app);
		const ada = slack.user('ada');
		await ada.say('hello');
		await eventually(() => expect(received).toHaveLength(2));
		expect(received[0]).toBe(received[1]);
		const command = ada.types('/edit');
		await eventually(() => expect([...slack.world.requesters]).toHaveLength(1));
		slack.clock.advance(3001);
		await command;
		expect(slack.violations).toEqual(['/edit was not acknowledged within 3 s']);
		expect((await ada.look()).at(-1)).toMatchObject({
			private: true,
			text: expect.stringMatching(/operation_timeout/),
		});
	});

	test('an invalid token is refused', async () => {
		const unknown = boltFor(slack, { token: 'xoxb-unknown' });
		await expect(unknown.init()).rejects.toMatchObject({ data: { error: 'invalid_auth' } });
	});

	test('faults apply to the calls of their method', async () => {
		slack.faults.refuse('chat.postMessage', 'restricted_action');
		expect(await errorOf('chat.postMessage', { channel: here(), text: 'x' })).toBe('restricted_action');
		expect(await errorOf('chat.postMessage', { channel: here(), text: 'x' })).toBe('no error');
		slack.faults.serverError('chat.postMessage', { after: true });
		expect(await errorOf('chat.postMessage', { channel: here(), text: 'twice' })).not.toBe('no error');
		expect(await slack.user('ada').look()).toHaveLength(2);
		slack.faults.limit('chat.update');
		const limited = fetch(`${slack.apiUrl}chat.update`, { headers: { authorization: `Bearer ${slack.botToken}` } });
		expect((await limited).headers.get('retry-after')).toBe('1');
	});
});

describe('HTTP mode', () => {
	beforeEach(async () => {
		await slack.close();
		await start('http');
	});

	test('verifies the address, sends invalid signatures if set so, and retries', async () => {
		const retries: unknown[] = [];
		app.message(async ({ context }) => {
			retries.push(context.retryNum);
			if (retries.length === 1) throw new Error('Not now');
		});
		await run(slack, app);
		expect(await slack.verifyUrl()).toBe('right');
		const ada = slack.user('ada');
		await ada.say('hello');
		await eventually(() => expect(retries.length).toBeGreaterThan(0));
		for (const signatures of ['forged', 'old', 'absent'] as const) {
			slack.settings.signatures = signatures;
			await ada.say(signatures);
		}
		expect(await slack.verifyUrl()).toBe('wrong');
		slack.settings.signatures = 'right';
		await ada.say('again');
		await eventually(() => expect(retries.length).toBeGreaterThan(1));
		expect(retries).toHaveLength(2);
		expect(slack.violations).toEqual([]);
	});
});

describe('OAuth', () => {
	const exchange = (args: Record<string, string>) =>
		app.client.oauth.v2.access({ client_id: slack.clientId, client_secret: slack.clientSecret, ...args } as never);

	test('installs the application, rotates its tokens, and uninstalls it', async () => {
		slack.settings.rotation = true;
		slack.world.addTeam({ name: 'Other', users: { eve: { admin: true } }, channels: ['lobby'] });
		const page = new URL(slack.authorizeUrl);
		const redirect = 'http://127.0.0.1/back';
		page.search = new URLSearchParams({
			client_id: slack.clientId,
			scope: 'chat:write,users:read',
			state: 's1',
			redirect_uri: redirect,
		}).toString();
		const back = new URL(slack.allow(page.href, 'eve'));
		expect(back.searchParams.get('state')).toBe('s1');
		const code = back.searchParams.get('code') ?? '';
		await expect(exchange({ code, client_secret: 'x' })).rejects.toMatchObject({
			data: { error: 'bad_client_secret' },
		});
		const granted = await exchange({ code, redirect_uri: redirect });
		expect(granted).toMatchObject({ team: { name: 'Other' }, scope: 'chat:write,users:read', expires_in: 43_200 });
		await expect(exchange({ code })).rejects.toMatchObject({ data: { error: 'invalid_code' } });

		const refresh = { grant_type: 'refresh_token', refresh_token: String(granted.refresh_token) };
		const renewed = await exchange(refresh);
		expect(renewed.access_token).not.toBe(granted.access_token);
		expect(await errorOf('auth.test', {}, String(granted.access_token))).toBe('no error');
		slack.clock.advance(12 * 3600_000 + 1);
		expect(await errorOf('auth.test', {}, String(renewed.access_token))).toBe('token_expired');
		await expect(exchange(refresh)).rejects.toMatchObject({ data: { error: 'invalid_refresh_token' } });
		expect(slack.violations).toEqual(['OAuth: a refresh token was used twice']);

		slack.uninstall('Other');
		expect(await errorOf('auth.test', {}, String(renewed.access_token))).toBe('invalid_auth');
	});
});
