import { isIP } from 'node:net';
import type { MiddlewareHandler } from 'hono';
import { BadRequest } from './input.ts';

/**
 * Keeps other web sites out of a page on loopback.
 * - DNS rebinding: a hostile name can be made to point here, an address or `localhost` can't. Other names have to be
 *   listed.
 * - Cross-site requests: browsers say where a request comes from, in `Sec-Fetch-Site`
 *   (https://www.w3.org/TR/fetch-metadata/) and `Origin`. Programs that are no browser send neither, and need no guard.
 */
export function sameOriginOnly(hosts: readonly string[]): MiddlewareHandler {
	const known = new Set(['localhost', ...hosts.map((host) => host.toLowerCase())]);

	return async (c, next) => {
		const host = c.req.header('host') ?? '';
		const hostname = nameOf(host);
		if (!hostname || !(known.has(hostname) || hostname.endsWith('.localhost') || isIP(hostname)))
			throw new BadRequest(403, 'The sandbox answers only under its own address.');
		const site = c.req.header('sec-fetch-site') ?? 'none';
		const origin = c.req.header('origin');
		const foreign = origin !== undefined && URL.parse(origin)?.host !== host.toLowerCase();
		const entry = c.req.path === '/' && c.req.method === 'GET';
		if (!entry && (foreign || !['same-origin', 'none'].includes(site)))
			throw new BadRequest(403, 'Other web sites can not use the sandbox.');
		await next();
	};
}

/** The name of `name:port`, without the brackets of an IPv6 address. */
function nameOf(host: string): string | undefined {
	const url = URL.parse(`http://${host}`);
	return url && url.host === host.toLowerCase().replace(/:80$/, '')
		? url.hostname.replaceAll(/^\[|\]$/g, '').toLowerCase()
		: undefined;
}
