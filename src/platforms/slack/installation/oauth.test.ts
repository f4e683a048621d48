import { createHash, createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { webApi } from '@slack/bolt';
import { Hono } from 'hono';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { pngFile } from '../../../../packages/fakes/src/pictures.ts';
import { type SlackFake, startSlack } from '../../../../packages/fakes/src/slack/index.ts';
import { lineLog } from '../../../../test/harness/slack-fixture.ts';
import { type Listener, listen } from '../../../http.ts';
import { openStore } from '../../../store/open-store.ts';
import { createClaim, type Store } from '../../../store/store.ts';
import { Calls, createHosts } from '../api/calls.ts';
import { registerUninstall } from '../inbound/events.ts';
import { type SlackFile, uploadOf } from '../inbound/files.ts';
import { BOT_SCOPES, manifestOf } from '../manifest.ts';
import type { Slack } from '../slack.ts';
import { SlackTransport } from '../transport/transport.ts';
import { type Installation, stateKey, type Workspaces } from './workspaces.ts';

let slack: SlackFake;
let store: Store;
let listener: Listener;
let routes: Hono;
let connection: SlackTransport | undefined;
let workspaces: Workspaces;
let forgotten: unknown[];
let installed: unknown[];
let invitations: unknown[];
let asked: unknown[];
let log: ReturnType<typeof lineLog>;

beforeEach(async () => {
	routes = new Hono();
	forgotten = [];
	installed = [];
	invitations = [];
	asked = [];
	log = lineLog();
	listener = await listen(
		new Hono().mount('/', (request, env) => routes.fetch(request, env)),
		LOOPBACK,
	);
	// A public address has https; the loopback has http.
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
	await connection?.stop();
	await listener.close();
	await slack.close();
	await store.close();
	expect(slack.violations).toEqual([]);
});

const LOOPBACK = { host: '127.0.0.1', port: 0 };

/** Starts the Slack transport on the current store, as a restarted process would. */
async function start({ stateSecret = 'state secret', now }: { stateSecret?: string; now?: () => number } = {}) {
	await connection?.stop();
	const { apiUrl, clientId, clientSecret, signingSecret } = slack;
	const space = store.space('slack');
	const access = { kind: 'oauth' as const, clientId, clientSecret, stateSecret, signingSecret };
	const transport = new SlackTransport(
		{ access, apiUrl, space, claim: createClaim(space), log: log.log, now },
		async (server, invited) => {
			installed.push(server);
			invitations.push(invited);
		},
	);
	workspaces = transport.workspaces;
	const { app } = transport;
	app.command('/imagine', async ({ ack, context }) => {
		await ack();
		asked.push(context['server']);
	});
	const inbox = { forget: async (where: unknown) => void forgotten.push(where) };
	registerUninstall(app, { workspaces, inbox: () => inbox as never, log: log.log });
	connection = transport;
	routes = transport.routes as Hono;
	await connection.start();
	return workspaces;
}

/** Opens the install page, allows the app at Slack, and returns the page that it ends on. */
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
	test('requests the scopes of the manifest, ends on a page with a link to Slack, and authorizes the workspace', async () => {
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

	test('authorizes one workspace; another has its own token', async () => {
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

	test('that was read before still authorizes its workspace while the store fails', async () => {
		await install('ada');
		await install('bea');
		const token = await tokenOf('Atelier');
		const gone = Object.assign(new Error('The store is gone.'), { name: 'StoreError' });
		const get = vi.spyOn(store.space('slack').keyv, 'get').mockRejectedValue(gone);
		onTestFinished(() => get.mockRestore());
		expect(await tokenOf('Atelier')).toBe(token);
		await slack.user('ada').types('/imagine a fox');
		expect(asked).toEqual([server('Atelier')]);
		await expect(workspaces.of('T0')).rejects.toBe(gone);
	});

	test('survives a restart, and its tokens appear neither in the store nor in the log', async () => {
		await install('ada');
		const token = (await tokenOf('Atelier')) ?? '';
		await start();
		expect(await tokenOf('Atelier')).toBe(token);
		for (const text of [await entries(), log.lines.join()]) expect(text).not.toMatch(/xox[be]/);
	});

	test('cannot be read with another state secret, which is logged, and can be repeated', async () => {
		await install('ada');
		await start({ stateSecret: 'another secret' });
		expect(await tokenOf('Atelier')).toBeUndefined();
		expect(log.lines.join()).toContain('SLACK_STATE_SECRET has changed');
		await install('ada');
		expect(await tokenOf('Atelier')).toBeDefined();
	});
});

describe('a failed installation ends on a page that says why', () => {
	const back = (query: string) => `${listener.address}/slack/oauth_redirect?${query}`;

	test('when the app is not allowed', async () => {
		const { status, text } = await open(back('error=access_denied'));
		expect([status, text]).toEqual([403, expect.stringContaining('You did not allow the app')]);
		expect(text).toContain('href="/slack/install"');
	});

	test('in another browser, or with a forged state', async () => {
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

	test('when the last page is loaded again, or has no code', async () => {
		const { location, cookie } = await begin();
		const allowed = slack.allow(location, 'ada');
		await open(allowed, cookie);
		expect(await open(allowed, cookie)).toMatchObject({ status: 400, text: expect.stringContaining('expired') });
		expect(await open(back(''), cookie)).toMatchObject({ status: 400, text: expect.stringContaining('from Slack') });
	});

	test('which no other site may show, and which strangers fill no log with', async () => {
		for (const [path, status] of [
			['/slack/install', 302],
			['/slack/oauth_redirect', 400],
			['/slack/oauth_redirect?error=access_denied', 403],
			[`/slack/oauth_redirect?code=1&state=${'x'.repeat(9999)}`, 400],
		] as const) {
			const page = await fetch(listener.address + path, { redirect: 'manual' });
			expect(page.status).toBe(status);
			expect(Object.fromEntries(page.headers)).toMatchObject({
				'x-content-type-options': 'nosniff',
				'content-security-policy': expect.stringMatching(/style-src 'sha256-.*frame-ancestors 'none'/),
				'cache-control': 'no-store',
			});
			if (status === 302) continue;
			const style = /<style>(.*)<\/style>/s.exec(await page.text())?.[1] ?? '';
			const hash = createHash('sha256').update(style).digest('base64');
			expect(page.headers.get('content-security-policy')).toContain(`'sha256-${hash}'`);
		}
		for (const line of log.lines) {
			expect(line.length).toBeLessThan(200);
			expect(JSON.parse(line).level).toBeLessThan(30);
		}
	});

	test('for whose state the operator’s secret itself is no key', async () => {
		const { location } = await begin();
		const [head, claims, mac] = new URL(location).searchParams.get('state')?.split('.') ?? [];
		const made = (key: string) => createHmac('sha256', key).update(`${head}.${claims}`).digest('base64url');
		expect(made(stateKey('state secret'))).toBe(mac);
		expect(made('state secret')).not.toBe(mac);
	});

	test('with a wrong client secret, or when Slack cannot be reached', async () => {
		log.lines.length = 0;
		slack.faults.refuse('oauth.v2.access', 'bad_client_secret');
		expect(await install('ada')).toMatchObject({ status: 502, text: expect.stringContaining('SLACK_CLIENT_SECRET') });
		slack.faults.die('oauth.v2.access');
		expect(await install('ada')).toMatchObject({
			status: 502,
			text: expect.stringContaining('Start again in a minute'),
		});
		// The operator can do something about these. Each is one short line.
		expect(log.lines.map((line) => JSON.parse(line)).filter(({ level }) => level >= 40)).toMatchObject([
			{ slack: 'bad_client_secret', msg: 'Slack: the app could not be installed' },
			{ slack: 'slack_webapi_request_error' },
		]);
		expect(log.lines.join('')).not.toContain('stack');
		expect(await tokenOf('Atelier')).toBeUndefined();
	});
});

describe('uninstalling', () => {
	test('removes the token and the history of that workspace only', async () => {
		await install('ada');
		await install('bea');
		slack.uninstall('Atelier');
		await expect.poll(() => tokenOf('Atelier')).toBeUndefined();
		await expect.poll(() => forgotten).toContainEqual({ platform: 'slack', server: server('Atelier') });
		expect(await tokenOf('Bindery')).toBeDefined();
		expect(forgotten).not.toContainEqual({ platform: 'slack', server: server('Bindery') });
		expect(installed).toEqual([server('Atelier'), server('Bindery')]);
		const [adas, beas] = ['Atelier', 'Bindery'].map((name) => ({
			name,
			person: { id: expect.stringMatching(/^[UW]/) },
		}));
		expect(invitations).toEqual([adas, beas]);
		await install('ada');
		expect(installed).toEqual([server('Atelier'), server('Bindery'), server('Atelier')]);
	});

	test('does not remove a later installation when the event is late', async () => {
		await install('ada');
		expect(await workspaces.remove(server('Atelier'), Date.now() - 60_000)).toBe(false);
		expect(await tokenOf('Atelier')).toBeDefined();
	});

	test('ignores tokens of people', async () => {
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

	test('replaces a token once before it expires, under concurrent requests', async () => {
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

	test('requests an expired token once for two processes', async () => {
		const first = await tokenOf('Atelier');
		now += 13 * HOUR;
		const one = workspaces;
		const firstConnection = connection;
		connection = undefined;
		const other = await start({ now: () => now });
		const answers: (Installation | undefined)[] = await Promise.all(
			[one, other, one, other].map((process) => process.of(server('Atelier'))),
		);
		await firstConnection?.stop();
		expect(exchanges()).toBe(2);
		expect(new Set(answers.map((answer) => answer?.botToken)).size).toBe(1);
		expect(answers[0]?.botToken).not.toBe(first);
	});

	test.each(['valid', 'revoked'] as const)(
		'a call finishes while another process replaces its token, which stays %s',
		async (replacedTokens) => {
			slack.settings.replacedTokens = replacedTokens;
			const calls = new Calls({ installations: workspaces, apiUrl: slack.apiUrl });
			const before = slack.calls.length;
			const release = slack.faults.slow('auth.test');
			const answer = calls.make(server('Atelier'), 'auth.test', {});
			await expect.poll(() => slack.calls.length).toBeGreaterThan(before);
			now += 11 * HOUR;
			const other = await start({ now: () => now });
			await other.of(server('Atelier'));
			release();
			expect(await answer).toMatchObject({ ok: true, team: 'Atelier' });
			const made = slack.calls.slice(before).filter(({ method }) => method === 'auth.test');
			const errors = replacedTokens === 'valid' ? [undefined] : ['token_revoked', undefined];
			expect(made.map(({ error }) => error)).toEqual(errors);
		},
	);

	test.each(['valid', 'revoked'] as const)(
		'a file is read while another process replaces the token, which stays %s',
		async (replacedTokens) => {
			Object.assign(slack.settings, { replacedTokens, filesAt: 'api host' });
			const ada = slack.user('ada');
			const { bytes } = await pngFile('#7f8c8d');
			await ada.say('look', [{ name: 'fox.png', bytes }]);
			const [file] = [...slack.world.files.values()];
			// The store returns the replaced token once more.
			const stale = [await workspaces.of(server('Atelier'))];
			const installations = { of: async (of: string) => stale.shift() ?? workspaces.of(of) };
			now += 11 * HOUR;
			const current = await workspaces.of(server('Atelier'));
			const info = await new webApi.WebClient(current?.botToken, { slackApiUrl: slack.apiUrl }).files.info({
				file: file?.id ?? '',
			});
			const calls = new Calls({ installations, apiUrl: slack.apiUrl });
			const context = { calls, call: calls.make, hosts: createHosts(slack.apiUrl, []), log: log.log } as Slack;
			const upload = uploadOf(context, server('Atelier'), info.file as SlackFile);
			expect(await upload.read(AbortSignal.timeout(5000), 10_000_000)).toEqual(Buffer.from(bytes));
			expect(stale).toEqual([]);
		},
	);

	test('keeps the current token while Slack cannot be reached, and replaces it at the next turn', async () => {
		const first = await tokenOf('Atelier');
		now += 11 * HOUR;
		slack.faults.die('oauth.v2.access');
		expect(await tokenOf('Atelier')).toBe(first);
		expect(log.lines.join()).toContain('A token could not be replaced');
		now += 2 * 60_000;
		// The store expires the lock by its own clock.
		onTestFinished(() => void vi.useRealTimers());
		vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 60_000 });
		expect(await tokenOf('Atelier')).not.toBe(first);
	});

	test('logs a rejected refresh token, and keeps the current token until it expires', async () => {
		slack.faults.refuse('oauth.v2.access', 'invalid_refresh_token', 5);
		now += 11 * HOUR;
		expect(await tokenOf('Atelier')).toBeDefined();
		expect(log.lines.join()).toContain('install the app there again');
	});
});

test('an installation for an organization is stored under its id', async () => {
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
	const space = store.space('slack');
	const { clientId, clientSecret, signingSecret } = slack;
	const { routes: pages, workspaces } = new SlackTransport({
		access: { kind: 'oauth', clientId, clientSecret, stateSecret: 'state secret', signingSecret },
		apiUrl: `http://127.0.0.1:${(organisation.address() as AddressInfo).port}/api/`,
		space,
		claim: createClaim(space),
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
