const MINUTE_MS = 60_000;
const WINDOW_MINUTES = 10;

/** Discord bans an address after this many invalid requests in ten minutes: https://docs.discord.com/developers/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans */
const LIMIT = 10_000;

/** Left for interactions, and for other processes of the same address. */
const RESERVE = 1000;

export type InvalidRequestOptions = { limit: number; reserve: number };

/** Counts the invalid requests of this process in the last ten minutes, by minute. */
export class InvalidRequests {
	readonly #max: number;
	readonly #now: () => number;
	/** By the number of the minute, modulo the window. */
	readonly #minutes = Array.from({ length: WINDOW_MINUTES + 1 }, () => ({ minute: 0, count: 0 }));

	/** @param now Unix milliseconds */
	constructor({ limit, reserve }: InvalidRequestOptions = { limit: LIMIT, reserve: RESERVE }, now = Date.now) {
		this.#max = limit - reserve;
		this.#now = now;
	}

	/** The count of the last ten minutes, and of the rest of the minute before them. */
	get count(): number {
		const first = this.#minute - WINDOW_MINUTES;
		return this.#minutes.reduce((sum, { minute, count }) => (minute >= first ? sum + count : sum), 0);
	}

	/** Tells whether only the reserve is left. */
	get isExhausted(): boolean {
		return this.count >= this.#max;
	}

	/** Counts a response, if it makes its request invalid. A rate limit of a resource that others share does not. */
	add({ status, headers }: { status: number; headers: Pick<Headers, 'get'> }): boolean {
		const isInvalid = [401, 403, 429].includes(status) && headers.get('X-RateLimit-Scope') !== 'shared';
		if (!isInvalid) return false;
		const minute = this.#minute;
		const slot = this.#minutes[minute % this.#minutes.length];
		if (slot) Object.assign(slot, { minute, count: slot.minute === minute ? slot.count + 1 : 1 });
		return true;
	}

	get #minute(): number {
		return Math.floor(this.#now() / MINUTE_MS);
	}
}
