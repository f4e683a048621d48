import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '@slack/bolt';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Listener, listen } from '../../../http.ts';
import type { Installation } from '../installation/workspaces.ts';
import { createApp, type Deliver } from './dispatch.ts';
import { eventRoutes } from './http.ts';

const SIGNING_SECRET = 'signing secret of the app';
const ACME: Installation = { server: 'T1', botToken: 'xoxb-1', botUser: 'UBOT', bot: 'BBOT', scopes: [] };

let app: App;
let listener: Listener;
let of: (server: string) => Promise<Installation | undefined>;
let lines: string[];
let stop: AbortController;

beforeEach(async () => {
	lines = [];
	const log = pino({ level: 'trace' }, { write: (line) => void lines.push(line) });
	of = async (server) => (server === 'T1' ? ACME : undefined);
	const installations = { of: (server: string) => of(server) };
	let deliver: Deliver;
	({ app, deliver } = createApp(installations, 'http://127.0.0.1:9/api/', log, 40));
	stop = new AbortController();
	const routes = eventRoutes(SIGNING_SECRET, deliver, () => !stop.signal.aborted);
	listener = await listen(routes, { host: '127.0.0.1', port: 0 });
	await app.init();
});
afterEach(() => listener.close());

type Sent = { body: string; type?: string; at?: number; secret?: string; headers?: Record<string, string> };

/** A request as Slack makes it; `at` in seconds from now. */
function sendSigned({ body, type = 'application/json', at = 0, secret = SIGNING_SECRET, headers = {} }: Sent) {
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
		expect((await sendSigned({ body: event('app_mention') })).status).toBe(200);
		expect(await (await sendSigned(command('/imagine'))).json()).toEqual({ response_type: 'ephemeral', text: 'on it' });
		const press = {
			type: 'block_actions',
			team: { id: 'T1' },
			user: { id: 'U1' },
			actions: [{ type: 'button', action_id: 'edit:1' }],
		};
		expect((await sendSigned(form({ payload: JSON.stringify(press) }))).status).toBe(200);
		expect(heard).toEqual([['app_mention', 'T1'], 'a fox', 'button']);
	});

	test('answers the verification of the address', async () => {
		const asked = await sendSigned({ body: JSON.stringify({ type: 'url_verification', challenge: 'abc' }) });
		expect(await asked.json()).toEqual({ challenge: 'abc' });
		const looked = await fetch(`${listener.address}/slack/events`, {
			method: 'POST',
			body: new URLSearchParams({ ssl_check: '1', token: 'x' }),
		});
		expect(looked.status).toBe(200);
	});

	test('acknowledges a delivery without a listener', async () => {
		expect((await sendSigned({ body: event('reaction_added') })).status).toBe(200);
		const press = { type: 'block_actions', team: { id: 'T1' }, user: { id: 'U1' }, actions: [{ action_id: 'old' }] };
		expect((await sendSigned(form({ payload: JSON.stringify(press) }))).status).toBe(200);
	});

	test('acknowledges in time for a slow listener, which continues', async () => {
		const done = Promise.withResolvers<void>();
		app.command('/imagine', async ({ ack }) => {
			await sleep(100);
			await ack('late');
			done.resolve();
		});
		const answer = await sendSigned(command('/imagine'));
		expect([answer.status, await answer.text()]).toEqual([200, '']);
		await done.promise;
	});

	test('answers a command whose listener fails with a sentence', async () => {
		app.command('/imagine', async () => {
			throw new Error('my prompt');
		});
		const { text } = (await (await sendSigned(command('/imagine'))).json()) as { text: string };
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
		const answer = await sendSigned(sent);
		expect(answer.status).toBe(status);
		expect(await answer.text()).not.toContain(SIGNING_SECRET);
		expect(heard).toEqual([]);
	});

	test('but not when its clock differs by four minutes', async () => {
		for (const at of [-240, 240]) expect((await sendSigned({ body, at })).status).toBe(200);
	});

	test('acknowledges an event of a workspace without an installation, and answers a command there', async () => {
		of = async () => undefined;
		expect((await sendSigned({ body })).status).toBe(200);
		const { text } = (await (await sendSigned(command('/imagine'))).json()) as { text: string };
		expect(text).toContain('no longer installed in this workspace');
	});

	test('has an event delivered again while the store is down, and answers a command', async () => {
		of = () => Promise.reject(new Error('the store is down'));
		expect((await sendSigned({ body })).status).toBe(503);
		const { text } = (await (await sendSigned(command('/imagine'))).json()) as { text: string };
		expect(text).toContain("can't be reached right now");
	});

	test('after the stop', async () => {
		stop.abort();
		expect((await sendSigned({ body })).status).toBe(503);
	});
});

