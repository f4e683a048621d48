import type { Easel } from '../../easel.ts';

/** How long the list is cached, and how long no new attempt is made after a failure. */
const CACHE_MS = 5 * 60_000;
const RETRY_AFTER_MS = 15_000;

/** The most completions that Discord shows. https://docs.discord.com/developers/interactions/application-commands */
const MAX_COMPLETIONS = 25;

/** The names of the service's models, which it may not list. */
export class ModelNames {
	readonly #easel: Easel;
	#names: Promise<string[]> = Promise.resolve([]);
	#cachedUntil = Number.NEGATIVE_INFINITY;

	constructor(easel: Easel) {
		this.#easel = easel;
	}

	/** Returns the models whose names contain a text; those that begin with it come first. */
	async complete(typed: string): Promise<string[]> {
		const text = typed.trim().toLowerCase();
		const matching = (await this.#list()).filter((name) => name.toLowerCase().includes(text));
		const rank = (name: string) => (name.toLowerCase().startsWith(text) ? 0 : 1);
		return matching.toSorted((a, b) => rank(a) - rank(b)).slice(0, MAX_COMPLETIONS);
	}

	#list(): Promise<string[]> {
		const { service, stopping, now } = this.#easel;
		if (now() < this.#cachedUntil) return this.#names;
		this.#cachedUntil = now() + CACHE_MS;
		this.#names = service.models(stopping).catch(() => {
			this.#cachedUntil = now() + RETRY_AFTER_MS;
			return [];
		});
		return this.#names;
	}
}
