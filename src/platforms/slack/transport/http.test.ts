import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '@slack/bolt';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Listener, listen } from '../../../http.ts';
import type { Installation } from '../installation/installation.ts';
import { createApp } from './app.ts';
import { createDispatch, type DispatchErrors } from './dispatch.ts';
import { createHttpReceiver } from './http.ts';

const SIGNING_SECRET = 'signing secret of the app';
const ACME: Installation = { server: 'T1', botToken: 'xoxb-1', botUser: 'UBOT', bot: 'BBOT', scopes: [] };

let app: App;
let listener: Listener;
let of: (server: string) => Promise<Installation | undefined>;
let lines: string[];

beforeEach(async () => {
	lines = [];
	const log = pino({ level: 'trace' }, { write: (line) => void lines.push(line) });
	const troubles: DispatchErrors = new WeakMap();
	const commands = [{ name: 'imagine', description: 'Draw a picture', moderators: false, direct: true, fields: [] }];
	const dispatch = createDispatch({ commands, troubles, acknowledgeWithinMs: 40, log });
	const { receiver, routes } = createHttpReceiver({ signingSecret: SIGNING_SECRET, dispatch });
	of = async (server) => (server === 'T1' ? ACME : undefined);
	const installations = { of: (server: string) => of(server) };
	app = createApp({ receiver, installations, troubles, apiUrl: 'http://127.0.0.1:9/api/', log });
	listener = await listen(routes, { host: '127.0.0.1', port: 0 });
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

describe('what Slack has signed', () => {
	test('events, commands and buttons come to who listens, each answered with what it acknowledges', async () => {
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

	test('the address proves itself when Slack asks for it', async () => {
		const asked = await send({ body: JSON.stringify({ type: 'url_verification', challenge: 'abc' }) });
		expect(await asked.json()).toEqual({ challenge: 'abc' });
		const looked = await fetch(`${listener.address}/slack/events`, {
			method: 'POST',
			body: new URLSearchParams({ ssl_check: '1', token: 'x' }),
		});
		expect(looked.status).toBe(200);
	});

	test('a command that nobody knows is answered with what there is', async () => {
		const { text } = (await (await send(command('/paint'))).json()) as { text: string };
		expect(text).toContain('There is no command /paint.');
		expect(text).toContain('`/imagine`: Draw a picture');
	});

	test('what nobody listens to is acknowledged all the same', async () => {
		expect((await send({ body: event('reaction_added') })).status).toBe(200);
		const press = { type: 'block_actions', team: { id: 'T1' }, user: { id: 'U1' }, actions: [{ action_id: 'old' }] };
		expect((await send(form({ payload: JSON.stringify(press) }))).status).toBe(200);
	});

	test('who is slow to acknowledge does not keep Slack waiting, and goes on', async () => {
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

	test('what fails before it is acknowledged is answered by a sentence', async () => {
		app.command('/imagine', async () => {
			throw new Error('my prompt');
		});
		const { text } = (await (await send(command('/imagine'))).json()) as { text: string };
		expect(text).toBe('Something went wrong in Easel; nothing was counted. Try once more.');
		expect(lines.join()).toContain('A delivery of Slack could not be handled');
	});
});

describe('what is turned away', () => {
	const body = event('app_mention');
	test.for<[what: string, sent: Sent, status: number]>([
		['another secret', { body, secret: 'another' }, 401],
		['a request of six minutes ago', { body, at: -360 }, 401],
		['a request of six minutes ahead', { body, at: 360 }, 401],
		['a signature of another version', { body, headers: { 'x-slack-signature': 'v1=00' } }, 401],
		['no signature', { body, headers: { 'x-slack-signature': '' } }, 401],
		['a time that is none', { body, headers: { 'x-slack-request-timestamp': 'soon' } }, 401],
		['no JSON', { body: 'hello' }, 400],
		['JSON that is no object', { body: '[1]' }, 400],
		['a form whose payload is no JSON', form({ payload: '{' }), 400],
		['more than a megabyte', { body: event('app_mention', { text: 'x'.repeat(2 ** 20) }) }, 413],
	])('%s', async ([, sent, status]) => {
		const heard: unknown[] = [];
		app.event('app_mention', async () => void heard.push('heard'));
		const answer = await send(sent);
		expect(answer.status).toBe(status);
		expect(await answer.text()).not.toContain(SIGNING_SECRET);
		expect(heard).toEqual([]);
	});

	test('four minutes in either direction are let in', async () => {
		for (const at of [-240, 240]) expect((await send({ body, at })).status).toBe(200);
	});

	test('an event of a workspace that has no installation is not delivered again; a command there is told so', async () => {
		of = async () => undefined;
		expect((await send({ body })).status).toBe(200);
		const { text } = (await (await send(command('/imagine'))).json()) as { text: string };
		expect(text).toContain('not installed in this workspace any more');
	});

	test('while the store does not answer, events are to come again; a command is told so', async () => {
		of = () => Promise.reject(new Error('the store is down'));
		expect((await send({ body })).status).toBe(503);
		const { text } = (await (await send(command('/imagine'))).json()) as { text: string };
		expect(text).toContain('does not answer right now');
	});

	test('after the stop nothing comes in', async () => {
		await app.stop();
		expect((await send({ body })).status).toBe(503);
	});
});

test('a button under a message of ours in a shared channel belongs to the workspace of the message', async () => {
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

test('an installation of a whole organisation goes by the organisation, and by nothing else', async () => {
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
