import type { Slack } from '../context.ts';
import type { Delivery, Envelope } from './envelope.ts';

/** A delivery of an envelope: 0 is the first, the others are retries. */
export type Attempt = { number: number; reason?: string };

export type Outcome = {
	ok: boolean;
	/** `closed`: the connection closed meanwhile; `refused`: as the application should. */
	reason?: 'timeout' | 'closed' | 'unreachable' | 'error' | 'refused';
	body?: unknown;
};

/** Socket Mode or HTTP. */
export type Transport = {
	reachable(): boolean;
	whenReachable(): Promise<void>;
	send(envelope: Envelope, attempt: Attempt): Promise<Outcome>;
};

/** https://docs.slack.dev/interactivity/handling-user-interaction#acknowledgment_response */
const ACKNOWLEDGE_WITHIN_MS = 3000;
/** Events are retried nearly at once, after a minute and after five. https://docs.slack.dev/apis/events-api/#retries */
const RETRY_AFTER_MS = [0, 60_000, 300_000];

/** Delivers envelopes by the transport of the settings, and records those that are not acknowledged in time. */
export function createDelivery(slack: () => Slack, transports: Record<'socket' | 'http', Transport>): Delivery {
	const transport = () => transports[slack().settings.mode];

	async function deliverOnce(envelope: Envelope, attempt: Attempt): Promise<Outcome> {
		const { clock, violate } = slack();
		const { promise: late, resolve } = Promise.withResolvers<Outcome>();
		let over = false;
		clock.after(ACKNOWLEDGE_WITHIN_MS, () => {
			if (!over) violate(`${envelope.name} was not acknowledged within 3 s`);
			resolve({ ok: false, reason: 'timeout' });
		});
		const outcome = await Promise.race([transport().send(envelope, attempt), late]);
		over = true;
		if (outcome.reason === 'error') violate(`${envelope.name} was answered with ${outcome.body}`);
		return outcome;
	}

	async function deliverWithRetries(envelope: Envelope): Promise<Outcome> {
		let attempt: Attempt = { number: 0 };
		for (;;) {
			await transport().whenReachable();
			const outcome = await deliverOnce(envelope, attempt);
			const wait = RETRY_AFTER_MS[attempt.number];
			if (outcome.ok || outcome.reason === 'refused' || wait === undefined) return outcome;
			attempt = { number: attempt.number + 1, reason: outcome.reason ?? 'error' };
			const { clock, settings } = slack();
			if (wait > 0) await new Promise<void>((resolve) => clock.after(wait * settings.pace, resolve));
		}
	}

	return {
		reachable: () => transport().reachable(),
		deliver: (envelope) =>
			envelope.kind === 'events_api' ? deliverWithRetries(envelope) : deliverOnce(envelope, { number: 0 }),
	};
}
