import { SnapshotFile } from '../sqlite/snapshot-file.ts';
import { StoreError } from '../store.ts';
import type { RedisAddress } from './redis-address.ts';
import { type IndexValue, TrackedServer } from './tracked-server.ts';

/** How many values are requested at once, and stored by one transaction. */
const AT_ONCE = 64;

/** Rounds without a pause of the writes. In a quiet moment one of the first succeeds. */
const ROUNDS = 5;

/** Rounds in which writes are paused, and rounds where that is not allowed. */
const PAUSES = 5;
const ROUNDS_WITHOUT_PAUSE = 1000;

/** How long writes may be paused: less than a process waits for an answer of the server. */
const PAUSE_MS = 1000;

/**
 * Copies the entries and indexes of a server, or of all servers of a cluster, as they are at one moment, while processes use them.
 *
 * Each server announces the keys that change. All keys are copied once, and those that have changed are copied again, until there is a
 * moment when none has changed since it was copied. On a busy store there is no such moment by itself; then writes wait, mostly a few
 * milliseconds, while the last changes are copied. Commits need nothing for that, neither during a backup nor otherwise.
 *
 * @param path of a new file
 * @throws StoreError
 */
export async function copyToSnapshot(servers: readonly RedisAddress[], path: string): Promise<void> {
	const tracked: TrackedServer[] = [];
	const snapshot = new SnapshotFile(path);
	try {
		for (const address of servers) tracked.push(await TrackedServer.connect(address));
		await Promise.all(tracked.map((server) => copyAll(server, snapshot)));
		await copyUntilUnchanged(tracked, snapshot);
	} finally {
		snapshot.close();
		for (const server of tracked) server.close();
	}
}

async function copyAll(server: TrackedServer, snapshot: SnapshotFile): Promise<void> {
	for await (const keys of server.keys()) await copy(server, keys, snapshot);
}

async function copyUntilUnchanged(servers: readonly TrackedServer[], snapshot: SnapshotFile): Promise<void> {
	for (let round = 0; round < ROUNDS; round += 1) if (await copyChanged(servers, snapshot)) return;
	let mayPause = true;
	for (let pause = 0; pause < PAUSES && mayPause; pause += 1) {
		try {
			mayPause = (await Promise.all(servers.map((server) => server.pauseWrites(PAUSE_MS)))).every((is) => is);
			// The first round copies what had changed before the pause.
			if (mayPause && ((await copyChanged(servers, snapshot)) || (await copyChanged(servers, snapshot)))) return;
		} finally {
			await Promise.all(servers.map((server) => server.resumeWrites()));
		}
		await copyChanged(servers, snapshot);
	}
	if (!mayPause)
		for (let round = 0; round < ROUNDS_WITHOUT_PAUSE; round += 1) if (await copyChanged(servers, snapshot)) return;
	throw new StoreError(
		mayPause
			? 'The store changes faster than it can be copied. Try again when there is less to do.'
			: 'The store changes all the time, and its user may not run CLIENT PAUSE. Allow that command, or stop Easel for the backup.',
	);
}

/**
 * Copies the keys that have changed. Returns whether none has changed since: then there is a moment, after the last of them was read and
 * before the first server was asked again, at which all servers have what was copied.
 */
async function copyChanged(servers: readonly TrackedServer[], snapshot: SnapshotFile): Promise<boolean> {
	await Promise.all(servers.map((server) => copy(server, server.takeChanged(), snapshot)));
	return (await Promise.all(servers.map((server) => server.isUnchanged()))).every((is) => is);
}

type Copied = { entry: string; value: string | undefined } | ({ index: string } & IndexValue);

async function copy(server: TrackedServer, keys: readonly string[], snapshot: SnapshotFile): Promise<void> {
	for (let start = 0; start < keys.length; start += AT_ONCE) {
		const values = await Promise.all(keys.slice(start, start + AT_ONCE).map((key) => read(server, key)));
		snapshot.transaction(() => {
			for (const value of values) if (value) write(value, snapshot);
		});
	}
}

/** Returns undefined for a key that is neither an entry nor an index of a space. */
async function read(server: TrackedServer, key: string): Promise<Copied | undefined> {
	const [, space, entry] = /^\{([a-z-]+)\}::\{\1\}:(.*)$/s.exec(key) ?? [];
	if (space !== undefined) return { entry: `${space}:${entry}`, value: await server.entry(key) };
	const [, ofSpace, index] = /^\{([a-z-]+)\}-index::(.*)$/s.exec(key) ?? [];
	if (ofSpace !== undefined) return { index: `${ofSpace}:${index}`, ...(await server.index(key)) };
	return undefined;
}

function write(value: Copied, snapshot: SnapshotFile): void {
	if ('entry' in value) {
		const expires = value.value && /,"expires":(\d+)\}$/.exec(value.value)?.[1];
		snapshot.set(value.entry, value.value, expires ? Number(expires) : undefined);
	} else {
		snapshot.clearIndex(value.index);
		snapshot.addMembers(value.index, value.members, value.expires);
	}
}
