import { App, type AppOptions, LogLevel, SocketModeReceiver } from '@slack/bolt';
import type { SlackFake } from './index.ts';

/** A block with a button. */
export const BUTTONS = {
	type: 'actions',
	elements: [{ type: 'button', action_id: 'again', text: { type: 'plain_text', text: 'Again' }, value: 'again:1:x' }],
} as const;

/** Returns an unmodified Bolt app for a fake, with its transport. */
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
		// The library also waits this long before it reconnects.
		clientPingTimeout: 200,
		logger: SILENT,
		installerOptions: { clientOptions: { slackApiUrl: slack.apiUrl } },
	});
	return new App({ ...common, receiver });
}

/** Starts an app, and sets its address in the fake. */
export async function run(slack: SlackFake, app: App): Promise<void> {
	await app.init();
	const server = (await app.start({ port: 0, host: '127.0.0.1' } as never)) as unknown as {
		address?(): { port: number };
	};
	const address = server?.address?.();
	if (address) slack.settings.requestUrl = `http://127.0.0.1:${address.port}/slack/events`;
}

/** Returns the error of a call. */
export const errorOf = (slack: SlackFake, app: App, method: string, args: object, token = slack.botToken) =>
	app.client.apiCall(method, { token, ...args }).then(
		() => 'no error',
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
