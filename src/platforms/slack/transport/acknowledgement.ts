import type { Log } from '../../../log.ts';

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
