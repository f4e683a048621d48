import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type SlackFake, startSlack } from '../../../../packages/fakes/src/slack/index.ts';
import { lineLog } from '../../../../test/harness/slack-fixture.ts';
import { registerUninstall } from '../inbound/events.ts';
import type { Access } from '../installation/workspaces.ts';
import { SlackTransport } from './transport.ts';

let slack: SlackFake;
let connection: SlackTransport;
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
	await connection?.stop();
	await slack.close();
	process.off('unhandledRejection', onUnhandled);
	expect(unhandled.splice(0)).toEqual([]);
	expect(slack.violations).toEqual([]);
});

/** Starts the app as in production; `asked` collects the texts of its commands. */
function connect(access: Partial<Extract<Access, { kind: 'socket' }>> = {}): Promise<void> {
	connection = new SlackTransport({
		access: { kind: 'socket', botToken: slack.botToken, appToken: slack.appToken, ...access },
		apiUrl: slack.apiUrl,
		space: undefined as never,
		claim: async () => true,
		log: log.log,
		timing: { firstPause: 1 },
	});
	const { app, workspaces } = connection;
	app.command(/.*/, async ({ ack, command }) => {
		if (command.text === 'cut') slack.sockets.drop('all');
		await ack();
		asked.push(command.text);
	});
	registerUninstall(app, { workspaces, inbox: () => ({ forget: async () => {} }) as never, log: log.log });
	return connection.start();
}

/** The requests for the address of a connection. */
const opened = () => slack.calls.filter(({ method }) => method === 'apps.connections.open').length;

test('an envelope with nothing in it is passed over', async () => {
	await connect();
	for (const type of ['interactive', 'slash_commands', 'of_next_year', 'events_api'])
		slack.sockets.frame({
			envelope_id: type,
			type,
			...(type === 'events_api' && { payload: { type: 'event_callback' } }),
		});
	await slack.user('ada').types('/imagine a fox');
	expect(asked).toEqual(['a fox']);
});

describe('two connections', () => {
	test('lose no delivery while one is refreshed', async () => {
		await connect();
		await slack.sockets.whenConnected(2);
		const ada = slack.user('ada');
		slack.sockets.disconnect('refresh_requested', 'one');
		for (let n = 1; n <= 5; n++) await ada.types(`/imagine ${n}`);
		expect(asked).toEqual(['1', '2', '3', '4', '5']);
		await slack.sockets.whenConnected(2);
		expect(connection.state()).toBe('ready');
	});

	test.for<[what: string, end: () => void]>([
		['are cut off', () => slack.sockets.drop('all')],
		['are closed at once', () => slack.sockets.disconnect('link_disabled', 'all')],
		['are refreshed together', () => slack.sockets.disconnect('refresh_requested', 'all')],
	])('are made again when both %s', async ([, end]) => {
		await connect();
		await slack.sockets.whenConnected(2);
		end();
		await expect.poll(opened).toBe(4);
		await slack.sockets.whenConnected(2);
		await expect.poll(() => connection.state()).toBe('ready');
		await slack.user('ada').types('/imagine a fox');
		expect(asked).toEqual(['a fox']);
	});

	test('that Slack closes at once are made after growing pauses', async () => {
		await connect();
		await slack.sockets.whenConnected(2);
		const closing = setInterval(() => slack.sockets.disconnect('too_many_websockets'), 1);
		await expect.poll(() => log.lines.join()).toMatch(/CLOSED_AT_ONCE.*CLOSED_AT_ONCE.*CLOSED_AT_ONCE/s);
		clearInterval(closing);
		await slack.sockets.whenConnected(2);
	});

	test('end before an acknowledgement, and the delivery is handled all the same', async () => {
		await connect();
		await slack.sockets.whenConnected(2);
		void slack
			.user('ada')
			.types('/imagine cut')
			.catch(() => {});
		await expect.poll(() => asked).toEqual(['cut']);
	});

	test('are retried until Slack returns an address', async () => {
		await connect();
		await slack.sockets.whenConnected(2);
		slack.faults.serverError('apps.connections.open', { times: 3 });
		slack.faults.limit('apps.connections.open', { times: 2 });
		slack.faults.die('apps.connections.open', 2);
		slack.sockets.drop('all');
		await expect.poll(opened).toBe(2 + 7 + 2);
		await slack.sockets.whenConnected(2);
	});

	test('are retried when the token is refused later, and log it once each', async () => {
		await connect();
		await slack.sockets.whenConnected(2);
		slack.faults.refuse('apps.connections.open', 'invalid_auth', 1_000_000);
		slack.sockets.drop('all');
		await expect.poll(() => connection.state()).toBe('refused');
		await expect.poll(opened).toBeGreaterThan(8);
		expect(log.lines.filter((line) => line.includes('SLACK_APP_TOKEN'))).toHaveLength(2);
		slack.faults.clear();
		await expect.poll(() => connection.state()).toBe('ready');
	});

	test('all end with a stop, even while one is being made', async () => {
		await connect();
		await slack.sockets.whenConnected(2);
		const go = slack.faults.slow('apps.connections.open');
		slack.sockets.drop('one');
		await expect.poll(opened).toBe(3);
		const stopped = connection.stop();
		go();
		await stopped;
		expect(connection.state()).toBe('stopped');
		await expect.poll(() => slack.sockets.connected()).toBe(0);
		expect(opened()).toBe(3);
	});
});

