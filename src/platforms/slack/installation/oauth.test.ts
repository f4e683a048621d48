import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Hono } from 'hono';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type SlackFake, startSlack } from '../../../../test/fakes/slack/index.ts';
import { type Listener, listen } from '../../../http.ts';
import { createOnce } from '../../../store/once.ts';
import { openStore } from '../../../store/open-store.ts';
import type { Store } from '../../../store/store.ts';
import { lineLog } from '../log.fixture.ts';
import { BOT_SCOPES, manifestOf } from '../manifest.ts';
import { createApp } from '../transport/app.ts';
import { type Connection, createConnection } from '../transport/connection.ts';
import type { DispatchErrors } from '../transport/dispatch.ts';
import { createSlackTransport } from '../transport/transport.ts';
import type { Installation } from './installation.ts';
import { registerUninstall } from './uninstall.ts';
import type { Workspaces } from './workspaces.ts';

let slack: SlackFake;
let store: Store;
let listener: Listener;
let routes: Hono;
let link: Connection | undefined;
let workspaces: Workspaces;
let forgotten: unknown[];
let asked: unknown[];
let log: ReturnType<typeof lineLog>;

beforeEach(async () => {
	routes = new Hono();
	forgotten = [];
	asked = [];
	log = lineLog();
	listener = await listen(
		new Hono().mount('/', (request, env) => routes.fetch(request, env)),
		LOOPBACK,
	);
	// What is public is https; here it is the loopback's http.
	const { features, oauth_config, settings } = manifestOf([], {
		by: 'http' as const,
		address: listener.address,
		workspaces: 'many' as const,
	});
	slack = await startSlack({
		mode: 'http',
		requestUrl: `${listener.address}/slack/events`,
		rotation: true,
		pace: 0.01,
		manifest: { features: { ...features, slash_commands: [{ command: '/imagine' }] }, oauth_config, settings },
		teams: [
			{ name: 'Atelier', users: { ada: { name: 'Ada', admin: true } } },
			{ name: 'Bindery', users: { bea: { name: 'Bea', admin: true } } },
		],
	});
	store = await openStore('memory:');
	await start();
});
afterEach(async () => {
	await link?.stop();
	await listener.close();
	await slack.close();
	await store.close();
	expect(slack.violations).toEqual([]);
});

const LOOPBACK = { host: '127.0.0.1', port: 0 };

/** A process of Easel, as far as Slack's access goes, in front of the store that is there. */
async function start({ stateSecret = 'state secret', now }: { stateSecret?: string; now?: () => number } = {}) {
	await link?.stop();
	const troubles: DispatchErrors = new WeakMap();
	const { apiUrl, clientId, clientSecret, signingSecret } = slack;
	const space = store.space('slack');
	const entrance = createSlackTransport({
		access: { kind: 'oauth', clientId, clientSecret, stateSecret, signingSecret },
		apiUrl,
		commands: [],
		keyv: space.keyv,
		once: createOnce(space, now),
		troubles,
		log: log.log,
		...(now && { now }),
	});
	workspaces = entrance.workspaces;
	const app = createApp({ receiver: entrance.receiver, installations: workspaces, troubles, apiUrl, log: log.log });
	app.command('/imagine', async ({ ack, context }) => {
		await ack();
		asked.push(context['server']);
	});
	const inbox = { forget: async (where: unknown) => void forgotten.push(where) };
	registerUninstall(app, { workspaces, inbox: () => inbox as never, log: log.log });
	link = createConnection({ app, entrance, log: log.log });
	routes = entrance.routes as Hono;
	await link.start();
	return workspaces;
}

/** Somebody goes to the page, allows it at Slack, and is sent back; the last page. */
async function install(person: string): Promise<{ status: number; text: string }> {
	const { location, cookie } = await begin();
	return open(slack.allow(location, person), cookie);
}

async function begin() {
	const sent = await fetch(`${listener.address}/slack/install`, { redirect: 'manual' });
	expect(sent.status).toBe(302);
	const [cookie = ''] = sent.headers.getSetCookie().map((whole) => whole.split(';')[0] ?? '');
	return { location: sent.headers.get('location') ?? '', cookie };
}

async function open(address: string, cookie = '') {
	const page = await fetch(address, { headers: { cookie }, redirect: 'manual' });
	return { status: page.status, text: await page.text() };
}

const server = (name: string) => slack.world.team(name).id;
const tokenOf = async (name: string) => (await workspaces.of(server(name)))?.botToken;
const exchanges = () => slack.calls.filter(({ method }) => method === 'oauth.v2.access').length;
const entries = async () => JSON.stringify(await Array.fromAsync(store.space('slack').list('')));

