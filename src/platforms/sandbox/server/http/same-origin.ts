import type { MiddlewareHandler } from 'hono';
import { isOwnHost } from '../../../shared/own-host.ts';
import { BadRequest } from '../bad-request.ts';

/**
 * Refuses requests of other web sites.
 * - DNS rebinding: a hostile name can point to this host, an address or `localhost` cannot. Other names have to be listed.
 * - Cross-site requests: browsers send their origin in `Sec-Fetch-Site` (https://www.w3.org/TR/fetch-metadata/) and `Origin`. Other
 *   programs send neither, and act for no web site.
 */
export function sameOriginOnly(hosts: readonly string[]): MiddlewareHandler {
	const names = new Set(hosts.map((host) => host.toLowerCase()));

	return async (c, next) => {
		const host = c.req.header('host') ?? '';
		if (!isOwnHost(host, names)) throw new BadRequest(403, 'The sandbox answers only under its own address.');
		const site = c.req.header('sec-fetch-site') ?? 'none';
		const origin = c.req.header('origin');
		const isForeign = origin !== undefined && URL.parse(origin)?.host !== host.toLowerCase();
		const isEntry = c.req.path === '/' && c.req.method === 'GET';
		if (!isEntry && (isForeign || !['same-origin', 'none'].includes(site)))
			throw new BadRequest(403, 'Other websites cannot use the sandbox.');
		await next();
	};
}
