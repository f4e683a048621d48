import {
	App,
	AuthorizationError,
	type AuthorizeResult,
	type AuthorizeSourceData,
	type Context,
	type Receiver,
} from '@slack/bolt';
import type { Log } from '../../../log.ts';
import { tryOnce } from '../api/client-options.ts';
import { libraryLog } from '../api/library-log.ts';
import { codeOf } from '../api/slack-errors.ts';
import type { Installation, Installations } from '../installation/installation.ts';
import { type DispatchErrors, type EventBody, kindOf } from './dispatch.ts';

/**
 * Whose caps an event comes under, from Bolt's `context`, where it was written when the event was let in. Bolt's own `client`
 * has no token, so that none is used for another workspace: calls go by `Web`.
 */
export const serverOf = (context: Context): string => String(context['server']);

/**
 * Bolt's App behind a receiver of ours. What comes in is let in by where the bot is installed, and under that installation's
 * `server` alone. It is given no token: neither can one get to where it does not belong, nor do the clients pile up that the
 * library makes for every token it sees.
 */
export function createApp(options: {
	receiver: Receiver;
	installations: Installations;
	troubles: DispatchErrors;
	apiUrl: string;
	log: Log;
}): App {
	const { receiver, installations, troubles, apiUrl, log } = options;

	async function authorize(source: AuthorizeSourceData<boolean>, body: EventBody): Promise<AuthorizeResult> {
		try {
			const installed = await firstInstalled(serversOf(source, body));
			if (installed) return { server: installed.server, botId: installed.bot, botUserId: installed.botUser };
			troubles.set(body, 'not installed');
		} catch (error) {
			troubles.set(body, 'unavailable');
			throw error;
		}
		throw new NotInstalled();
	}

	async function firstInstalled(servers: readonly string[]): Promise<Installation | undefined> {
		for (const server of servers) {
			const installed = await installations.of(server);
			if (installed) return installed;
		}
		return undefined;
	}

	const app = new App({
		receiver,
		authorize: (source, body) => authorize(source, body as EventBody),
		deferInitialization: true,
		// Nothing is kept of conversations here: the core does that.
		convoStore: false,
		ignoreSelf: true,
		extendedErrorHandler: true,
		logger: libraryLog(log),
		clientOptions: tryOnce(apiUrl, log),
	});
	app.error(async ({ error, body }: ExtendedErrorHandlerArgs) => {
		const cause = 'original' in error && error.original instanceof Error ? error.original : error;
		if (error instanceof AuthorizationError && cause instanceof NotInstalled) {
			log.warn(
				{ kind: kindOf(body as EventBody) },
				'Slack delivered something of a workspace where the app is not installed',
			);
			return;
		}
		if (troubles.get(body) === undefined) troubles.set(body, 'failed');
		log.error(
			{ err: cause, slack: codeOf(cause), kind: kindOf(body as EventBody) },
			'A delivery of Slack could not be handled',
		);
	});
	return app;
}

/** The library has this type, and does not let it out. */
type ExtendedErrorHandlerArgs = { error: Error; body: object };

class NotInstalled extends Error {
	override name = 'NotInstalled';
}

/**
 * Whose installation a delivery may be for, the likeliest first. An installation for a whole organisation goes by the organisation.
 * In channels that are shared between workspaces, `team` is who pressed: the form or the message says whose app it is.
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
