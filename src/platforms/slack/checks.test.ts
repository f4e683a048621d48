import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { startFaultyService } from '../../../packages/fakes/src/service.ts';
import { type SlackFake, startSlack } from '../../../packages/fakes/src/slack/index.ts';
import { ATELIER_APP } from '../../../packages/fakes/src/slack/manifest.ts';
import { diagnose } from '../../doctor/diagnose.ts';
import { openStore } from '../../store/open-store.ts';
import { probe } from './checks.ts';
import { TokenCipher } from './installation/workspaces.ts';
import { BOT_SCOPES } from './manifest.ts';
import { eventRoutes } from './transport/http.ts';

let slack: SlackFake;
beforeEach(async () => {
	slack = await startWith([...BOT_SCOPES]);
});
afterEach(async () => {
	expect(slack.violations).toEqual([]);
	expect(slack.sockets.connected()).toBe(0);
	await slack.close();
});

const startWith = (bot: readonly string[]) =>
	startSlack({ manifest: { ...ATELIER_APP, oauth_config: { scopes: { bot } } } });

async function lines(env: Record<string, string>): Promise<string[]> {
	const results = await diagnose({ PORT: '1', STORE_URL: 'memory:', SLACK_API_URL: slack.apiUrl, ...env });
	return results
		.filter(({ group }) => group === 'Slack')
		.map(({ level, check, message }) => `${level} ${check}: ${message}`);
}

const socket = () => ({ SLACK_BOT_TOKEN: slack.botToken, SLACK_APP_TOKEN: slack.appToken });

const SIGNING = '8f742231b10e8888abcd99eee77785a5';

test('reports Socket Mode without connecting', async () => {
	expect(await lines(socket())).toEqual([
		'ok token: Slack takes the bot token: @easel@atelier in Atelier.',
		`ok scopes: The ${BOT_SCOPES.length} scopes are those of the manifest.`,
		'ok Socket Mode: Slack takes the app-level token and offers a connection, which was not made.',
		"ok clock: This machine's clock agrees with Slack's.",
	]);
	expect(slack.calls.map(({ method }) => method).sort()).toEqual(['apps.connections.open', 'auth.test']);
});

test('names scopes that are missing and superfluous, refused tokens, and a clock that is off', async () => {
	await slack.close();
	slack = await startWith([...BOT_SCOPES.filter((scope) => scope !== 'files:write'), 'channels:join', 'pins:write']);
	slack.clock.advance(10 * 60_000);
	expect((await lines({ ...socket(), SLACK_APP_TOKEN: 'xapp-wrong-token' })).slice(1)).toEqual([
		'fault scopes: The app lacks the scope files:write.',
		'warning scopes: The app has scopes that Easel does not use: pins:write.',
		'fault Socket Mode: Slack does not know the token in SLACK_APP_TOKEN.',
		"warning clock: This machine's clock is about 10 min behind Slack's.",
	]);
	const http = { SLACK_BOT_TOKEN: 'xoxb-wrong-token', SLACK_SIGNING_SECRET: SIGNING };
	expect(await lines(http)).toEqual([
		'fault token: Slack does not know the token in SLACK_BOT_TOKEN.',
		'skipped scopes: Not checked, because Slack does not accept the bot token.',
		'skipped public address: The address that Slack sends to is not known.',
		'skipped signing secret: Easel does not run here, so there is nothing that could verify a signature.',
		"fault clock: This machine's clock is about 10 min behind Slack's. Slack's signatures are refused from 300 s on.",
	]);
});

test('probes the address with a signature of its own', async () => {
	const app = new Hono();
	app.get('/healthz', (context) => context.json({ status: 'ok' }));
	app.route(
		'/',
		eventRoutes(
			SIGNING,
			async () => ({}),
			() => false,
		),
	);
	const server = createServer(getRequestListener(app.fetch)).listen(0, '127.0.0.1');
	await new Promise((resolve) => server.once('listening', resolve));
	onTestFinished(() => void server.close());
	const { port } = server.address() as AddressInfo;
	const env = { SLACK_BOT_TOKEN: slack.botToken, PORT: String(port) };
	expect(await lines({ ...env, SLACK_SIGNING_SECRET: SIGNING })).toContain(
		'ok signing secret: A request with our own signature reaches Easel at the process on this machine and is accepted.',
	);
	expect(await lines({ ...env, SLACK_SIGNING_SECRET: SIGNING.replace('8', '7') })).toContain(
		'fault signing secret: Easel at the process on this machine refuses a request with our signature.',
	);
	expect(await lines({ ...env, SLACK_SIGNING_SECRET: SIGNING, PUBLIC_URL: 'http://easel.test' })).toContain(
		'fault public address: PUBLIC_URL is not https, which Slack requires.',
	);
	const target = { variable: 'PUBLIC_URL', name: 'the public address' };
	const { signal } = new AbortController();
	const other = await startFaultyService();
	const found = await probe(other.url, target, 's', signal);
	expect(found.message).toBe('Something else than Easel with Slack answers at the public address (200).');
	await other.close();
	expect(await probe(other.url, target, 's', signal)).toMatchObject({
		level: 'fault',
		message: 'There is no connection to the public address (ECONNREFUSED).',
	});
});

const SECRET = 'a state secret of 32 characters.';

test('checks client id, secret and stored tokens of many workspaces', async () => {
	const folder = await mkdtemp(join(tmpdir(), 'easel-doctor-'));
	onTestFinished(() => rm(folder, { recursive: true }));
	const store = await openStore(`sqlite:${folder}/easel.db`);
	onTestFinished(() => store.close());
	const { keyv } = store.space('slack');
	const installation = { server: 'T1', name: 'Club', scopes: BOT_SCOPES.slice(1) };
	await keyv.set(
		'installation:T1',
		await new TokenCipher({ stateSecret: SECRET }).encrypt(JSON.stringify(installation), 'T1'),
	);
	await keyv.set(
		'installation:T2',
		await new TokenCipher({ stateSecret: 'earlier' }).encrypt(JSON.stringify(installation), 'T2'),
	);
	const env = {
		...{ STORE_URL: `sqlite:${folder}/easel.db`, SLACK_CLIENT_ID: slack.clientId, SLACK_STATE_SECRET: SECRET },
		...{ SLACK_CLIENT_SECRET: slack.clientSecret, SLACK_SIGNING_SECRET: slack.signingSecret },
	};
	const answered = await lines(env);
	expect(answered.slice(0, 3)).toEqual([
		'ok client: Slack takes client id and client secret.',
		'fault workspaces: The tokens of 1 of 2 workspaces cannot be decrypted.',
		'warning workspaces: The app was installed with fewer scopes in Club.',
	]);
	expect((await lines({ ...env, SLACK_CLIENT_SECRET: 'wrong' }))[0]).toBe(
		'fault client: Slack does not accept SLACK_CLIENT_SECRET.',
	);
});
