import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type SlackFake, startSlack } from '../../../../packages/fakes/src/slack/index.ts';
import type { Slack } from '../slack.ts';
import { messageBlocksOf } from './blocks.ts';
import { Calls, Pace } from './calls.ts';
import { findByKey, postMessage } from './messages.ts';

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
	const call = new Calls({ installations, apiUrl: slack.apiUrl, pace: new Pace({ isUnlisted: true }) }).make;
	const channel = slack.world.channel('general', team).id;
	return { slack: { call, workspaces: installations } as unknown as Slack, server, channel };
}

const histories = () => slack.calls.filter(({ method }) => method === 'conversations.history');

test.each([
	['a rate limit without a time', { status: 429 }],
	['a rate limit in the body of an answer', { error: 'ratelimited' }],
	['a page in place of an answer', { status: 200 }],
	['a page in place of the answer about a message that was posted', { statusAfter: 200 }],
])('a message is posted once after %s', async (_, fault) => {
	const { slack: context, server, channel } = connect();
	slack.faults.add('chat.postMessage', fault);
	await postMessage(context, { server, channel }, messageBlocksOf('A fox', [], []), 'job-1');
	expect((await slack.user('ada').look()).map(({ text }) => text)).toEqual(['A fox']);
});

describe('in an unlisted app', () => {
	test('a message is found among the newest 15, and no second page is waited for', async () => {
		const { slack: context, server, channel } = connect();
		const ada = slack.user('ada');
		const since = Date.now();
		const message = await postMessage(context, { server, channel }, messageBlocksOf('A fox', [], []), 'job-1');
		for (let index = 0; index < 14; index++) await ada.say(`message ${index}`);
		expect(await findByKey(context, { server, channel }, 'job-1', since)).toEqual(message);
		await ada.say('message 15');
		const other = connect();
		slack.clock.advance(60_000);
		expect(await findByKey(other.slack, { server, channel }, 'job-1', since)).toBeUndefined();
		expect(histories().map(({ args, status }) => [args['limit'], status])).toEqual([
			['15', 200],
			['15', 200],
		]);
	});
});
