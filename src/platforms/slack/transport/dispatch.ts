import { App, AuthorizationError, type AuthorizeResult, type AuthorizeSourceData, type Context } from '@slack/bolt';
import { translatorFor } from '../../../i18n/translator.ts';
import type { Log } from '../../../log.ts';
import { libraryLog, tryOnce } from '../api/library.ts';
import { codeOf } from '../api/slack-errors.ts';
import type { Installations } from '../installation/installation.ts';

/** The body of a delivery: an event, a command, or the use of a button, a shortcut or a form. */
export type EventBody = Record<string, unknown>;

/** A delivery, by a socket or by HTTP. */
export type EventDelivery = {
	body: EventBody;
	/** How often Slack has tried to deliver this one before. */
	retryNum?: number | undefined;
	retryReason?: string | undefined;
	/** Acknowledges the delivery, with the response to a form or a command. Called at most once, and not after `decline`. */
	acknowledge(response?: unknown): Promise<void>;
	/** Leaves it unacknowledged: Slack delivers an event again, and tells people that a command or a form failed. */
	decline(): void;
};

/** What deliveries come by, until it ends: a connection, or the time in which requests are taken. */
export type Line = { ended: Promise<void> };

/**
 * Returns the server that a delivery is for: the id of the organization or workspace whose installation it belongs to. Bolt's own
 * `client` has no token; calls go by `Slack.call`, with the token of this server.
 */
export const serverOf = (context: Context): string => String(context['server']);

/** Thrown for a delivery of a workspace where the app is not installed. */
class NotInstalledError extends Error {
	override name = 'NotInstalledError';
}

/**
 * Creates Bolt's App. Listeners find the `server` of the installation that a delivery is for in `context`, and no token: a token in
 * `context` could reach the wrong workspace, and the library keeps a client for every token it sees. `processEvent` rejects with what a
 * listener throws, and with an `AuthorizationError` for a delivery that is for no installation.
 */
export function createApp(options: { installations: Installations; apiUrl: string; log: Log }): App {
	const { installations, apiUrl, log } = options;
	const app = new App({
		// Deliveries come by the lines of `SlackConnection`.
		receiver: { init() {}, start: async () => {}, stop: async () => {} },
		authorize: (source, body) => authorize(installations, source, body as EventBody),
		deferInitialization: true,
		// The core keeps conversations.
		convoStore: false,
		ignoreSelf: true,
		logger: libraryLog(log),
		clientOptions: tryOnce(apiUrl, log),
	});
	app.error((error) => Promise.reject(error));
	return app;
}

async function authorize(
	installations: Installations,
	source: AuthorizeSourceData<boolean>,
	body: EventBody,
): Promise<AuthorizeResult> {
	for (const server of serversOf(source, body)) {
		const found = await installations.of(server);
		if (found) return { server: found.server, botId: found.bot, botUserId: found.botUser };
	}
	throw new NotInstalledError();
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

type DispatcherOptions = { app: App; acknowledgeWithinMs?: number | undefined; log: Log };

/** Passes every delivery through Bolt and acknowledges it once, in time, unless it could not be handled. */
export class Dispatcher {
	readonly #options: DispatcherOptions;

	constructor(options: DispatcherOptions) {
		this.#options = options;
	}

	/** Resolves when all listeners are done, which is long after the acknowledgement. Never rejects. */
	async deliver(delivery: EventDelivery): Promise<void> {
		const { app, acknowledgeWithinMs, log } = this.#options;
		const { body, retryNum, retryReason } = delivery;
		const acknowledgement = new Acknowledgement(delivery, kindOf(body), log, acknowledgeWithinMs);
		try {
			await app.processEvent({
				body,
				ack: (response?: unknown) => acknowledgement.send(response),
				...(retryNum !== undefined && { retryNum }),
				...(retryReason !== undefined && { retryReason }),
			});
			// A delivery without a listener.
			await acknowledgement.send();
		} catch (error) {
			const cause = original(error);
			const isUnknown = cause instanceof NotInstalledError;
			const kind = kindOf(body);
			if (isUnknown) log.warn({ kind }, 'Slack sent a delivery of a workspace where the app is not installed');
			else log.error({ err: cause, slack: codeOf(cause), kind }, 'A delivery of Slack could not be handled');
			const unauthorized = isUnknown ? 'slack.errors.notInstalled' : 'slack.errors.store';
			const sentence = error instanceof AuthorizationError ? unauthorized : 'errors.unexpected';
			if (kind === 'command')
				await acknowledgement.send({ response_type: 'ephemeral', text: translatorFor()(sentence) });
			// Delivered again, it would not be handled either.
			else if (isUnknown && 'event' in body) await acknowledgement.send();
			else acknowledgement.decline();
		}
	}
}

/** The kind of a delivery, for the log. */
function kindOf(body: EventBody): string {
	if (typeof body['command'] === 'string') return 'command';
	const event = body['event'] as { type?: unknown } | undefined;
	return String(event?.type ?? body['type'] ?? 'unknown');
}

/** Returns the error that Bolt has wrapped. */
const original = (error: unknown): unknown =>
	error instanceof Error && 'original' in error && error.original instanceof Error ? error.original : error;

/** Slack waits 3 s for an acknowledgement. https://docs.slack.dev/apis/events-api/#responding */
const ACKNOWLEDGE_WITHIN_MS = 2500;

/** The acknowledgement of one delivery: sent or declined once, and sent without a response when it is late. */
export class Acknowledgement {
	readonly #delivery: Pick<EventDelivery, 'acknowledge' | 'decline'>;
	readonly #log: Log;
	readonly #timer: NodeJS.Timeout;
	#isDone = false;

	/** @param kind the kind of the delivery, for the log */
	constructor(
		delivery: Pick<EventDelivery, 'acknowledge' | 'decline'>,
		kind: string,
		log: Log,
		withinMs = ACKNOWLEDGE_WITHIN_MS,
	) {
		this.#delivery = delivery;
		this.#log = log;
		this.#timer = setTimeout(() => {
			log.warn({ kind }, 'No listener acknowledged a delivery of Slack in time');
			void this.send();
		}, withinMs);
	}

	/** Never rejects: the connection may be gone, and the delivery is handled all the same. */
	async send(response?: unknown): Promise<void> {
		if (!this.#finish()) return;
		try {
			await this.#delivery.acknowledge(response);
		} catch (error) {
			this.#log.warn({ err: error }, 'An acknowledgement did not reach Slack');
		}
	}

	decline(): void {
		if (this.#finish()) this.#delivery.decline();
	}

	/** Returns true the first time. */
	#finish(): boolean {
		if (this.#isDone) return false;
		this.#isDone = true;
		clearTimeout(this.#timer);
		return true;
	}
}
