import { createHash } from 'node:crypto';
import type { Clock } from '../../clock.ts';

/** A number of requests in a number of milliseconds. */
export type Rate = { count: number; perMs: number };

/** Creating and editing messages, per channel, as observed. https://github.com/discord/discord-api-docs/issues/20 */
export const MESSAGES: Rate = { count: 5, perMs: 5000 };

/** Responses to an interaction, per token, as observed. */
export const WEBHOOK: Rate = { count: 5, perMs: 2000 };

/**
 * Editing messages that are older than an hour, per channel, as observed.
 * https://github.com/discord/discord-api-docs/issues/4413
 */
export const OLD_EDITS: Rate = { count: 3, perMs: 20_000 };

/** All requests of a bot. https://docs.discord.com/developers/topics/rate-limits#global-rate-limit */
const GLOBAL: Rate = { count: 50, perMs: 1000 };

/** The rate-limit headers of a response, and for a refused request when to retry. */
export type RateLimitCheck = {
	headers: Record<string, string>;
	/** `retryAfter` is in seconds. */
	refused?: { retryAfter: number; global: boolean; scope: 'user' | 'global' };
};

/** Applies Discord's rate limits. https://docs.discord.com/developers/topics/rate-limits */
export class RateLimits {
	readonly #clock: Clock;
	readonly #pace: () => number;
	readonly #windows = new Map<string, { used: number; endsAt: number }>();

	/** @param pace a factor for the length of all windows */
	constructor(clock: Clock, pace: () => number) {
		this.#clock = clock;
		this.#pace = pace;
	}

	/**
	 * Counts a request.
	 *
	 * @param route the route of the bucket, such as `POST /channels/:channel/messages`
	 * @param major the id or token that has a bucket of its own
	 * @param isGlobal whether the global limit applies, as for all requests with a bot's token
	 */
	check(route: string, major: string, rate: Rate | undefined, isGlobal: boolean): RateLimitCheck {
		if (isGlobal) {
			const { free, resetAfter } = this.#count('global', GLOBAL);
			const headers = { 'X-RateLimit-Global': 'true', 'X-RateLimit-Scope': 'global' };
			if (!free) return refuse(headers, resetAfter, true);
		}
		if (!rate) return { headers: {} };
		const { free, remaining, resetAfter, resetAt } = this.#count(`${route} ${major}`, rate);
		const headers = {
			'X-RateLimit-Limit': String(rate.count),
			'X-RateLimit-Remaining': String(remaining),
			'X-RateLimit-Reset': resetAt.toFixed(3),
			'X-RateLimit-Reset-After': resetAfter.toFixed(3),
			'X-RateLimit-Bucket': createHash('md5').update(route).digest('hex'),
		};
		if (free) return { headers };
		return refuse({ ...headers, 'X-RateLimit-Scope': 'user' }, resetAfter, false);
	}

	#count(key: string, { count, perMs }: Rate) {
		const now = this.#clock.now();
		let window = this.#windows.get(key);
		if (!window || window.endsAt <= now) {
			window = { used: 0, endsAt: now + perMs * this.#pace() };
			this.#windows.set(key, window);
		}
		const free = window.used < count;
		if (free) window.used++;
		return {
			free,
			remaining: count - window.used,
			resetAfter: (window.endsAt - now) / 1000,
			resetAt: window.endsAt / 1000,
		};
	}
}

const refuse = (headers: Record<string, string>, retryAfter: number, global: boolean): RateLimitCheck => ({
	headers: { ...headers, 'Retry-After': String(Math.ceil(retryAfter * 1000) / 1000) },
	refused: { retryAfter, global, scope: global ? 'global' : 'user' },
});