test('a bot that is removed from its workspace reports it', async () => {
	await connect();
	slack.uninstall();
	await expect.poll(() => connection.state()).toBe('removed');
	expect(log.lines.join()).toContain('The app was removed from the Slack workspace');
});

describe('a start', () => {
	test.for<[what: string, access: Parameters<typeof connect>[0], sentence: RegExp]>([
		['an unknown bot token', { botToken: 'xoxb-1' }, /does not know the token in SLACK_BOT_TOKEN/],
		['an unknown app token', { appToken: 'xapp-1' }, /does not know the token in SLACK_APP_TOKEN/],
		['the bot token in place of the app token', { appToken: 'xoxb-1' }, /SLACK_APP_TOKEN is of the wrong type/],
	])('rejects with one sentence for %s', async ([, access, sentence]) => {
		await expect(connect(access)).rejects.toMatchObject({
			name: 'PlatformLoginError',
			message: expect.stringMatching(sentence),
		});
		expect(connection.state()).toBe('refused');
	});

	test('rejects with one sentence for an app token without its scope', async () => {
		slack.faults.refuse('apps.connections.open', 'missing_scope');
		await expect(connect()).rejects.toThrow(/connections:write/);
	});

	test('resolves when Slack cannot be reached, and keeps trying', async () => {
		slack.faults.die('auth.test', 2);
		slack.faults.serverError('auth.test', { times: 2 });
		await connect();
		expect(connection.state()).toBe('unreachable');
		await slack.sockets.whenConnected(2);
		await expect.poll(() => connection.state()).toBe('ready');
	});

	test('stops trying at a stop', async () => {
		slack.faults.die('auth.test', 1_000_000);
		await connect();
		await connection.stop();
		expect(connection.state()).toBe('stopped');
	});

	test('logs its user and the missing scopes', async () => {
		await connect();
		expect(log.lines.join()).toContain('in Atelier as @');
		expect(log.lines.join()).not.toMatch(/lacks the scopes/);
		await connection.stop();
		await slack.close();
		slack = await startSlack({ manifest: { oauth_config: { scopes: { bot: ['chat:write', 'commands'] } } } });
		await connect();
		expect(log.lines.join()).toMatch(/lacks the scopes .*files:read/);
		expect(log.lines.join()).not.toContain(slack.botToken);
	});
});
