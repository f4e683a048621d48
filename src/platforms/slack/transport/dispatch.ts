import type { App } from '@slack/bolt';
import type { CommandDescription } from '../../../domain/command.ts';
import { translatorFor } from '../../../i18n/translator.ts';
import type { Log } from '../../../log.ts';

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

/** Why a delivery was not handled. */
export type DispatchError = 'not installed' | 'unavailable' | 'failed';

/** The errors of deliveries, by their bodies. Bolt does not pass them on to the acknowledgement. */
export type DispatchErrors = Pick<WeakMap<object, DispatchError>, 'get' | 'set'>;

/** Passes every delivery through Bolt and acknowledges it once, in time, unless it could not be handled. */
export class Dispatcher {
	readonly #commands: readonly CommandDescription[];
	readonly #errors: DispatchErrors;
	readonly #acknowledgeWithinMs: number | undefined;
	readonly #log: Log;
	#app: App | undefined;

	constructor(options: {
		commands: readonly CommandDescription[];
		errors: DispatchErrors;
		acknowledgeWithinMs?: number | undefined;
		log: Log;
	}) {
		this.#commands = options.commands;
		this.#errors = options.errors;
		this.#acknowledgeWithinMs = options.acknowledgeWithinMs;
		this.#log = options.log;
	}

	init(app: App): void {
		this.#app = app;
	}

	/** Resolves when all listeners are done, which is long after the acknowledgement. Never rejects. */
	async deliver(delivery: EventDelivery): Promise<void> {
		const { body, retryNum, retryReason } = delivery;
		const acknowledgement = new Acknowledgement(delivery, kindOf(body), this.#log, this.#acknowledgeWithinMs);
		try {
			await this.#app?.processEvent({
				body,
				ack: (response?: unknown) => this.#acknowledge(body, acknowledgement, response),
				...(retryNum !== undefined && { retryNum }),
				...(retryReason !== undefined && { retryReason }),
			});
		} catch (error) {
			this.#errors.set(body, 'failed');
			this.#log.error({ err: error, kind: kindOf(body) }, 'A delivery of Slack could not be handled');
		}
		if (acknowledgement.isDone) return;
		const isUnknownCommand = this.#errors.get(body) === undefined && typeof body['command'] === 'string';
		await this.#acknowledge(body, acknowledgement, isUnknownCommand ? this.#helpAfter(body) : undefined);
	}

	/** Called by a listener, or after all of them. */
	async #acknowledge(body: EventBody, acknowledgement: Acknowledgement, response: unknown): Promise<void> {
		const error = this.#errors.get(body);
		if (error === undefined) await acknowledgement.send(response);
		else if (typeof body['command'] === 'string') await acknowledgement.send(ephemeral(sentenceOf(error)));
		// Delivered again, it would not be handled either.
		else if (error === 'not installed' && 'event' in body) await acknowledgement.send();
		else acknowledgement.decline();
	}

	/** The response to a command that the app has in Slack but not in this version. */
	#helpAfter({ command }: EventBody) {
		const t = translatorFor();
		const commands = this.#commands.map(({ name, description }) => `• \`/${name}\`: ${t.declared(description)}`);
		const first = t('help.noCommand', { command: String(command) });
		return ephemeral([first, t('help.intro'), ...commands].join('\n'));
	}
}

/** The kind of a delivery, for the log. */
export function kindOf(body: EventBody): string {
	if (typeof body['command'] === 'string') return 'command';
	const event = body['event'] as { type?: unknown } | undefined;
	return String(event?.type ?? body['type'] ?? 'unknown');
}

const ephemeral = (text: string) => ({ response_type: 'ephemeral', text });

function sentenceOf(error: DispatchError): string {
	const t = translatorFor();
	if (error === 'not installed') return t('slack.errors.notInstalled');
	if (error === 'unavailable') return t('slack.errors.store');
	return t('errors.unexpected');
}

/** Slack waits 3 s for an acknowledgement. https://docs.slack.dev/apis/events-api/#responding */
const ACKNOWLEDGE_WITHIN_MS = 2500;

/** The acknowledgement of one delivery: sent or declined once, and sent without a response when it is late. */
export class Acknowledgement {
	readonly #delivery: { acknowledge(response?: unknown): Promise<void>; decline(): void };
	readonly #log: Log;
	readonly #timer: NodeJS.Timeout;
	#isDone = false;

	/** @param kind the kind of the delivery, for the log */
	constructor(
		delivery: { acknowledge(response?: unknown): Promise<void>; decline(): void },
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

	get isDone(): boolean {
		return this.#isDone;
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