describe('strangers', () => {
	const plausible = () => ({
		'x-slack-request-timestamp': String(Math.floor(Date.now() / 1000)),
		'x-slack-signature': `v0=${'0'.repeat(64)}`,
	});
	const send = (body: string, headers: Record<string, string>) =>
		fetch(`${listener.address}/slack/events`, { method: 'POST', body, headers });
	const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

	test.each([
		['without a signature', () => FORM],
		['with a signature that may be right', () => ({ ...FORM, ...plausible() })],
	])('take hardly any time with large forms: %s', async (_, headers) => {
		const body = 'a&'.repeat(2 ** 19);
		const before = process.cpuUsage();
		for (let count = 0; count < 10; count++) expect((await send(body, headers())).status).toBe(401);
		const { user, system } = process.cpuUsage(before);
		// Parsing one such form takes longer.
		expect(user + system).toBeLessThan(1_500_000);
	});

	test('learn nothing by a check of the certificate that is not tiny, and is signed or not', async () => {
		const check = (length: number) => new URLSearchParams({ ssl_check: '1', token: 'x'.repeat(length) }).toString();
		for (const headers of [FORM, { ...FORM, ...plausible() }]) {
			expect((await send(check(900), headers)).status).toBe(200);
			expect((await send(check(1000), headers)).status).toBe(401);
		}
		expect((await send(check(900), { 'content-type': 'text/plain' })).status).toBe(401);
	});

	test('cannot fill the memory with bodies that they do not finish, nor keep Slack out', async () => {
		const { port } = new URL(listener.address);
		const unfinished = Array.from({ length: 40 }, () => {
			const socket = connect(Number(port), '127.0.0.1');
			const headers = Object.entries({ host: 'easel', 'content-length': 2 ** 20, ...plausible() });
			const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
			socket.write(`POST /slack/events HTTP/1.1\r\n${lines}\r\n`);
			socket.write('x'.repeat(2 ** 20 - 1));
			let answer = '';
			socket.on('data', (data) => (answer += data)).on('error', () => {});
			return { socket, status: () => answer.slice(9, 12) };
		});
		const refused = () => unfinished.filter(({ status }) => status() === '503').length;
		await expect.poll(refused).toBeGreaterThanOrEqual(40 - 16);
		expect(refused()).toBeLessThan(40);
		expect((await sendSigned({ body: event('app_mention') })).status).toBe(200);
		for (const { socket } of unfinished) socket.destroy();
	});

	test('are answered when a body does not arrive in time', async () => {
		const socket = connect(Number(new URL(listener.address).port), '127.0.0.1');
		socket.write(`POST /slack/events HTTP/1.1\r\nhost: easel\r\ncontent-length: 9\r\n`);
		for (const [name, value] of Object.entries(plausible())) socket.write(`${name}: ${value}\r\n`);
		socket.write('\r\nhalf');
		const [data] = (await once(socket, 'data')) as [Buffer];
		expect(String(data)).toMatch(/^HTTP\/1\.1 408 /);
		await once(socket, 'close');
	}, 15_000);

	test('leave no line in the log', async () => {
		await send('{', {});
		await send('{', plausible());
		const socket = connect(Number(new URL(listener.address).port), '127.0.0.1');
		socket.write(`POST /slack/events HTTP/1.1\r\nhost: easel\r\ncontent-length: 9\r\n\r\nhalf`);
		await once(socket, 'data');
		socket.destroy();
		expect(lines).toEqual([]);
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
	await sendSigned(form({ payload: JSON.stringify({ ...press, message: { bot_id: 'BBOT', team: 'T1' } }) }));
	expect((await sendSigned(form({ payload: JSON.stringify(press) }))).status).toBe(503);
	expect(servers).toEqual(['T1']);
});

test('a delivery of an organization-wide installation is authorized by the organization alone', async () => {
	const servers: unknown[] = [];
	of = async (server) => (server === 'E1' || server === 'T1' ? { ...ACME, server } : undefined);
	app.command('/imagine', async ({ ack, context }) => {
		await ack();
		servers.push(context['server']);
	});
	await sendSigned(command('/imagine', { enterprise_id: 'E1', is_enterprise_install: 'true' }));
	await sendSigned(command('/imagine', { enterprise_id: 'E1', is_enterprise_install: 'false' }));
	of = async (server) => (server === 'T1' ? ACME : undefined);
	await sendSigned(command('/imagine', { enterprise_id: 'E1', is_enterprise_install: 'true' }));
	expect(servers).toEqual(['E1', 'T1']);
});