describe('an installation', () => {
	test('asks for the scopes of the manifest, ends on a page with a way back, and lets the workspace in', async () => {
		const { location } = await begin();
		const asking = new URL(location);
		expect(asking.origin + asking.pathname).toBe(slack.authorizeUrl);
		expect(asking.searchParams.get('scope')?.split(',')).toEqual([...BOT_SCOPES]);

		const { status, text } = await install('ada');
		expect(status).toBe(200);
		expect(text).toContain('Easel is installed in Atelier');
		expect(text).toContain('https://slack.com/app_redirect?');
		await slack.user('ada').types('/imagine a fox');
		expect(asked).toEqual([server('Atelier')]);
	});

	test('is of one workspace: another has its own token, and one without any is not let in', async () => {
		await install('ada');
		expect(await tokenOf('Bindery')).toBeUndefined();
		await install('bea');
		const [one, other] = [await tokenOf('Atelier'), await tokenOf('Bindery')];
		expect(one).toMatch(/^xoxe\.xoxb-/);
		expect(other).toMatch(/^xoxe\.xoxb-/);
		expect(one).not.toBe(other);
		await slack.user('ada').types('/imagine a fox');
		await slack.user('bea').types('/imagine a fox');
		expect(asked).toEqual([server('Atelier'), server('Bindery')]);
	});

	test('outlives a restart, and nothing of its tokens can be read in the store or in the log', async () => {
		await install('ada');
		const token = (await tokenOf('Atelier')) ?? '';
		await start();
		expect(await tokenOf('Atelier')).toBe(token);
		for (const text of [await entries(), log.lines.join()]) expect(text).not.toMatch(/xox[be]/);
	});

	test('can’t be read with another state secret: that is said, and it can be made anew', async () => {
		await install('ada');
		await start({ stateSecret: 'another secret' });
		expect(await tokenOf('Atelier')).toBeUndefined();
		expect(log.lines.join()).toContain('SLACK_STATE_SECRET is another');
		await install('ada');
		expect(await tokenOf('Atelier')).toBeDefined();
	});
});

describe('what does not become an installation ends on a page that says why', () => {
	const back = (query: string) => `${listener.address}/slack/oauth_redirect?${query}`;

	test('who does not allow it', async () => {
		const { status, text } = await open(back('error=access_denied'));
		expect([status, text]).toEqual([403, expect.stringContaining('You did not allow it')]);
		expect(text).toContain('href="/slack/install"');
	});

	test('who comes back in another browser, or with a state that is none', async () => {
		const { location, cookie } = await begin();
		const allowed = slack.allow(location, 'ada');
		for (const other of ['', 'slack-app-oauth-state=forged']) {
			const { status, text } = await open(allowed, other);
			expect([status, text]).toEqual([400, expect.stringContaining('belongs to another visit')]);
		}
		const { status } = await open(back('code=1&state=forged'), 'slack-app-oauth-state=forged');
		expect(status).toBe(400);
		expect(exchanges()).toBe(0);
		expect((await open(allowed, cookie)).status).toBe(200);
	});

	test('who loads the last page once more, or comes without a code', async () => {
		const { location, cookie } = await begin();
		const allowed = slack.allow(location, 'ada');
		await open(allowed, cookie);
		expect(await open(allowed, cookie)).toMatchObject({ status: 400, text: expect.stringContaining('expired') });
		expect(await open(back(''), cookie)).toMatchObject({ status: 400, text: expect.stringContaining('from Slack') });
	});

	test('a wrong client secret, and Slack out of reach', async () => {
		slack.faults.refuse('oauth.v2.access', 'bad_client_secret');
		expect(await install('ada')).toMatchObject({ status: 502, text: expect.stringContaining('SLACK_CLIENT_SECRET') });
		slack.faults.die('oauth.v2.access');
		expect(await install('ada')).toMatchObject({
			status: 502,
			text: expect.stringContaining('Start again in a minute'),
		});
		expect(await tokenOf('Atelier')).toBeUndefined();
	});
});

