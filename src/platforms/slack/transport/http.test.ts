import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '@slack/bolt';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Listener, listen } from '../../../http.ts';
import type { Installation } from '../installation/installation.ts';
import { createApp } from './app.ts';
import { type DispatchErrors, Dispatcher } from './dispatch.ts';
import { HttpReceiver } from './http.ts';

const SIGNING_SECRET = 'signing secret of the app';
const ACME: Installation = { server: 'T1', botToken: 'xoxb-1', botUser: 'UBOT', bot: 'BBOT', scopes: [] };

let app: App;
let listener: Listener;
let of: (server: string) => Promise<Installation | undefined>;
let lines: string[];

beforeEach(async () => {
	lines = [];
	const log = pino({ level: 'trace' }, { write: (line) => void lines.push(line) });
	const errors: DispatchErrors = new WeakMap();
	const commands = [{ name: 'imagine', description: 'Draw a picture', moderators: false, direct: true, fields: [] }];
	const dispatcher = new Dispatcher({ commands, errors, acknowledgeWithinMs: 40, log });
	const receiver = new HttpReceiver({ signingSecret: SIGNING_SECRET, dispatcher });
	of = async (server) => (server === 'T1' ? ACME : undefined);
	const installations = { of: (server: string) => of(server) };
	app = createApp({ receiver, installations, errors, apiUrl: 'http://127.0.0.1:9/api/', log });
	listener = await listen(receiver.routes, { host: '127.0.0.1', port: 0 });
	await app.init();
	await app.start();
});
afterEach(() => listener.close());

type Sent = { body: string; type?: string; at?: number; secret?: string; headers?: Record<string, string> };

/** A request as Slack makes it; `at` in seconds from now. */
function send({ body, type = 'application/json', at = 0, secret = SIGNING_SECRET, headers = {} }: Sent) {
	const timestamp = String(Math.floor(Date.now() / 1000) + at);
	const signature = `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')}`;
	return fetch(`${listener.address}/slack/events`, {
		method: 'POST',
		body,
		headers: {
			'content-type': type,
			'x-slack-request-timestamp': timestamp,
			'x-slack-signature': signature,
			...headers,
		},
	});
}

const event = (type: string, more: object = {}) =>
	JSON.stringify({ type: 'event_callback', team_id: 'T1', event_id: 'Ev1', event: { type, user: 'U1', ...more } });
const form = (fields: Record<string, string>) => ({
	body: new URLSearchParams(fields).toString(),
	type: 'application/x-www-form-urlencoded',
});
const command = (name: string, more: Record<string, string> = {}) =>
	form({ command: name, team_id: 'T1', user_id: 'U1', channel_id: 'C1', text: 'a fox', trigger_id: '1', ...more });

describe('a signed request', () => {
	test('passes events, commands and buttons to their listeners, and responds with their acknowledgement', async () => {
		const heard: unknown[] = [];
		app.event('app_mention', async ({ event, context }) => void heard.push([event.type, context['server']]));
		app.command('/imagine', async ({ ack, command }) => {
			await ack({ response_type: 'ephemeral', text: 'on it' });
			heard.push(command.text);
		});
		app.action(/^edit:/, async ({ ack, action }) => {
			await ack();
			heard.push(action.type);
		});
		expect((await send({ body: event('app_mention') })).status).toBe(200);
		expect(await (await send(command('/imagine'))).json()).toEqual({ response_type: 'ephemeral', text: 'on it' });
		const press = {
			type: 'block_actions',
			team: { id: 'T1' },
			user: { id: 'U1' },
			actions: [{ type: 'button', action_id: 'edit:1' }],
		};
		expect((await send(form({ payload: JSON.stringify(press) }))).status).toBe(200);
		expect(heard).toEqual([['app_mention', 'T1'], 'a fox', 'button']);
	});

	test('answers the verification of the address', async () => {
		const asked = await send({ body: JSON.stringify({ type: 'url_verification', challenge: 'abc' }) });
		expect(await asked.json()).toEqual({ challenge: 'abc' });
		const looked = await fetch(`${listener.address}/slack/events`, {
			method: 'POST',
			body: new URLSearchParams({ ssl_check: '1', token: 'x' }),
		});
		expect(looked.status).toBe(200);
	});

	test('answers an unknown command with the list of commands', async () => {
		const { text } = (await (await send(command('/paint'))).json()) as { text: string };
		expect(text).toContain('There is no command /paint.');
		expect(text).toContain('`/imagine`: Draw a picture');
	});

	test('acknowledges a delivery without a listener', async () => {
		expect((await send({ body: event('reaction_added') })).status).toBe(200);
		const press = { type: 'block_actions', team: { id: 'T1' }, user: { id: 'U1' }, actions: [{ action_id: 'old' }] };
		expect((await send(form({ payload: JSON.stringify(press) }))).status).toBe(200);
	});

	test('acknowledges in time for a slow listener, which continues', async () => {
		const done = Promise.withResolvers<void>();
		app.command('/imagine', async ({ ack }) => {
			await sleep(100);
			await ack('late');
			done.resolve();
		});
		const answer = await send(command('/imagine'));
		expect([answer.status, await answer.text()]).toEqual([200, '']);
		await done.promise;
	});

	test('answers a command whose listener fails with a sentence', async () => {
		app.command('/imagine', async () => {
			throw new Error('my prompt');
		});
		const { text } = (await (await send(command('/imagine'))).json()) as { text: string };
		expect(text).toBe('Something went wrong in Easel. Nothing was counted. Try again.');
		expect(lines.join()).toContain('A delivery of Slack could not be handled');
	});
});

