import { Hono } from 'hono';
import type { Platform } from './domain/platform.ts';
import { livez, NOT_STORED } from './listener.ts';
import { hostnameOf, isOwnHost } from './platforms/shared/own-host.ts';
import type { Store } from './store/store.ts';

/** How long `/healthz` waits for the store. */
const STORE_TIMEOUT_MS = 2000;

/** How long the state of the store is remembered: the check writes, and everybody may ask. */
const STORE_STATE_MS = 1000;

/** The routes `/livez`, `/healthz` and `/metrics`. */
export function createOperatorRoutes(options: {
	platforms: readonly Platform[];
	store: Store;
	metrics: () => Promise<string>;
	/** The name or address that the listener is bound to. */
	host: string;
	/** Further names of this host, under which the metrics are served. */
	metricsHosts?: readonly string[];
}): Hono {
	const app = new Hono();
	const names = new Set([options.host, ...(options.metricsHosts ?? [])].map((name) => name.toLowerCase()));
	const storeState = createStoreState(options.store);
	app.get('/livez', livez);
	app.get('/healthz', async (context) => {
		const platforms = Object.fromEntries(options.platforms.map((platform) => [platform.name, platform.state()]));
		const store = await storeState();
		const isHealthy = store === 'ready' && Object.values(platforms).every((state) => state === 'ready');
		const health = { status: isHealthy ? 'ok' : 'unavailable', platforms, store };
		return context.json(health, isHealthy ? 200 : 503, NOT_STORED);
	});
	app.get('/metrics', async (context) => {
		const host = context.req.header('host') ?? '';
		// A name without a dot, such as a container's, is resolved by the local network alone, which may belong to somebody else where
		// people browse. Browsers always say their languages, also for scripts; programs that read metrics have none.
		const isLocalName =
			hostnameOf(host)?.includes('.') === false && context.req.header('accept-language') === undefined;
		if (!isOwnHost(host, names) && !isLocalName)
			return context.text(
				'Metrics are served under an IP address, localhost, or a name in METRICS_HOSTS; to programs also under a name without a dot.\n',
				403,
			);
		const type = 'text/plain; version=0.0.4; charset=utf-8';
		return context.text(await options.metrics(), 200, { 'content-type': type, ...NOT_STORED });
	});
	return app;
}

/** Returns a function that checks the store, at most once at a time and once a second. */
function createStoreState(store: Store): () => Promise<string> {
	let latest: Promise<string> | undefined;
	return () => {
		if (latest) return latest;
		const checked = checkStore(store);
		latest = checked;
		void checked.then(() => setTimeout(() => (latest = undefined), STORE_STATE_MS).unref());
		return checked;
	};
}

async function checkStore(store: Store): Promise<string> {
	const late = new Promise<string>((resolve) => setTimeout(resolve, STORE_TIMEOUT_MS, 'silent').unref());
	return Promise.race([store.ping().then(() => 'ready'), late]).catch(() => 'failing');
}
