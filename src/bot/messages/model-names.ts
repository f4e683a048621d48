import type { Service } from '../../service/service.ts';

/** How long the list is taken to be right, and how long after a failure it is asked for anew. */
const FRESH_MS = 5 * 60_000;
const AFTER_FAILURE_MS = 15_000;

/** Discord's limit of completions: https://docs.discord.com/developers/interactions/application-commands */
const MOST = 25;

/** Names of models that hold what is typed; those that begin with it come first. None when the service does not tell. */
export type ModelNames = (typed: string) => Promise<string[]>;

export function createModelNames(service: Pick<Service, 'models'>, signal: AbortSignal, now: () => number): ModelNames {
	let names: Promise<string[]> = Promise.resolve([]);
	let freshUntil = Number.NEGATIVE_INFINITY;

	function list(): Promise<string[]> {
		if (now() < freshUntil) return names;
		freshUntil = now() + FRESH_MS;
		names = service.models(signal).catch(() => {
			freshUntil = now() + AFTER_FAILURE_MS;
			return [];
		});
		return names;
	}

	return async (typed) => {
		const wanted = typed.trim().toLowerCase();
		const fitting = (await list()).filter((name) => name.toLowerCase().includes(wanted));
		const begins = (name: string) => (name.toLowerCase().startsWith(wanted) ? 0 : 1);
		return fitting.toSorted((a, b) => begins(a) - begins(b)).slice(0, MOST);
	};
}
