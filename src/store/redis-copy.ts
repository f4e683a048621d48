import { createClient } from '@keyv/redis';
import type { CopyTarget } from './backend.ts';
import { clientOptions, type RedisAddress, replyCode, toStoreError, withTimeout } from './redis-client.ts';
import { StoreError } from './store.ts';

/** How long one command may take. Nobody waits for it, and a long index takes time. */
const TIMEOUT_MS = 10_000;

const KEYS_PER_PAGE = 1000;
const MEMBERS_PER_PAGE = 10_000;

/** How many values are requested at once. */
const AT_ONCE = 64;

/** Attempts without a pause of the writes, of which one succeeds in a quiet moment; then with one, or where that is not allowed. */
const ATTEMPTS = 5;
const ATTEMPTS_WITH_PAUSE = 10;
const ATTEMPTS_WITHOUT_PAUSE = 1000;

/** How long writes may be paused, in milliseconds: less than a process waits for an answer of the server. */
const PAUSE_MS = '1000';

/**
 * Copies the entries and indexes of a server, as they are at one moment, while processes use it.
 *
 * The server announces the keys that change. All keys are copied once, and those that have changed are copied again, until there is a
 * moment when none has changed since it was copied. On a busy store there is no such moment by itself; then writes wait, mostly a few
 * milliseconds, while the last changes are copied. Commits need nothing for that, neither during a backup nor otherwise.
 *
 * @throws StoreError
 */
export async function copyRedis(address: RedisAddress, target: CopyTarget): Promise<void> {
	const options = { ...clientOptions(address, TIMEOUT_MS), RESP: 3 as const, emitInvalidate: true };
	const client = createClient(options);
	const broken = new Promise<never>((_, reject) => client.on('error', reject));
	broken.catch(() => {});
	const send = (...command: string[]): Promise<unknown> => withTimeout(TIMEOUT_MS, client.sendCommand(command));
	try {
		await withTimeout(TIMEOUT_MS, Promise.race([client.connect(), broken]));
		const copy = new RedisCopy(send, target);
		client.on('invalidate', (key: string | Buffer | null) => copy.changed(key?.toString()));
		await copy.run();
	} catch (error) {
		throw toStoreError(error);
	} finally {
		if (client.isOpen) client.destroy();
	}
}

/** Methods throw the client's errors. */
class RedisCopy {
	readonly #send: (...command: string[]) => Promise<unknown>;
	readonly #target: CopyTarget;
	#changed = new Set<string>();
	#wasFlushed = false;

	constructor(send: (...command: string[]) => Promise<unknown>, target: CopyTarget) {
		this.#send = send;
		this.#target = target;
	}

	/** @param key undefined when the whole database was flushed */
	changed(key: string | undefined): void {
		if (key === undefined) this.#wasFlushed = true;
		else this.#changed.add(key);
	}

	async run(): Promise<void> {
		// The client has turned on another mode, in which a server announces only what this connection has read.
		// https://redis.io/docs/latest/develop/reference/client-side-caching/#broadcasting-mode
		await this.#send('CLIENT', 'TRACKING', 'OFF');
		await this.#send('CLIENT', 'TRACKING', 'ON', 'BCAST');
		let cursor = '0';
		do {
			// A key that is added meanwhile may be missing, but is then among the changed ones.
			const [next, keys] = (await this.#send('SCAN', cursor, 'COUNT', String(KEYS_PER_PAGE))) as [string, string[]];
			await this.#copy(keys);
			cursor = next;
		} while (cursor !== '0');
		let mayPause = true;
		for (let attempt = 0; attempt < (mayPause ? ATTEMPTS_WITH_PAUSE : ATTEMPTS_WITHOUT_PAUSE); attempt += 1) {
			const isPaused: boolean = mayPause && attempt >= ATTEMPTS && (await this.#pauseWrites());
			if (attempt >= ATTEMPTS) mayPause = isPaused;
			try {
				// In a pause, the first round copies what had changed before it.
				if ((await this.#copyChanged()) || (isPaused && (await this.#copyChanged()))) return;
			} finally {
				if (isPaused) await this.#send('CLIENT', 'UNPAUSE').catch(() => {});
			}
		}
		throw new StoreError(
			mayPause
				? 'The store changes faster than it can be copied. Try again when there is less to do.'
				: 'The store changes all the time, and its user may not run CLIENT PAUSE. Allow that command, or stop Easel for the backup.',
		);
	}

	/**
	 * Copies the keys that have changed. Returns whether none has changed since: then there is a moment, after the last of them was read,
	 * at which the server had what was copied. It announces the changes of one turn of its event loop at the end of that turn, and so
	 * before it answers a command that it has read later.
	 */
	async #copyChanged(): Promise<boolean> {
		const changed = [...this.#changed];
		this.#changed.clear();
		await this.#copy(changed);
		await this.#send('PING');
		if (this.#wasFlushed) throw new StoreError('The store was emptied during the backup.');
		return this.#changed.size === 0;
	}

	/** Lets all writes wait; they go on by themselves after that time. Returns false when the user of the store may not do that. */
	async #pauseWrites(): Promise<boolean> {
		try {
			await this.#send('CLIENT', 'PAUSE', PAUSE_MS, 'WRITE');
			return true;
		} catch (error) {
			if (['NOPERM', 'ERR'].includes(replyCode(error) ?? '')) return false;
			throw error;
		}
	}

	async #copy(keys: readonly string[]): Promise<void> {
		for (let start = 0; start < keys.length; start += AT_ONCE)
			await Promise.all(keys.slice(start, start + AT_ONCE).map((key) => this.#copyKey(key)));
	}

	/** Copies an entry or an index of a space; nothing else that is on the server. */
	async #copyKey(key: string): Promise<void> {
		const [, space, entry] = /^\{([a-z-]+)\}::\{\1\}:(.*)$/s.exec(key) ?? [];
		if (space !== undefined) {
			const value = ((await this.#send('GET', key)) as string | null) ?? undefined;
			const expires = value && /,"expires":(\d+)\}$/.exec(value)?.[1];
			this.#target.set(`${space}:${entry}`, value, expires ? Number(expires) : null);
			return;
		}
		const [, ofSpace, index] = /^\{([a-z-]+)\}-index::(.*)$/s.exec(key) ?? [];
		if (ofSpace === undefined) return;
		const left = Number(await this.#send('PTTL', key));
		const members = await this.#membersOf(key);
		this.#target.clearIndex(`${ofSpace}:${index}`);
		for (const member of members)
			this.#target.addMember(`${ofSpace}:${index}`, member, left < 0 ? null : Date.now() + left);
	}

	/** Reads an index page by page. When it changes meanwhile, it is among the changed keys. */
	async #membersOf(key: string): Promise<string[]> {
		const members: string[] = [];
		for (let after = '-'; ; after = `(${members.at(-1)}`) {
			const limit = ['LIMIT', '0', String(MEMBERS_PER_PAGE)];
			const page = (await this.#send('ZRANGE', key, after, '+', 'BYLEX', ...limit)) as string[];
			for (const member of page) members.push(member);
			if (page.length < MEMBERS_PER_PAGE) return members;
		}
	}
}
