import { createHash } from 'node:crypto';
import type { Clock } from '../clock.ts';

/** So many requests in so many milliseconds. */
export type Rate = { count: number; perMs: number };

/** Each channel's creating and editing of messages, as seen. https://github.com/discord/discord-api-docs/issues/20 */
export const MESSAGES: Rate = { count: 5, perMs: 5000 };

/** Each interaction's token, as seen. */
export const WEBHOOK: Rate = { count: 5, perMs: 2000 };

/** All of a bot's requests. https://docs.discord.com/developers/topics/rate-limits#global-rate-limit */
const GLOBAL: Rate = { count: 50, perMs: 1000 };

/** What to answer: headers, and how long to wait when there were too many. */
export type Verdict = {
	headers: Record<string, string>;
	refused?: { retryAfter: number; global: boolean; scope: 'user' | 'global' };
};

/** Counts requests. https://docs.discord.com/developers/topics/rate-limits */
export function createRateLimits(clock: Clock, pace: () => number) {
	const windows = new Map<string, { used: number; endsAt: number }>();

	function enter(key: string, { count, perMs }: Rate) {
		const now = clock.now();
		let window = windows.get(key);
		if (!window || window.endsAt <= now) {
			window = { used: 0, endsAt: now + perMs * pace() };
			windows.set(key, window);
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

	return {
		/**
		 * @param route the bucket's route, such as `POST /channels/:channel/messages`
		 * @param major the id or token that the route's limit is counted by
		 * @param counted whether the global limit counts it, as it does all that carries a bot's token
		 */
		check(route: string, major: string, rate: Rate | undefined, counted: boolean): Verdict {
			if (counted) {
				const global = enter('global', GLOBAL);
				if (!global.free) {
					const headers = { 'X-RateLimit-Global': 'true', 'X-RateLimit-Scope': 'global' };
					return refuse(headers, global.resetAfter, true);
				}
			}
			if (!rate) return { headers: {} };
			const { free, remaining, resetAfter, resetAt } = enter(`${route} ${major}`, rate);
			const headers = {
				'X-RateLimit-Limit': String(rate.count),
				'X-RateLimit-Remaining': String(remaining),
				'X-RateLimit-Reset': resetAt.toFixed(3),
				'X-RateLimit-Reset-After': resetAfter.toFixed(3),
				'X-RateLimit-Bucket': createHash('md5').update(route).digest('hex'),
			};
			if (free) return { headers };
			return refuse({ ...headers, 'X-RateLimit-Scope': 'user' }, resetAfter, false);
		},
	};
}

const refuse = (headers: Record<string, string>, retryAfter: number, global: boolean): Verdict => ({
	headers: { ...headers, 'Retry-After': String(Math.ceil(retryAfter * 1000) / 1000) },
	refused: { retryAfter, global, scope: global ? 'global' : 'user' },
});
