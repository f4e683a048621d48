import type { Service } from '../../service/service.ts';

/** How long the list is cached, and how long no new attempt is made after a failure. */
const CACHE_MS = 5 * 60_000;
const RETRY_AFTER_MS = 15_000;

/** The most completions that Discord shows. https://docs.discord.com/developers/interactions/application-commands */
const MAX_COMPLETIONS = 25;

/** Returns the models whose names contain a text; those that begin with it come first. Empty when the service does not list them. */
export type ModelNames = (typed: string) => Promise<string[]>;

export function createModelNames(service: Pick<Service, 'models'>, signal: AbortSignal, now: () => number): ModelNames {
	let names: Promise<string[]> = Promise.resolve([]);
	let cachedUntil = Number.NEGATIVE_INFINITY;

	function list(): Promise<string[]> {
		if (now() < cachedUntil) return names;
		cachedUntil = now() + CACHE_MS;
		names = service.models(signal).catch(() => {
			cachedUntil = now() + RETRY_AFTER_MS;
			return [];
		});
		return names;
	}

	return async (typed) => {
		const text = typed.trim().toLowerCase();
		const matching = (await list()).filter((name) => name.toLowerCase().includes(text));
		const rank = (name: string) => (name.toLowerCase().startsWith(text) ? 0 : 1);
		return matching.toSorted((a, b) => rank(a) - rank(b)).slice(0, MAX_COMPLETIONS);
	};
}
