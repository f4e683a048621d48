import { resolve } from 'node:path';
import { parseRedisAddress } from './redis-client.ts';

/** Where entries are kept. */
export type StoreAddress = { kind: 'memory' } | { kind: 'sqlite'; path: string } | { kind: 'redis'; url: string };

/**
 * Parses `memory:`, `sqlite:PATH` (relative to the working directory), or `redis://USER:PASSWORD@HOST:PORT/DATABASE`, with `rediss:` for
 * TLS.
 *
 * @throws TypeError with a predicate, such as "lacks a path", that contains no part of the address: it may contain a password
 */
export function parseStoreAddress(text: string): StoreAddress {
	const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+.-]*):(.*)$/is.exec(text.trim()) ?? [];
	switch (scheme.toLowerCase()) {
		case 'memory':
			return { kind: 'memory' };
		case 'sqlite':
			return { kind: 'sqlite', path: sqlitePath(rest) };
		case 'redis':
		case 'rediss': {
			const url = `${scheme.toLowerCase()}:${rest}`;
			parseRedisAddress(url);
			return { kind: 'redis', url };
		}
		default:
			throw new TypeError('is not supported. Supported are sqlite:PATH, redis://HOST, rediss://HOST and memory:');
	}
}

/** Accepts slashes before the path, as other programs write it: `sqlite://data/easel.db`, `sqlite:///var/lib/easel.db`. */
function sqlitePath(rest: string): string {
	const path = rest.replace(/^\/\/(?=.)/, '');
	if (!path) throw new TypeError('lacks a path. Write it as sqlite:PATH');
	if (path === ':memory:') throw new TypeError('is invalid. A store in memory is written as memory:, without sqlite');
	return resolve(path);
}
