import { createClient } from '@keyv/redis';
import { StoreError } from '../store.ts';
import type { RedisAddress } from './redis-address.ts';
import { CLIENT_OPTIONS, socketOptions } from './redis-client.ts';
import { replyCode, toStoreError } from './redis-errors.ts';
import { withTimeout } from './with-timeout.ts';

/** How long one command may take. Nobody waits for it, and a long index takes time. */
const TIMEOUT_MS = 10_000;

const KEYS_PER_PAGE = 1000;
const MEMBERS_PER_PAGE = 10_000;

/** A value of a server, and when it expires (Unix milliseconds). */
export type IndexValue = { members: string[]; expires: number | undefined };

/**
 * A connection to one server that is told of every key that changes, whoever changes it and with whichever command. The server
 * collects nothing while there is no such connection.
 * https://redis.io/docs/latest/develop/reference/client-side-caching/#broadcasting-mode
 */
export class TrackedServer {
	readonly #client: ReturnType<typeof createTracked>;
	readonly #changed = new Set<string>();
	#wasFlushed = false;

	private constructor(client: ReturnType<typeof createTracked>) {
		this.#client = client;
		client.on('invalidate', (key: string | Buffer | null) => {
			if (key === null) this.#wasFlushed = true;
			else this.#changed.add(key.toString());
		});
	}

	/** @throws StoreError */
	static async connect(address: RedisAddress): Promise<TrackedServer> {
		const client = createTracked(address);
		const broken = new Promise<never>((_, reject) => client.on('error', reject));
		broken.catch(() => {});
		try {
			await withTimeout(TIMEOUT_MS, Promise.race([client.connect(), broken]));
			const server = new TrackedServer(client);
			// The client has turned on another mode, in which a server announces only what this connection has read.
			await server.#send('CLIENT', 'TRACKING', 'OFF');
			await server.#send('CLIENT', 'TRACKING', 'ON', 'BCAST');
			return server;
		} catch (error) {
			if (client.isOpen) client.destroy();
			throw toStoreError(error);
		}
	}

	/** Yields pages of all keys. A key that is added meanwhile may be missing, but is then among the changed ones. */
	async *keys(): AsyncGenerator<string[]> {
		let cursor = '0';
		do {
			const [next, keys] = (await this.#send('SCAN', cursor, 'COUNT', String(KEYS_PER_PAGE))) as [string, string[]];
			yield keys;
			cursor = next;
		} while (cursor !== '0');
	}

	/** Returns undefined for a key that is absent or has expired. */
	async entry(key: string): Promise<string | undefined> {
		return ((await this.#send('GET', key)) as string | null) ?? undefined;
	}

	/** Reads an index page by page. When it changes meanwhile, it is among the changed keys. */
	async index(key: string): Promise<IndexValue> {
		const left = Number(await this.#send('PTTL', key));
		const members: string[] = [];
		for (let after = '-'; ; after = `(${members.at(-1)}`) {
			const limit = ['LIMIT', '0', String(MEMBERS_PER_PAGE)];
			const page = (await this.#send('ZRANGE', key, after, '+', 'BYLEX', ...limit)) as string[];
			for (const member of page) members.push(member);
			if (page.length < MEMBERS_PER_PAGE) return { members, expires: left < 0 ? undefined : Date.now() + left };
		}
	}

	/** Returns the keys that have changed since the last call. */
	takeChanged(): string[] {
		if (this.#wasFlushed) throw new StoreError('The store was emptied during the backup.');
		const changed = [...this.#changed];
		this.#changed.clear();
		return changed;
	}

	/**
	 * Resolves to whether no key has changed since `takeChanged`, up to a moment after this call. The server announces the changes of
	 * one turn of its event loop at the end of that turn, and so before it answers a command that it has read later.
	 */
	async isUnchanged(): Promise<boolean> {
		await this.#send('PING');
		return this.#changed.size === 0 && !this.#wasFlushed;
	}

	/**
	 * Lets all writes wait. They are not refused, and go on by themselves after that time.
	 *
	 * @returns false when the user of the store may not do that
	 */
	async pauseWrites(ms: number): Promise<boolean> {
		try {
			await this.#client.sendCommand(['CLIENT', 'PAUSE', String(ms), 'WRITE']);
			return true;
		} catch (error) {
			if (['NOPERM', 'ERR'].includes(replyCode(error) ?? '')) return false;
			throw toStoreError(error);
		}
	}

	async resumeWrites(): Promise<void> {
		await this.#send('CLIENT', 'UNPAUSE').catch(() => {});
	}

	close(): void {
		if (this.#client.isOpen) this.#client.destroy();
	}

	async #send(...command: string[]): Promise<unknown> {
		try {
			return await withTimeout(TIMEOUT_MS, this.#client.sendCommand(command));
		} catch (error) {
			throw toStoreError(error);
		}
	}
}

function createTracked({ socket, ...rest }: RedisAddress) {
	const options = { ...rest, ...CLIENT_OPTIONS, RESP: 3 as const, emitInvalidate: true };
	return createClient({ ...options, socket: socketOptions(socket, TIMEOUT_MS) });
}
