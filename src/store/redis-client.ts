import { StoreError } from './store.ts';

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

/** Returns the options of a client that never reconnects and never holds commands back. */
export function clientOptions({ socket: { host, port, tls }, ...rest }: RedisAddress, timeoutMs: number) {
	// Shorter than our own timeout, so that the client gives up first and cleans up.
	const socket = { host, port, reconnectStrategy: false as const, connectTimeout: timeoutMs * 0.8 };
	const options = { ...rest, disableOfflineQueue: true, maintNotifications: 'disabled' as const };
	return { ...options, socket: tls ? { ...socket, tls } : socket };
}

/**
 * Returns the code of a server's error reply, such as `OOM`.
 * https://redis.io/docs/latest/develop/reference/protocol-spec/#simple-errors
 */
export function replyCode(error: unknown): string | undefined {
	return error instanceof Error && !('code' in error) ? /^[A-Z]+(?= )/.exec(error.message)?.[0] : undefined;
}

export const MESSAGES: Record<string, string> = {
	WRONGPASS: 'The store rejects the user and password of its address.',
	NOAUTH: 'The store requires a password, and its address contains none.',
	NOPERM: "The store's user lacks a permission that Easel needs.",
	READONLY: 'The store is a read-only replica. Set its address to the primary server.',
	OOM: 'The store is full.',
	MISCONF: 'The store rejects writes because it cannot save to its disk.',
	NOREPLICAS: 'The store accepts no writes, because too few of its replicas follow it.',
	LOADING: 'The store is still starting.',
};

/**
 * Translates an error of the client. Messages of the server are not repeated: they may quote a command, and so the
 * password.
 */
export function toStoreError(error: unknown): StoreError {
	if (error instanceof StoreError) return error;
	const { code, message = '' } = error as Partial<NodeJS.ErrnoException>;
	if (error instanceof TimeoutError || message === 'Connection timeout')
		return new StoreError('The store does not answer in time.');
	const reply = replyCode(error);
	if (reply === 'EASEL') return new StoreError(message.slice('EASEL '.length));
	if (reply !== undefined) return new StoreError(MESSAGES[reply] ?? `The store returned an error (${reply}).`);
	if (code !== undefined) return new StoreError(`The store cannot be reached (${code}).`);
	if (message.startsWith('Unknown RESP type'))
		return new StoreError('The address of the store does not lead to a Redis server.');
	return new StoreError('The connection to the store was lost.');
}

/** Thrown when work takes longer than its timeout. The work itself is not stopped. */
export class TimeoutError extends Error {}

/** @throws TimeoutError */
export function withTimeout<Result>(timeoutMs: number, work: Promise<Result>): Promise<Result> {
	return new Promise((resolve, reject) => {
		// An answer that came while this process was busy is read before the immediate runs.
		const timer = setTimeout(() => setImmediate(() => reject(new TimeoutError())), timeoutMs);
		// This runs for every command. Promise.race would create several promises for it.
		work.then(
			(result) => {
				clearTimeout(timer);
				resolve(result);
			},
			(error: unknown) => {
				clearTimeout(timer);
				reject(error);
			},
		);
	});
}
