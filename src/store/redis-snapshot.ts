import { createClient } from '@keyv/redis';
import { clientOptions, type RedisAddress, replyCode, toStoreError, withTimeout } from './redis-client.ts';
import { SnapshotFile } from './snapshot-file.ts';
import { StoreError } from './store.ts';

/** How long one command may take. Nobody waits for it, and a long index takes time. */
const TIMEOUT_MS = 10_000;

const KEYS_PER_PAGE = 1000;
const MEMBERS_PER_PAGE = 10_000;

/** How many values are requested at once, and stored by one transaction. */
const AT_ONCE = 64;

/** Rounds without a pause of the writes. In a quiet moment one of the first succeeds. */
const ROUNDS = 5;

/** Rounds in which writes are paused, and rounds where that is not allowed. */
const PAUSES = 5;
const ROUNDS_WITHOUT_PAUSE = 1000;

/** How long writes may be paused, in milliseconds: less than a process waits for an answer of the server. */
const PAUSE_MS = '1000';

/**
 * Copies the entries and indexes of a server, as they are at one moment, while processes use it.
 *
 * The server announces the keys that change. All keys are copied once, and those that have changed are copied again, until there is a
 * moment when none has changed since it was copied. On a busy store there is no such moment by itself; then writes wait, mostly a few
 * milliseconds, while the last changes are copied. Commits need nothing for that, neither during a backup nor otherwise.
 *
 * @param path of a new file
 * @throws StoreError
 */
export async function copyToSnapshot(address: RedisAddress, path: string): Promise<void> {
	const client = newClient(address);
	const broken = new Promise<never>((_, reject) => client.on('error', reject));
	broken.catch(() => {});
	const snapshot = new SnapshotFile(path);
	try {
		await withTimeout(TIMEOUT_MS, Promise.race([client.connect(), broken]));
		await new SnapshotCopy(client, snapshot).run();
	} catch (error) {
		throw toStoreError(error);
	} finally {
		snapshot.close();
		if (client.isOpen) client.destroy();
	}
}

type Client = ReturnType<typeof newClient>;

const newClient = (address: RedisAddress) =>
	createClient({ ...clientOptions(address, TIMEOUT_MS), RESP: 3 as const, emitInvalidate: true });

/** Methods throw the client's errors. */
class SnapshotCopy {
	readonly #client: Client;
	readonly #snapshot: SnapshotFile;
	#changed = new Set<string>();
	#wasFlushed = false;

	constructor(client: Client, snapshot: SnapshotFile) {
		this.#client = client;
		this.#snapshot = snapshot;
		client.on('invalidate', (key: string | Buffer | null) => {
			if (key === null) this.#wasFlushed = true;
			else this.#changed.add(key.toString());
		});
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
		if (await this.#copyChanged(ROUNDS)) return;
		for (let pause = 0; pause < PAUSES; pause += 1) {
			if (!(await this.#pauseWrites())) {
				if (await this.#copyChanged(ROUNDS_WITHOUT_PAUSE)) return;
				throw new StoreError(
					'The store changes all the time, and its user may not run CLIENT PAUSE. Allow that command, or stop Easel for the backup.',
				);
			}
			try {
				// The first round copies what had changed before the pause.
				if (await this.#copyChanged(2)) return;
			} finally {
				await this.#send('CLIENT', 'UNPAUSE').catch(() => {});
			}
			await this.#copyChanged(1);
		}
		throw new StoreError('The store changes faster than it can be copied. Try again when there is less to do.');
	}

	/**
	 * Copies the keys that have changed, in so many rounds at most. Returns whether none has changed since: then there is a moment, after
	 * the last of them was read, at which the server had what was copied. It announces the changes of one turn of its event loop at the
	 * end of that turn, and so before it answers a command that it has read later.
	 */
	async #copyChanged(rounds: number): Promise<boolean> {
		for (let round = 0; round < rounds; round += 1) {
			const changed = [...this.#changed];
			this.#changed.clear();
			await this.#copy(changed);
			await this.#send('PING');
			if (this.#wasFlushed) throw new StoreError('The store was emptied during the backup.');
			if (this.#changed.size === 0) return true;
		}
		return false;
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
		for (let start = 0; start < keys.length; start += AT_ONCE) {
			const writes = await Promise.all(keys.slice(start, start + AT_ONCE).map((key) => this.#read(key)));
			this.#snapshot.transaction(() => {
				for (const write of writes) write?.();
			});
		}
	}

	/** Reads a value, and returns what writes it to the snapshot; undefined for what is neither an entry nor an index of a space. */
	async #read(key: string): Promise<(() => void) | undefined> {
		const [, space, entry] = /^\{([a-z-]+)\}::\{\1\}:(.*)$/s.exec(key) ?? [];
		if (space !== undefined) {
			const value = ((await this.#send('GET', key)) as string | null) ?? undefined;
			const expires = value && /,"expires":(\d+)\}$/.exec(value)?.[1];
			return () => this.#snapshot.set(`${space}:${entry}`, value, expires ? Number(expires) : undefined);
		}
		const [, ofSpace, index] = /^\{([a-z-]+)\}-index::(.*)$/s.exec(key) ?? [];
		if (ofSpace === undefined) return undefined;
		const left = Number(await this.#send('PTTL', key));
		const members = await this.#membersOf(key);
		return () => {
			this.#snapshot.clearIndex(`${ofSpace}:${index}`);
			this.#snapshot.addMembers(`${ofSpace}:${index}`, members, left < 0 ? undefined : Date.now() + left);
		};
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

	#send(...command: string[]): Promise<unknown> {
		return withTimeout(TIMEOUT_MS, this.#client.sendCommand(command));
	}
}
