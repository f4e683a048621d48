import { Hono } from 'hono';
import type { StudioOptions } from '../packages/studio/src/index.ts';
import type { Config } from './config/config.ts';
import type { Log } from './log.ts';
import { decodingMemory } from './pictures/decoding.ts';
import type { Store } from './store/store.ts';

/**
 * The embedded image service, on Easel's own listener: the client reaches it over HTTP like any other. It is loaded for its first
 * request.
 */
export function createStudioRoutes({ studio }: Config, apiKey: string, store: Store, log: Log): Hono {
	const report = (error: unknown, requestId: string) => log.error({ err: error, requestId }, 'The studio failed');
	const load = async () => {
		const { createStudio } = await import('../packages/studio/src/index.ts');
		return createStudio({ ...studio, apiKey, counters: countersOf(store), memory: decodingMemory, report });
	};
	let loaded: ReturnType<typeof load> | undefined;
	const routes = new Hono();
	for (const path of ['/v1/*', '/api/v1/*']) {
		routes.all(path, async ({ req, env }) => {
			loaded ??= load();
			return (await loaded).fetch(req.raw, env);
		});
	}
	return routes;
}

/** Counts what the studio is used for in Easel's store. */
export function countersOf(store: Store): NonNullable<StudioOptions['counters']> {
	const { keyv, commit } = store.space('studio');
	return {
		get: (key) => keyv.get<number>(key),
		add: async (key, by, limits) => (await commit({ add: [{ key, by, ...limits }] })) === 'done',
	};
}
