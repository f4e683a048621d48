import type { App } from '@slack/bolt';
import type { CommandDescription } from '../../../domain/command.ts';
import { translatorFor } from '../../../i18n/translator.ts';
import type { Log } from '../../../log.ts';

/** Slack wants to hear within 3 s that something has come. https://docs.slack.dev/apis/events-api/#responding */
const ACKNOWLEDGE_WITHIN_MS = 2500;

/** What Slack sends: an event, a command, or what somebody did with a button, a shortcut or a form. */
export type EventBody = Record<string, unknown>;

/** One delivery, by a socket or by HTTP. */
export type EventDelivery = {
	body: EventBody;
	/** Of Slack's tries to deliver this one, the how-manieth again. */
	retryNum?: number | undefined;
	retryReason?: string | undefined;
	/** Acknowledges it, with what a form or a command gets to see. Called at most once, and not after `decline`. */
	acknowledge(response?: unknown): Promise<void>;
	/** Leaves it unacknowledged: Slack delivers an event again, and tells people that a command or a form did not get through. */
	decline(): void;
};

/** Why nobody has taken a delivery. */
export type DispatchError = 'not installed' | 'unavailable' | 'failed';

/** What became of bodies that were let in nowhere; written where it happens, read where Slack is answered. */
export type DispatchErrors = Pick<WeakMap<object, DispatchError>, 'get' | 'set'>;

export type Dispatch = {
	init(app: App): void;
	/** Never rejects. Resolves when all who listen are done, which is long after the acknowledgement. */
	deliver(delivery: EventDelivery): Promise<void>;
};

/** The way of every delivery through Bolt: acknowledged once, in time, and never for what could not be taken. */
export function createDispatch(options: {
	commands: readonly CommandDescription[];
	troubles: DispatchErrors;
	acknowledgeWithinMs?: number | undefined;
	log: Log;
}): Dispatch {
	const { commands, troubles, log } = options;
	let app: App | undefined;

	return {
		init(theApp) {
			app = theApp;
		},

		async deliver({ body, retryNum, retryReason, acknowledge, decline }) {
			let answered = false;
			const answer = async (response?: unknown) => {
				if (answered) return;
				answered = true;
				clearTimeout(timer);
				// The connection may have gone meanwhile. What was asked for is done all the same.
				await Promise.resolve(acknowledge(response)).catch((error: unknown) =>
					log.warn({ err: error }, 'An acknowledgement did not get through to Slack'),
				);
			};
			const timer = setTimeout(() => {
				log.warn({ kind: kindOf(body) }, 'Nobody had acknowledged a delivery of Slack in time');
				void answer();
			}, options.acknowledgeWithinMs ?? ACKNOWLEDGE_WITHIN_MS);
			const ack = async (response?: unknown) => {
				const trouble = troubles.get(body);
				if (trouble === undefined) return answer(response);
				if (typeof body['command'] === 'string') return answer(privately(sentenceOf(trouble)));
				if (trouble === 'not installed' && 'event' in body) return answer();
				answered = true;
				clearTimeout(timer);
				decline();
			};
			try {
				await app?.processEvent({
					body,
					ack,
					...(retryNum !== undefined && { retryNum }),
					...(retryReason !== undefined && { retryReason }),
				});
			} catch (error) {
				troubles.set(body, 'failed');
				log.error({ err: error, kind: kindOf(body) }, 'A delivery of Slack could not be handled');
			}
			if (answered) return;
			if (troubles.get(body) === undefined && typeof body['command'] === 'string')
				return answer(privately(helpAfter(body['command'], commands)));
			await ack();
		},
	};
}

/** What a delivery is, without what is in it. */
export function kindOf(body: EventBody): string {
	if (typeof body['command'] === 'string') return 'command';
	const event = body['event'] as { type?: unknown } | undefined;
	return String(event?.type ?? body['type'] ?? 'unknown');
}

const privately = (text: string) => ({ response_type: 'ephemeral', text });

function sentenceOf(trouble: DispatchError): string {
	const t = translatorFor();
	if (trouble === 'not installed')
		return t('Easel is not installed in this workspace any more; an admin has to install it once more.');
	if (trouble === 'unavailable')
		return t('Slack or the store does not answer right now; nothing was counted. Try again in a minute.');
	return t('Something went wrong in Easel; nothing was counted. Try once more.');
}

/** For a command that the app was given in Slack, but that this version does not have. */
function helpAfter(command: string, commands: readonly CommandDescription[]): string {
	const t = translatorFor();
	const known = commands.map(({ name, description }) => `• \`/${name}\`: ${t.declared(description)}`);
	return [t('There is no command {command}.', { command }), t('Here is what I can do:'), ...known].join('\n');
}
