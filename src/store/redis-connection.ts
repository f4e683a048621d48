import { parseRedisAddress } from './redis-address.ts';
import { Late, linkToCluster, linkToRedis, type RedisLink, within } from './redis-link.ts';
import { StoreError } from './store.ts';

/** How long a server may take to let us in, and to answer. */
const PATIENCE_MS = 5000;

/** After a server could not be reached, it is left alone for this long, twice as long each time up to the longest. */
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2000;

export type RedisConnection = {
	/** Does something on a connection that lives, made anew if need be. Rejects with StoreError, always within a bounded time. */
	run<Result>(work: (link: RedisLink) => Promise<Result>): Promise<Result>;
	/** Waits for what was begun. */
	close(): Promise<void>;
};

/**
 * A connection that whoever needs it next makes anew after it broke: nobody waits for a server that is gone, and none is
 * needed for it to be used again once it is back.
 * @throws StoreError
 */
export async function connectToRedis(url: string, patienceMs = PATIENCE_MS): Promise<RedisConnection> {
	const address = parseRedisAddress(url);
	const running = new Set<Promise<unknown>>();
	let link: RedisLink | undefined;
	let connecting: Promise<RedisLink> | undefined;
	let cluster: ReturnType<RedisLink['nodes']> = [];
	let refusal: { error: StoreError; pauseMs: number; until: number } | undefined;
	let closing = false;

	async function live(): Promise<RedisLink> {
		if (link?.isOpen) return link;
		if (refusal && performance.now() < refusal.until) throw refusal.error;
		connecting ??= connect().finally(() => {
			connecting = undefined;
		});
		return connecting;
	}

	async function connect(): Promise<RedisLink> {
		link?.destroy();
		link = undefined;
		try {
			link = await (cluster.length > 0
				? linkToCluster([address.socket, ...cluster], address, patienceMs)
				: linkToRedis(address, patienceMs));
		} catch (error) {
			const pauseMs = Math.min((refusal?.pauseMs ?? FIRST_PAUSE_MS / 2) * 2, LONGEST_PAUSE_MS);
			refusal = { error: toStoreError(error), pauseMs, until: performance.now() + pauseMs };
			throw refusal.error;
		}
		cluster = link.nodes();
		refusal = undefined;
		return link;
	}

	async function attempt<Result>(work: (link: RedisLink) => Promise<Result>): Promise<Result> {
		const used = await live();
		try {
			return await within(patienceMs, work(used));
		} catch (error) {
			// A server that answers is fine, unless it has lost its place to another one.
			const code = replyCode(error);
			if (code === undefined || code === 'READONLY' || code === 'CLUSTERDOWN') used.destroy();
			throw toStoreError(error);
		}
	}

	const connection: RedisConnection = {
		async run(work) {
			if (closing) throw new StoreError('The store is closed.');
			const task = attempt(work);
			running.add(task);
			try {
				return await task;
			} finally {
				running.delete(task);
			}
		},
		async close() {
			closing = true;
			await Promise.allSettled(running);
			link?.destroy();
		},
	};
	await connection.run((first) => first.ping());
	return connection;
}

/** The first word of what a server refused with. https://redis.io/docs/latest/develop/reference/protocol-spec/ */
function replyCode(error: unknown): string | undefined {
	return error instanceof Error && !('code' in error) ? /^[A-Z]+(?= )/.exec(error.message)?.[0] : undefined;
}

const REFUSALS: Record<string, string> = {
	WRONGPASS: 'The store does not accept the user and password of its address.',
	NOAUTH: 'The store wants a password, and its address has none.',
	NOPERM: 'The store does not let its user do what is needed.',
	READONLY: 'The store is a read-only copy; the address must name the original.',
	OOM: 'The store is full.',
	MISCONF: 'The store takes nothing, because it cannot write to its disk.',
	LOADING: 'The store is still starting.',
	CLUSTERDOWN: 'The store is a cluster of which a part is missing.',
};

/** In a sentence that repeats no message of a server's: it may quote what it was sent, the password too. */
function toStoreError(error: unknown): StoreError {
	if (error instanceof StoreError) return error;
	const { code, message = '' } = error as Partial<NodeJS.ErrnoException>;
	if (error instanceof Late || message === 'Connection timeout')
		return new StoreError('The store does not answer in time.');
	const reply = replyCode(error);
	if (reply === 'EASEL') return new StoreError(message.slice('EASEL '.length));
	if (reply !== undefined) return new StoreError(REFUSALS[reply] ?? `The store refused (${reply}).`);
	if (code !== undefined) return new StoreError(`The store can't be reached (${code}).`);
	if (message.startsWith('Unknown RESP type'))
		return new StoreError('What the address of the store names is no Redis.');
	return new StoreError('The connection to the store broke.');
}
