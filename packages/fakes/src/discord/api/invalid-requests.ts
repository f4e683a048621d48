import type { Clock } from '../../clock.ts';

const WINDOW_MS = 10 * 60_000;

/**
 * Counts invalid requests: too many within ten minutes, and the address is banned. Rate limits of a resource that others share do not
 * count. https://docs.discord.com/developers/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans
 */
export class InvalidRequests {
	readonly #clock: Clock;
	#times: number[] = [];

	constructor(clock: Clock) {
		this.#clock = clock;
	}

	/** The number of invalid requests of the last ten minutes. */
	get count(): number {
		const since = this.#clock.now() - WINDOW_MS;
		this.#times = this.#times.filter((at) => at > since);
		return this.#times.length;
	}

	add(status: number, headers: Readonly<Record<string, string>> = {}): void {
		const isShared = headers['X-RateLimit-Scope'] === 'shared';
		if ([401, 403, 429].includes(status) && !isShared) this.#times.push(this.#clock.now());
	}
}
