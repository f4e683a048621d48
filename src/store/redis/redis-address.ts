export type RedisAddress = {
	socket: { host: string; port: number; tls: boolean };
	username?: string;
	password?: string;
	database?: number;
};

const MALFORMED =
	'is invalid. Write it as redis://USER:PASSWORD@HOST:PORT/DATABASE, or with rediss:// for TLS, ' +
	'and percent-encode characters such as / # ? @ : in user and password';

/**
 * Parses `redis://HOST`, with `USER:PASSWORD@` before and `:PORT` and `/DATABASE` after it where needed. `rediss:` is the same
 * over TLS. https://www.iana.org/assignments/uri-schemes/prov/redis
 *
 * @throws TypeError with a predicate that contains no part of the address: what looks like a host may be part of a password
 */
export function parseRedisAddress(url: string): RedisAddress {
	try {
		const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(url);
		const [, database] = /^\/?(\d*)$/.exec(pathname) ?? [];
		if (!hostname || database === undefined || search || hash) throw new TypeError();
		return {
			socket: {
				host: hostname.replace(/^\[(.*)\]$/, '$1'),
				port: port ? Number(port) : 6379,
				tls: protocol === 'rediss:',
			},
			...(username && { username: decodeURIComponent(username) }),
			...(password && { password: decodeURIComponent(password) }),
			...(database && { database: Number(database) }),
		};
	} catch {
		throw new TypeError(MALFORMED);
	}
}
