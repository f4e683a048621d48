import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { StoredChange } from '../driver.ts';
import { type CommitResult, StoreError } from '../store.ts';
import { decodeResult, encodeBatch } from './commit-batch.ts';
import type { RedisClient } from './redis-client.ts';
import type { RedisConnection } from './redis-connection.ts';
import { replyCode, toStoreError } from './redis-errors.ts';

const SCRIPT = readFileSync(new URL('./commit.lua', import.meta.url), 'utf8');
const SCRIPT_SHA1 = createHash('sha1').update(SCRIPT).digest('hex');

/** How many changes one script makes at most. The server does nothing else meanwhile. */
const MAX_CHANGES = 16;

type Commit = {
	change: StoredChange;
	resolve(result: CommitResult): void;
	reject(error: StoreError): void;
};

/** Sends the commits that are made in the same tick together. Each remains atomic by itself, and fails by itself. */
export class CommitQueue {
	readonly #connection: RedisConnection;
	#waiting: Commit[] = [];

	constructor(connection: RedisConnection) {
		this.#connection = connection;
	}

	commit(change: StoredChange): Promise<CommitResult> {
		return new Promise((resolve, reject) => {
			if (this.#waiting.push({ change, resolve, reject }) === 1) process.nextTick(() => this.#sendSome());
		});
	}

	/** Sends what is waiting. */
	flush(): void {
		const waiting = this.#waiting;
		this.#waiting = [];
		for (let start = 0; start < waiting.length; start += MAX_CHANGES)
			this.#sendTogether(waiting.slice(start, start + MAX_CHANGES));
	}

	/**
	 * Sends one script, and the next one when this one is on its way. The server would otherwise read several at once and answer
	 * them at once, and either it or this process would always be waiting for the other.
	 */
	#sendSome(): void {
		if (this.#waiting.length <= MAX_CHANGES) {
			this.flush();
			return;
		}
		this.#sendTogether(this.#waiting.splice(0, MAX_CHANGES));
		// The client writes in the first of these.
		setImmediate(() => setImmediate(() => this.#sendSome()));
	}

	/** Sends one script for each space. */
	#sendTogether(commits: readonly Commit[]): void {
		if (commits.length === 1) void this.#send(commits);
		else for (const ofSpace of Map.groupBy(commits, spaceOf).values()) void this.#send(ofSpace);
	}

	async #send(commits: readonly Commit[]): Promise<void> {
		const changes = commits.map(({ change }) => change);
		try {
			const results = await this.#connection.run((client) => commitAll(client, changes));
			for (const [position, { resolve, reject }] of commits.entries()) {
				const result = results[position] as CommitResult | StoreError;
				if (result instanceof StoreError) reject(result);
				else resolve(result);
			}
		} catch (error) {
			for (const { reject } of commits) reject(error as StoreError);
		}
	}
}

/** Returns the namespace of a change, whose keys are all on one node of a cluster. */
function spaceOf({ change: { add, put, remove, index, unindex } }: Commit): string {
	const key = add[0]?.key ?? put[0]?.key ?? remove[0] ?? index[0]?.index ?? unindex[0]?.index ?? '';
	return key.slice(0, key.indexOf(':'));
}

/** @throws the client's errors. Then the changes may have been made or not. */
async function commitAll(
	client: RedisClient,
	changes: readonly StoredChange[],
): Promise<readonly (CommitResult | StoreError)[]> {
	try {
		const { keys, args } = encodeBatch(changes);
		const answers = (await runScript(client, keys[0] ?? '', [String(keys.length), ...keys, ...args])) as unknown[];
		return changes.map((change, position) => decodeResult(answers[position], change));
	} catch (error) {
		// A server that is full has made no change. It still accepts those that only remove.
		if (changes.length === 1 || replyCode(error) !== 'OOM') throw error;
		const alone = changes.map((change) => commitAll(client, [change]).catch((cause: unknown) => [toStoreError(cause)]));
		return (await Promise.all(alone)).flat();
	}
}

/** Runs the script by its hash. A server that was restarted, or whose scripts were flushed, needs the script itself once. */
async function runScript(client: RedisClient, key: string, args: string[]): Promise<unknown> {
	try {
		return await client.send(key, ['EVALSHA', SCRIPT_SHA1, ...args]);
	} catch (error) {
		if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
		return client.send(key, ['EVAL', SCRIPT, ...args]);
	}
}
