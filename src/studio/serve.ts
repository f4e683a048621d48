import type { Server } from 'node:http';
import { serve } from '@hono/node-server';

export type Served = {
	/** Base address, with the actual port. */
	url: string;
	/** Takes no further requests and waits for those that run, at most `graceMs`. */
	close(graceMs?: number): Promise<void>;
};

type App = { fetch(request: Request): Response | Promise<Response> };

/** Serves the studio at an address of its own. Rejects when the port is taken. */
export async function serveStudio(app: App, { host, port }: { host: string; port: number }): Promise<Served> {
	const { promise, resolve, reject } = Promise.withResolvers<number>();
	const server = serve({ fetch: app.fetch, hostname: host, port }, (address) => resolve(address.port)) as Server;
	server.once('error', reject);
	const found = await promise;
	return {
		url: `http://${host.includes(':') ? `[${host}]` : host}:${found}`,
		async close(graceMs = 0) {
			const closed = Promise.withResolvers<void>();
			server.close(() => closed.resolve());
			// A connection that was busy falls idle later, and would be kept alive for a next request that is not to come.
			const sweep = setInterval(() => server.closeIdleConnections(), 50);
			const patience = setTimeout(() => server.closeAllConnections(), graceMs);
			await closed.promise;
			clearInterval(sweep);
			clearTimeout(patience);
		},
	};
}
