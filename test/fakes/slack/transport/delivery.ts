import type { Delivery, Parcel, Slack } from '../context.ts';

export type Attempt = { number: number; reason?: string };

export type Outcome = {
	ok: boolean;
	/** `closed`: the connection went; `refused`: as it ought to be. */
	reason?: 'timeout' | 'closed' | 'unreachable' | 'error' | 'refused';
	body?: unknown;
};

/** One of the two ways to an application. */
export type Carrier = {
	reachable(): boolean;
	whenReachable(): Promise<void>;
	send(parcel: Parcel, attempt: Attempt): Promise<Outcome>;
};

/** https://docs.slack.dev/interactivity/handling-user-interaction#acknowledgment_response */
const ACKNOWLEDGE_WITHIN_MS = 3000;
/** Events are tried again nearly at once, after a minute, after five. https://docs.slack.dev/apis/events-api/#retries */
const RETRY_AFTER_MS = [0, 60_000, 300_000];

/** Brings things to the application by the way that is set, and sees to it that it answers in time. */
export function createDelivery(slack: () => Slack, ways: Record<'socket' | 'http', Carrier>): Delivery {
	const way = () => ways[slack().settings.mode];

	async function once(parcel: Parcel, attempt: Attempt): Promise<Outcome> {
		const { clock, violate } = slack();
		const { promise: late, resolve } = Promise.withResolvers<Outcome>();
		let over = false;
		clock.after(ACKNOWLEDGE_WITHIN_MS, () => {
			if (!over) violate(`${parcel.name} was not acknowledged within 3 s`);
			resolve({ ok: false, reason: 'timeout' });
		});
		const outcome = await Promise.race([way().send(parcel, attempt), late]);
		over = true;
		if (outcome.reason === 'error') violate(`${parcel.name} was answered with ${outcome.body}`);
		return outcome;
	}

	async function untilTaken(parcel: Parcel): Promise<Outcome> {
		let attempt: Attempt = { number: 0 };
		for (;;) {
			await way().whenReachable();
			const outcome = await once(parcel, attempt);
			const wait = RETRY_AFTER_MS[attempt.number];
			if (outcome.ok || outcome.reason === 'refused' || wait === undefined) return outcome;
			attempt = { number: attempt.number + 1, reason: outcome.reason ?? 'error' };
			const { clock, settings } = slack();
			if (wait > 0) await new Promise<void>((resolve) => clock.after(wait * settings.pace, resolve));
		}
	}

	return {
		reachable: () => way().reachable(),
		deliver: (parcel) => (parcel.kind === 'events_api' ? untilTaken(parcel) : once(parcel, { number: 0 })),
	};
}
