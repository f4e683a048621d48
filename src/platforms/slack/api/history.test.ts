import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type SlackFake, startSlack } from '../../../../packages/fakes/src/slack/index.ts';
import { messageBlocksOf } from './blocks.ts';
import { createCallWithRetry } from './call-with-retry.ts';
import { RateLimiter } from './rate-limits/rate-limiter.ts';
import { SlackApi } from './slack-api.ts';
import { Web } from './web.ts';

const log = pino({ level: 'silent' });
let slack: SlackFake;
beforeEach(async () => {
	slack = await startSlack({ unlisted: true });
});
afterEach(async () => {
	expect(slack.violations).toEqual([]);
	await slack.close();
});

/** Calls the fake as an app in many workspaces does. */
function connect() {
	const [team] = slack.world.teams.values();
	const server = team?.id ?? '';
	const self = { server, botToken: slack.botToken, botUser: team?.installation?.user.id ?? '', bot: '', scopes: [] };
	const installations = { of: async () => self };
	const web = new Web({ installations, apiUrl: slack.apiUrl, log });
	const call = createCallWithRetry({ web, limiter: new RateLimiter(1, undefined, { unlisted: true }) });
	const channel = slack.world.channel('general', team).id;
	return { api: new SlackApi(call, installations), server, channel };
}

const histories = () => slack.calls.filter(({ method }) => method === 'conversations.history');

describe('in an unlisted app', () => {
	test('a message is found among the newest 15, and no second page is waited for', async () => {
		const { api, server, channel } = connect();
		const ada = slack.user('ada');
		const since = Date.now();
		const message = await api.post({ server, channel }, messageBlocksOf('A fox', [], []), 'job-1');
		for (let index = 0; index < 14; index++) await ada.say(`message ${index}`);
		expect(await api.findByKey({ server, channel }, 'job-1', since)).toEqual(message);
		await ada.say('message 15');
		const other = connect();
		slack.clock.advance(60_000);
		expect(await other.api.findByKey({ server, channel }, 'job-1', since)).toBeUndefined();
		expect(histories().map(({ args, status }) => [args['limit'], status])).toEqual([
			['15', 200],
			['15', 200],
		]);
	});
});
