import { App, type AppOptions, LogLevel, SocketModeReceiver } from '@slack/bolt';
import type { SlackFake } from './index.ts';

/** A button as people press it. */
export const BUTTONS = {
	type: 'actions',
	elements: [{ type: 'button', action_id: 'again', text: { type: 'plain_text', text: 'Again' }, value: 'again:1:x' }],
} as const;

/** An unmodified Bolt app for this Slack, by the way that Slack is set to. */
export function boltFor(slack: SlackFake, more: AppOptions = {}): App {
	const common: AppOptions = {
		token: slack.botToken,
		clientOptions: { slackApiUrl: slack.apiUrl, retryConfig: { retries: 0 }, logLevel: LogLevel.ERROR, logger: SILENT },
		logLevel: LogLevel.ERROR,
		logger: SILENT,
		deferInitialization: true,
		...more,
	};
	if (slack.settings.mode === 'http') return new App({ ...common, signingSecret: slack.signingSecret });
	const receiver = new SocketModeReceiver({
		appToken: slack.appToken,
		// The library waits as long as this before it connects again.
		clientPingTimeout: 200,
		logger: SILENT,
		installerOptions: { clientOptions: { slackApiUrl: slack.apiUrl } },
	});
	return new App({ ...common, receiver });
}

/** Starts it, and tells Slack where it is. */
export async function run(slack: SlackFake, app: App): Promise<void> {
	await app.init();
	const server = (await app.start({ port: 0, host: '127.0.0.1' } as never)) as unknown as {
		address?(): { port: number };
	};
	const address = server?.address?.();
	if (address) slack.settings.requestUrl = `http://127.0.0.1:${address.port}/slack/events`;
}

/** The error that a call is refused with. */
export const refusal = (slack: SlackFake, app: App, method: string, args: object, token = slack.botToken) =>
	app.client.apiCall(method, { token, ...args }).then(
		() => 'no refusal',
		(error) => error.data?.error ?? error,
	);

const SILENT = {
	debug() {},
	info() {},
	warn() {},
	error() {},
	setLevel() {},
	getLevel: () => LogLevel.ERROR,
	setName() {},
};
