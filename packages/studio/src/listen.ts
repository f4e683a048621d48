import type { Server } from 'node:http';
import { serve } from '@hono/node-server';
import type { createStudio } from './app.ts';

/**
 * Serves a studio over HTTP; port 0 takes a free one. It is meant for this machine: it does not defend itself against clients that hold
 * connections open. Rejects when the address is taken.
 */
export function listen(
	{ fetch }: Pick<ReturnType<typeof createStudio>, 'fetch'>,
	{ host, port }: { host: string; port: number },
): Promise<{ address: string; close(): Promise<void> }> {
	return new Promise((resolve, reject) => {
		const server = serve({ fetch, hostname: host, port, autoCleanupIncoming: false }, ({ address, family, port }) =>
			resolve({
				address: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
				close: () =>
					new Promise((done) => {
						server.close(() => done());
						server.closeAllConnections();
					}),
			}),
		) as Server;
		server.once('error', reject);
	});
}