describe('leaving', () => {
	test('takes the token and everything that was said out of the store, of that workspace alone', async () => {
		await install('ada');
		await install('bea');
		slack.expel('Atelier');
		await expect.poll(() => tokenOf('Atelier')).toBeUndefined();
		await expect.poll(() => forgotten).toContainEqual({ platform: 'slack', server: server('Atelier') });
		expect(await tokenOf('Bindery')).toBeDefined();
		expect(forgotten).not.toContainEqual({ platform: 'slack', server: server('Bindery') });
	});

	test('heard of late, it does not take what was installed since', async () => {
		await install('ada');
		expect(await workspaces.remove(server('Atelier'), Date.now() - 60_000)).toBe(false);
		expect(await tokenOf('Atelier')).toBeDefined();
	});

	test('of tokens of people, nothing is heard', async () => {
		await install('ada');
		slack.event({ type: 'tokens_revoked', tokens: { oauth: ['U1'], bot: [] } }, 'Atelier');
		await slack.user('ada').types('/imagine a fox');
		expect(await tokenOf('Atelier')).toBeDefined();
	});
});

describe('rotation', () => {
	const HOUR = 3_600_000;
	let now: number;
	beforeEach(async () => {
		now = Date.now();
		await start({ now: () => now });
		await install('ada');
	});

	test('a token is replaced once before its end, however many ask', async () => {
		const first = await tokenOf('Atelier');
		now += 9 * HOUR;
		expect(await tokenOf('Atelier')).toBe(first);
		expect(exchanges()).toBe(1);
		now += 2 * HOUR;
		const tokens = await Promise.all(Array.from({ length: 20 }, () => tokenOf('Atelier')));
		expect(exchanges()).toBe(2);
		const next = await tokenOf('Atelier');
		expect(next).not.toBe(first);
		for (const token of tokens) expect([first, next]).toContain(token);
	});

	test('two processes that find it ended get it once, and both have the next one', async () => {
		const first = await tokenOf('Atelier');
		now += 13 * HOUR;
		const one = workspaces;
		const firstLink = link;
		link = undefined;
		const other = await start({ now: () => now });
		const answers: (Installation | undefined)[] = await Promise.all(
			[one, other, one, other].map((process) => process.of(server('Atelier'))),
		);
		await firstLink?.stop();
		expect(exchanges()).toBe(2);
		expect(new Set(answers.map((answer) => answer?.botToken)).size).toBe(1);
		expect(answers[0]?.botToken).not.toBe(first);
	});

	test('while Slack can’t be reached the old token does, and the next turn gets the new one', async () => {
		const first = await tokenOf('Atelier');
		now += 11 * HOUR;
		slack.faults.die('oauth.v2.access');
		expect(await tokenOf('Atelier')).toBe(first);
		expect(log.lines.join()).toContain('A token could not be replaced');
		now += 2 * 60_000;
		expect(await tokenOf('Atelier')).not.toBe(first);
	});

	test('a refresh token that Slack does not take is said, and ends nothing before the token ends', async () => {
		slack.faults.refuse('oauth.v2.access', 'invalid_refresh_token', 5);
		now += 11 * HOUR;
		expect(await tokenOf('Atelier')).toBeDefined();
		expect(log.lines.join()).toContain('install it once more');
	});
});

test('an installation for a whole organisation goes by the organisation', async () => {
	const organisation = createServer((_, response) => {
		response.writeHead(200, { 'content-type': 'application/json' });
		response.end(
			JSON.stringify({
				ok: true,
				app_id: 'A1',
				access_token: 'xoxb-org',
				token_type: 'bot',
				scope: 'commands',
				bot_user_id: 'U9',
				team: null,
				enterprise: { id: 'E1', name: 'Guild' },
				is_enterprise_install: true,
				authed_user: { id: 'U1' },
				bot_id: 'B9',
				user_id: 'U9',
				url: 'https://guild.example.com/',
			}),
		);
	});
	await new Promise<void>((resolve) => organisation.listen(0, '127.0.0.1', resolve));
	const troubles: DispatchErrors = new WeakMap();
	const space = store.space('slack');
	const { clientId, clientSecret, signingSecret } = slack;
	const { routes: pages, workspaces } = createSlackTransport({
		access: { kind: 'oauth', clientId, clientSecret, stateSecret: 'state secret', signingSecret },
		apiUrl: `http://127.0.0.1:${(organisation.address() as AddressInfo).port}/api/`,
		commands: [],
		keyv: space.keyv,
		once: createOnce(space),
		troubles,
		log: log.log,
	});
	routes = pages as Hono;
	const { location, cookie } = await begin();
	const state = new URL(location).searchParams.get('state');
	const { status, text } = await open(`${listener.address}/slack/oauth_redirect?code=1&state=${state}`, cookie);
	expect([status, text]).toEqual([200, expect.stringContaining('installed in Guild')]);
	expect(await workspaces.of('E1')).toMatchObject({ server: 'E1', botToken: 'xoxb-org', bot: 'B9', botUser: 'U9' });
	await new Promise((resolve) => organisation.close(resolve));
});