describe('a request is refused', () => {
	const body = event('app_mention');
	test.for<[what: string, sent: Sent, status: number]>([
		['with another secret', { body, secret: 'another' }, 401],
		['six minutes old', { body, at: -360 }, 401],
		['six minutes ahead', { body, at: 360 }, 401],
		['with a signature of another version', { body, headers: { 'x-slack-signature': 'v1=00' } }, 401],
		['without a signature', { body, headers: { 'x-slack-signature': '' } }, 401],
		['with an invalid timestamp', { body, headers: { 'x-slack-request-timestamp': 'soon' } }, 401],
		['that is not JSON', { body: 'hello' }, 400],
		['with JSON that is not an object', { body: '[1]' }, 400],
		['with a form whose payload is not JSON', form({ payload: '{' }), 400],
		['of more than a megabyte', { body: event('app_mention', { text: 'x'.repeat(2 ** 20) }) }, 413],
	])('%s', async ([, sent, status]) => {
		const heard: unknown[] = [];
		app.event('app_mention', async () => void heard.push('heard'));
		const answer = await send(sent);
		expect(answer.status).toBe(status);
		expect(await answer.text()).not.toContain(SIGNING_SECRET);
		expect(heard).toEqual([]);
	});

	test('but not when its clock differs by four minutes', async () => {
		for (const at of [-240, 240]) expect((await send({ body, at })).status).toBe(200);
	});

	test('acknowledges an event of a workspace without an installation, and answers a command there', async () => {
		of = async () => undefined;
		expect((await send({ body })).status).toBe(200);
		const { text } = (await (await send(command('/imagine'))).json()) as { text: string };
		expect(text).toContain('no longer installed in this workspace');
	});

	test('has an event delivered again while the store is down, and answers a command', async () => {
		of = () => Promise.reject(new Error('the store is down'));
		expect((await send({ body })).status).toBe(503);
		const { text } = (await (await send(command('/imagine'))).json()) as { text: string };
		expect(text).toContain("can't be reached right now");
	});

	test('after the stop', async () => {
		await app.stop();
		expect((await send({ body })).status).toBe(503);
	});
});

test('a button in a shared channel belongs to the workspace of its message', async () => {
	const servers: unknown[] = [];
	app.action('edit:1', async ({ ack, context }) => {
		await ack();
		servers.push(context['server']);
	});
	const press = {
		type: 'block_actions',
		team: { id: 'T9' },
		user: { id: 'U9' },
		actions: [{ type: 'button', action_id: 'edit:1' }],
	};
	await send(form({ payload: JSON.stringify({ ...press, message: { bot_id: 'BBOT', team: 'T1' } }) }));
	expect((await send(form({ payload: JSON.stringify(press) }))).status).toBe(503);
	expect(servers).toEqual(['T1']);
});

test('a delivery of an organization-wide installation is authorized by the organization alone', async () => {
	const servers: unknown[] = [];
	of = async (server) => (server === 'E1' || server === 'T1' ? { ...ACME, server } : undefined);
	app.command('/imagine', async ({ ack, context }) => {
		await ack();
		servers.push(context['server']);
	});
	await send(command('/imagine', { enterprise_id: 'E1', is_enterprise_install: 'true' }));
	await send(command('/imagine', { enterprise_id: 'E1', is_enterprise_install: 'false' }));
	of = async (server) => (server === 'T1' ? ACME : undefined);
	await send(command('/imagine', { enterprise_id: 'E1', is_enterprise_install: 'true' }));
	expect(servers).toEqual(['E1', 'T1']);
});
