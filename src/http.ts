import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import type { Platform } from './domain/platform.ts';
import { hostnameOf, isOwnHost } from './platforms/shared/own-host.ts';
import type { Store } from './store/store.ts';

/** How long `/healthz` waits for the store. */
const STORE_TIMEOUT_MS = 2000;

export type Listener = {
	/** Address at which this process reaches itself, such as `http://127.0.0.1:3000`. */
	address: string;
	/** Stops listening. Open connections have half a second to finish. */
	close(): Promise<void>;
};

/** Opens the HTTP listener. Rejects when the address is taken or not available. */
export function listen(app: Hono, { host, port }: { host: string; port: number }): Promise<Listener> {
	const server = createServer(getRequestListener(app.fetch));
	return new Promise((resolve, reject) => {
		server.once('error', reject);
		server.listen(port, host, () => {
			server.off('error', reject);
			resolve({ address: addressOf(server), close: () => close(server) });
		});
	});
}

function addressOf(server: Server): string {
	const { address, port, family } = server.address() as AddressInfo;
	// The address of all interfaces is not one to connect to.
	if (address === '0.0.0.0' || address === '::') return `http://127.0.0.1:${port}`;
	return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

function close(server: Server): Promise<void> {
	return new Promise((resolve) => {
		server.close(() => resolve());
		server.closeIdleConnections();
		setTimeout(() => server.closeAllConnections(), 500).unref();
	});
}

/** The routes `/healthz` and `/metrics`. */
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
	app.get('/healthz', async (context) => {
		const platforms = Object.fromEntries(options.platforms.map((platform) => [platform.name, platform.state()]));
		const store = await storeState();
		const isHealthy = store === 'ready' && Object.values(platforms).every((state) => state === 'ready');
		return context.json({ status: isHealthy ? 'ok' : 'unavailable', platforms, store }, isHealthy ? 200 : 503);
	});
	app.get('/metrics', async (context) => {
		const host = context.req.header('host') ?? '';
		// A name without a dot, such as a container's, is resolved by the local network alone.
		if (!isOwnHost(host, names) && (hostnameOf(host)?.includes('.') ?? true))
			return context.text(
				'Metrics are served under an IP address, localhost, a name without a dot, or one in METRICS_HOSTS.\n',
				403,
			);
		return context.text(await options.metrics(), 200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
	});
	return app;
}

/** Returns a function that checks the store. Requests at the same time share one check, because it writes. */
function createStoreState(store: Store): () => Promise<string> {
	let running: Promise<string> | undefined;
	return () => {
		running ??= checkStore(store).finally(() => {
			running = undefined;
		});
		return running;
	};
}

async function checkStore(store: Store): Promise<string> {
	const late = new Promise<string>((resolve) => setTimeout(resolve, STORE_TIMEOUT_MS, 'silent').unref());
	return Promise.race([store.ping().then(() => 'ready'), late]).catch(() => 'failing');
}
