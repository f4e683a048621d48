import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type SlackFake, startSlack } from '../../../../test/fakes/slack/index.ts';
import { registerUninstall } from '../installation/uninstall.ts';
import { lineLog } from '../log.fixture.ts';
import type { Access } from './access.ts';
import { createApp } from './app.ts';
import { type Connection, createConnection } from './connection.ts';
import type { DispatchErrors } from './dispatch.ts';
import { createSlackTransport } from './transport.ts';

let slack: SlackFake;
let link: Connection;
let asked: string[];
let log: ReturnType<typeof lineLog>;
const unhandled: unknown[] = [];
const onUnhandled = (error: unknown) => void unhandled.push(error);

beforeEach(async () => {
	slack = await startSlack({ pace: 0.01 });
	asked = [];
	log = lineLog();
	process.on('unhandledRejection', onUnhandled);
});
afterEach(async () => {
	await link?.stop();
	await slack.close();
	process.off('unhandledRejection', onUnhandled);
	expect(unhandled.splice(0)).toEqual([]);
	expect(slack.violations).toEqual([]);
});

/** Bolt's App as it runs, which writes down what it is asked for. */
function connect(access: Partial<Extract<Access, { kind: 'socket' }>> = {}): Promise<void> {
	const troubles: DispatchErrors = new WeakMap();
	const entrance = createSlackTransport({
		access: { kind: 'socket', botToken: slack.botToken, appToken: slack.appToken, ...access },
		apiUrl: slack.apiUrl,
		commands: [],
		keyv: undefined as never,
		once: async () => true,
		troubles,
		log: log.log,
		timing: { firstPause: 1 },
	});
	const installations = entrance.workspaces;
	const app = createApp({ receiver: entrance.receiver, installations, troubles, apiUrl: slack.apiUrl, log: log.log });
	app.command(/.*/, async ({ ack, command }) => {
		await ack();
		asked.push(command.text);
	});
	registerUninstall(app, { workspaces: installations, inbox: () => undefined, log: log.log });
	link = createConnection({ app, entrance, firstPauseMs: 1, log: log.log });
	return link.start();
}

/** How often Slack was asked for the address of a connection. */
const opened = () => slack.calls.filter(({ method }) => method === 'apps.connections.open').length;

describe('two connections', () => {
	test('lose nothing while one is refreshed, and are two again', async () => {
		await connect();
		await slack.sockets.whenConnected(2);
		const ada = slack.user('ada');
		slack.sockets.disconnect('refresh_requested', 'one');
		for (let n = 1; n <= 5; n++) await ada.types(`/imagine ${n}`);
		expect(asked).toEqual(['1', '2', '3', '4', '5']);
		await slack.sockets.whenConnected(2);
		expect(link.state()).toBe('ready');
	});

	test.for<[what: string, end: () => void]>([
		['are cut off', () => slack.sockets.drop('all')],
		['are closed at once', () => slack.sockets.disconnect('link_disabled', 'all')],
		['are refreshed together', () => slack.sockets.disconnect('refresh_requested', 'all')],
	])('come again when both %s', async ([, end]) => {
		await connect();
		await slack.sockets.whenConnected(2);
		end();
		await expect.poll(opened).toBe(4);
		await slack.sockets.whenConnected(2);
		await expect.poll(() => link.state()).toBe('ready');
		await slack.user('ada').types('/imagine a fox');
		expect(asked).toEqual(['a fox']);
	});

	test('are tried again as long as Slack gives no address for them', async () => {
		await connect();
		await slack.sockets.whenConnected(2);
		slack.faults.serverError('apps.connections.open', { times: 3 });
		slack.faults.limit('apps.connections.open', { times: 2 });
		slack.faults.die('apps.connections.open', 2);
		slack.sockets.drop('all');
		await expect.poll(opened).toBe(2 + 7 + 2);
		await slack.sockets.whenConnected(2);
	});

	test('a token that is refused later ends nothing but the connection, and each says so once', async () => {
		await connect();
		await slack.sockets.whenConnected(2);
		slack.faults.refuse('apps.connections.open', 'invalid_auth', 1_000_000);
		slack.sockets.drop('all');
		await expect.poll(() => link.state()).toBe('refused');
		await expect.poll(opened).toBeGreaterThan(8);
		expect(log.lines.filter((line) => line.includes('SLACK_APP_TOKEN'))).toHaveLength(2);
		slack.faults.clear();
		await expect.poll(() => link.state()).toBe('ready');
	});

	test('a stop leaves none behind, also when one was being made', async () => {
		await connect();
		await slack.sockets.whenConnected(2);
		const go = slack.faults.slow('apps.connections.open');
		slack.sockets.drop('one');
		await expect.poll(opened).toBe(3);
		const stopped = link.stop();
		go();
		await stopped;
		expect(link.state()).toBe('stopped');
		await expect.poll(() => slack.sockets.connected()).toBe(0);
		expect(opened()).toBe(3);
	});
});

test('a bot that was removed from its workspace says so, and does nothing there any more', async () => {
	await connect();
	slack.expel();
	await expect.poll(() => link.state()).toBe('removed');
	expect(log.lines.join()).toContain('The app was removed from the Slack workspace');
});

describe('the start', () => {
	test.for<[what: string, access: Parameters<typeof connect>[0], sentence: RegExp]>([
		['a bot token that Slack does not know', { botToken: 'xoxb-1' }, /does not know the token in SLACK_BOT_TOKEN/],
		['an app token that Slack does not know', { appToken: 'xapp-1' }, /does not know the token in SLACK_APP_TOKEN/],
		[
			'the bot token in place of the app token',
			{ appToken: 'xoxb-1' },
			/SLACK_APP_TOKEN holds a token of another kind/,
		],
	])('%s is refused in one sentence', async ([, access, sentence]) => {
		await expect(connect(access)).rejects.toMatchObject({
			name: 'SlackRefusal',
			message: expect.stringMatching(sentence),
		});
		expect(link.state()).toBe('refused');
	});

	test('an app token without its scope is refused in one sentence', async () => {
		slack.faults.refuse('apps.connections.open', 'missing_scope');
		await expect(connect()).rejects.toThrow(/connections:write/);
	});

	test('waits for nobody when Slack can’t be reached, and goes on trying', async () => {
		slack.faults.die('auth.test', 2);
		slack.faults.serverError('auth.test', { times: 2 });
		await connect();
		expect(link.state()).toBe('unreachable');
		await slack.sockets.whenConnected(2);
		await expect.poll(() => link.state()).toBe('ready');
	});

	test('a stop ends the trying', async () => {
		slack.faults.die('auth.test', 1_000_000);
		await connect();
		await link.stop();
		expect(link.state()).toBe('stopped');
	});

	test('says who it is, and which scopes are missing', async () => {
		await connect();
		expect(log.lines.join()).toContain('in Atelier as @');
		expect(log.lines.join()).not.toMatch(/lacks the scopes/);
		await link.stop();
		await slack.close();
		slack = await startSlack({ manifest: { oauth_config: { scopes: { bot: ['chat:write', 'commands'] } } } });
		await connect();
		expect(log.lines.join()).toMatch(/lacks the scopes .*files:read/);
		expect(log.lines.join()).not.toContain(slack.botToken);
	});
});
