import { App } from '@slack/bolt';
import { expect, test } from 'vitest';
import { eventually } from '../src/eventually.ts';
import { startSlack } from '../src/slack/index.ts';

/** A bot with one command, on an unmodified Bolt. */
async function startBot(answer: string, blocks?: object[]) {
	const slack = await startSlack({ pace: 0.02 });
	const clientOptions = { slackApiUrl: slack.apiUrl };
	const app = new App({
		token: slack.botToken,
		appToken: slack.appToken,
		socketMode: true,
		clientOptions,
		installerOptions: { clientOptions },
	});
	const errors: unknown[] = [];
	app.error(async ({ code, ...error }) => void errors.push(code, error));
	app.command('/imagine', async ({ ack, client, body }) => {
		await ack();
		await client.chat.postMessage({
			channel: body.channel_id,
			text: answer,
			...(blocks && { blocks: blocks as never }),
		});
	});
	await app.start();
	const close = async () => {
		await app.stop();
		await slack.close();
	};
	return { slack, errors, close };
}

test('a person sees the answer of a command', async () => {
	const { slack, close } = await startBot('A fox');
	const ada = slack.user('ada');
	await ada.types('/imagine a fox');
	await eventually(async () => expect(await ada.look()).toMatchObject([{ text: 'A fox', private: false }]));
	expect(slack.violations).toEqual([]);
	await close();
});

test('blocks that Slack refuses are refused', async () => {
	const text = { type: 'mrkdwn', text: 'x'.repeat(3001) };
	const { slack, errors, close } = await startBot('A fox', [{ type: 'section', text }]);
	await slack.user('ada').types('/imagine a fox');
	await eventually(() => expect(errors).not.toEqual([]));
	await close();
});
