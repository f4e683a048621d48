import { App, AuthorizationError, type AuthorizeResult, type AuthorizeSourceData, type Context } from '@slack/bolt';
import type { Log } from '../../../log.ts';
import { libraryLog, tryOnce } from '../api/library.ts';
import { codeOf } from '../api/slack-errors.ts';
import type { Installation, Installations } from '../installation/installation.ts';
import { type DispatchErrors, type Dispatcher, type EventBody, kindOf } from './dispatch.ts';

/**
 * Returns the server that a delivery is for: the id of the organization or workspace whose installation it belongs to. Bolt's own
 * `client` has no token; calls go by `Web`, with the token of this server.
 */
export const serverOf = (context: Context): string => String(context['server']);

type AppOptions = {
	dispatcher: Dispatcher;
	installations: Installations;
	/** Records why a delivery was not authorized or failed. */
	errors: DispatchErrors;
	apiUrl: string;
	log: Log;
};

/**
 * Creates Bolt's App. Listeners find the `server` of the installation that a delivery is for in `context`, and no token: a token in
 * `context` could reach the wrong workspace, and the library keeps a client for every token it sees.
 */
export function createApp(options: AppOptions): App {
	const { dispatcher, apiUrl, log } = options;
	const app = new App({
		// Deliveries come by the lines of `SlackConnection`.
		receiver: { init: (created) => dispatcher.init(created), start: async () => {}, stop: async () => {} },
		authorize: (source, body) => authorize(options, source, body as EventBody),
		deferInitialization: true,
		// The core keeps conversations.
		convoStore: false,
		ignoreSelf: true,
		extendedErrorHandler: true,
		logger: libraryLog(log),
		clientOptions: tryOnce(apiUrl, log),
	});
	app.error(async (failed: ExtendedErrorHandlerArgs) => handleError(options, failed));
	return app;
}

async function authorize(
	{ installations, errors }: AppOptions,
	source: AuthorizeSourceData<boolean>,
	body: EventBody,
): Promise<AuthorizeResult> {
	try {
		const found = await firstInstalled(installations, serversOf(source, body));
		if (found) return { server: found.server, botId: found.bot, botUserId: found.botUser };
		errors.set(body, 'not installed');
	} catch (error) {
		errors.set(body, 'unavailable');
		throw error;
	}
	throw new NotInstalledError();
}

async function firstInstalled(
	installations: Installations,
	servers: readonly string[],
): Promise<Installation | undefined> {
	for (const server of servers) {
		const installation = await installations.of(server);
		if (installation) return installation;
	}
	return undefined;
}

/**
 * Returns the servers that a delivery may be for, the most likely first. An installation for a whole organization goes by the
 * organization. In a channel that workspaces share, `team` is the workspace of the person who pressed a button; the message names the
 * workspace of the app.
 */
function serversOf(
	{ isEnterpriseInstall, enterpriseId, teamId }: AuthorizeSourceData<boolean>,
	body: EventBody,
): string[] {
	if (isEnterpriseInstall) return enterpriseId ? [enterpriseId] : [];
	const message = body['message'] as { team?: unknown; bot_id?: unknown } | undefined;
	const ownMessage = body['type'] === 'block_actions' && message?.bot_id ? message.team : undefined;
	const servers = [ownMessage, teamId].filter((id): id is string => typeof id === 'string');
	return [...new Set(servers)];
}

/** The library has this type and does not export it. */
type ExtendedErrorHandlerArgs = { error: Error; body: object };

function handleError({ errors, log }: AppOptions, { error, body }: ExtendedErrorHandlerArgs): void {
	const cause = 'original' in error && error.original instanceof Error ? error.original : error;
	const kind = kindOf(body as EventBody);
	if (error instanceof AuthorizationError && cause instanceof NotInstalledError) {
		log.warn({ kind }, 'Slack sent a delivery of a workspace where the app is not installed');
		return;
	}
	if (errors.get(body) === undefined) errors.set(body, 'failed');
	log.error({ err: cause, slack: codeOf(cause), kind }, 'A delivery of Slack could not be handled');
}

class NotInstalledError extends Error {
	override name = 'NotInstalledError';
}
