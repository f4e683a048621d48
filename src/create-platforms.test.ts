import { Hono } from 'hono';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../packages/fakes/src/eventually.ts';
import { startSlack } from '../packages/fakes/src/slack/index.ts';
import { ATELIER_APP } from '../packages/fakes/src/slack/manifest.ts';
import { createRecordedCore } from '../test/harness/slack-fixture.ts';
import { loadConfig } from './config/config.ts';
import { createPlatforms } from './create-platforms.ts';
import { listen } from './http.ts';
import { createMetrics } from './metrics/metrics.ts';
import { openStore } from './store/open-store.ts';

/** Starts Easel's Slack by OAuth as `main` does, installed by Ada in her workspace. Slack has the limits of unlisted apps. */
async function startDistributed() {
	const redirect_urls = ['https://easel.example.com/slack/oauth_redirect'];
	const slack = await startSlack({
		mode: 'http',
		unlisted: true,
		bareMentions: true,
		teams: [{ name: 'Atelier', users: { ada: { name: 'Ada' } }, channels: ['general'], installed: false }],
		manifest: {
			...ATELIER_APP,
			oauth_config: { ...ATELIER_APP.oauth_config, redirect_urls },
			// Mentions come without their files, which are looked up in histories.
			settings: { event_subscriptions: { bot_events: ['app_mention'] } },
		},
	});
	const config = loadConfig({
		SLACK_API_URL: slack.apiUrl,
		SLACK_CLIENT_ID: slack.clientId,
		SLACK_CLIENT_SECRET: slack.clientSecret,
		SLACK_STATE_SECRET: 'the state secret of this long test',
		SLACK_SIGNING_SECRET: slack.signingSecret,
		SANDBOX: 'off',
		STORE_URL: 'memory:',
	});
	const store = await openStore(config.store);
	const log = pino({ level: 'silent' });
	const { platforms, routes } = await createPlatforms(
		config,
		[],
		store,
		log,
		createMetrics({ platforms: ['slack'], commands: [] }),
	);
	const [platform] = platforms;
	if (!platform || platforms.length > 1) throw new Error('There is not exactly one platform');
	const app = new Hono();
	for (const route of routes) app.route('/', route);
	const listener = await listen(app, { host: '127.0.0.1', port: 0 });
	const core = createRecordedCore();
	await platform.start(core);
	slack.settings.requestUrl = `${listener.address}/slack/events`;
	onTestFinished(async () => {
		await platform.stop();
		await listener.close();
		await slack.close();
		await store.close();
		expect(slack.violations).toEqual([]);
	});
	const redirected = await fetch(`${listener.address}/slack/install`, { redirect: 'manual' });
	const { search } = new URL(slack.allow(redirected.headers.get('location') ?? '', 'ada'));
	const cookie = redirected.headers.getSetCookie()[0]?.split(';')[0] ?? '';
	await fetch(`${listener.address}/slack/oauth_redirect${search}`, { headers: { cookie } });
	const ada = slack.user('ada');
	const channel = slack.world.channel('general', ada.account.team).id;
	const histories = () => slack.calls.filter(({ method }) => method === 'conversations.history');
	return { slack, platform, core, ada, place: { platform: 'slack', server: ada.account.team.id, channel }, histories };
}

test('in many workspaces, mentions are answered at once, without Slack’s scarce histories', async () => {
	const { core, ada, histories } = await startDistributed();
	for (let count = 1; count <= 3; count++) {
		await ada.say(`@Easel hello ${count}`);
		await eventually(() => expect(core.received).toHaveLength(count));
	}
	expect(histories()).toEqual([]);
});

test('in many workspaces, a message is posted all the same when the search for it would take too long', async () => {
	const { slack, platform, ada, place, histories } = await startDistributed();
	const channel = await platform.channel(place);
	slack.faults.serverError('chat.postMessage');
	slack.faults.limit('conversations.history', { seconds: 120 });
	await channel?.post({ text: 'A fox' }, 'job-1');
	expect((await ada.look()).map(({ text }) => text)).toContain('A fox');
	expect(histories().map(({ args, status }) => [args['limit'], status])).toEqual([['15', 429]]);
});
