import { App, AuthorizationError, type AuthorizeResult, type AuthorizeSourceData, type Context } from '@slack/bolt';
import { translatorFor } from '../../../i18n/translator.ts';
import type { Log } from '../../../log.ts';
import { SILENT, tryOnce } from '../api/calls.ts';
import { codeOf } from '../api/slack-errors.ts';
import type { Installations } from '../installation/workspaces.ts';

/** A delivery: an event, a command, or the use of a button, a shortcut or a form. */
export type Delivery = Record<string, unknown>;

/**
 * What Slack is answered: an acknowledgement, for a form or a command with a response. Slack delivers a declined event again, and tells
 * people that a command or a form failed.
 */
export type Answer = { response?: unknown } | 'declined';

/** Passes a delivery through Bolt. Resolves with its one answer, in time, while the listeners may go on. Never rejects. */
export type Deliver = (delivery: Delivery) => Promise<Answer>;

/** Slack waits 3 s for an acknowledgement. https://docs.slack.dev/apis/events-api/#responding */
const ACKNOWLEDGE_WITHIN_MS = 2500;

/**
 * Returns the server that a delivery is for: the id of the organization or workspace whose installation it belongs to. Bolt's own
 * `client` has no token; calls go by `Slack.call`, with the token of this server.
 */
export const serverOf = (context: Context): string => String(context['server']);

/**
 * Acknowledges an event, whose request is stored now. Without this, an event is acknowledged when its listeners have ended, so that Slack
 * delivers it again where the process ends before.
 */
export const acknowledge = (context: Context): void => (context['acknowledge'] as () => void)();

/** Thrown for a delivery of a workspace where the app is not installed. */
const NOT_INSTALLED = new Error('The app is not installed');

/**
 * Creates Bolt's App, and what passes deliveries to it. Listeners find the `server` of the installation that a delivery is for in `context`,
 * and no token: a token in `context` could reach the wrong workspace, and the library keeps a client for every token it sees.
 */
export function createApp(
	installations: Installations,
	apiUrl: string,
	log: Log,
	acknowledgeWithinMs = ACKNOWLEDGE_WITHIN_MS,
): { app: App; deliver: Deliver } {
	const app = new App({
		// Deliveries come by `SlackTransport`.
		receiver: { init() {}, start: async () => {}, stop: async () => {} },
		authorize: (source, body) => authorize(installations, source, body as Delivery),
		deferInitialization: true,
		// The core keeps conversations.
		convoStore: false,
		ignoreSelf: true,
		logger: SILENT,
		clientOptions: tryOnce(apiUrl),
	});
	app.error((error) => Promise.reject(error));
	const deliver = (body: Delivery) => {
		// An envelope may have nothing in it. https://github.com/slackapi/node-slack-sdk/issues/2167
		if (typeof body !== 'object' || body === null) return Promise.resolve<Answer>({});
		const { promise, resolve } = Promise.withResolvers<Answer>();
		const late = setTimeout(() => {
			log.warn({ kind: kindOf(body) }, 'A delivery of Slack was not handled in time');
			resolve({});
		}, acknowledgeWithinMs);
		const answer = (given: Answer) => {
			clearTimeout(late);
			resolve(given);
		};
		// Bolt acknowledges an event before its listeners.
		const ack = async (response?: unknown) => ('event' in body ? undefined : answer({ response }));
		app.processEvent({ body, ack, customProperties: { acknowledge: () => answer({}) } }).then(
			// A delivery without a listener is acknowledged as well.
			() => answer({}),
			(error: unknown) => answer(answerToFailure(body, error, log)),
		);
		return promise;
	};
	return { app, deliver };
}

/**
 * Finds the installation that a delivery is for. One for a whole organization goes by the organization. In a channel that workspaces share,
 * `team` is the workspace of the person who pressed a button; the message names the workspace of the app.
 */
async function authorize(
	installations: Installations,
	{ isEnterpriseInstall, enterpriseId, teamId }: AuthorizeSourceData<boolean>,
	body: Delivery,
): Promise<AuthorizeResult> {
	const message = body['message'] as { team?: string; bot_id?: unknown } | undefined;
	const ownMessage = body['type'] === 'block_actions' && message?.bot_id ? message.team : undefined;
	for (const server of isEnterpriseInstall ? [enterpriseId] : [ownMessage, teamId]) {
		const found = typeof server === 'string' && (await installations.of(server));
		if (found) return { server: found.server, botId: found.bot, botUserId: found.botUser };
	}
	throw NOT_INSTALLED;
}

/** Logs why a delivery could not be handled. */
function answerToFailure(body: Delivery, error: unknown, log: Log): Answer {
	// Bolt wraps what a listener or `authorize` throws.
	const cause = error instanceof Error && 'original' in error ? error.original : error;
	const isUnknown = cause === NOT_INSTALLED;
	const kind = kindOf(body);
	if (isUnknown) log.warn({ kind }, 'Slack sent a delivery of a workspace where the app is not installed');
	else log.error({ err: cause, slack: codeOf(cause), kind }, 'A delivery of Slack could not be handled');
	const unauthorized = isUnknown ? 'slack.errors.notInstalled' : 'slack.errors.store';
	const sentence = error instanceof AuthorizationError ? unauthorized : 'errors.unexpected';
	if (kind === 'command') return { response: { response_type: 'ephemeral', text: translatorFor()(sentence) } };
	// Delivered again, it would not be handled either.
	return isUnknown && 'event' in body ? {} : 'declined';
}

function kindOf(body: Delivery): string {
	if (typeof body['command'] === 'string') return 'command';
	const event = body['event'] as { type?: unknown } | undefined;
	return String(event?.type ?? body['type'] ?? 'unknown');
}
