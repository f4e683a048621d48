import type { FilesDriver } from '../files/files.ts';
import type { RedisConnection } from './redis-connection.ts';
import { scan } from './redis-keys.ts';

/** A picture of several megabytes takes longer than an entry. */
const TIMEOUT_MS = 5000;

/** Keeps each file as a key of its own, so that the files of a cluster are spread over its nodes. */
export class RedisFiles implements FilesDriver {
	readonly #connection: RedisConnection;
	readonly #prefix: string;

	/** @param namespace keyv's namespace, such as `{usage}`. Without the braces, file names are not bound to one node. */
	constructor(connection: RedisConnection, namespace: string) {
		this.#connection = connection;
		this.#prefix = `${namespace.replace(/[{}]/g, '')}-files::`;
	}

	async put(name: string, bytes: Uint8Array, expires?: number): Promise<void> {
		const key = this.#prefix + name;
		const value = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
		const expiry = expires === undefined ? [] : ['PXAT', String(expires)];
		await this.#connection.run((client) => client.send(key, ['SET', key, value, ...expiry]), TIMEOUT_MS);
	}

	async get(name: string): Promise<Uint8Array | undefined> {
		const key = this.#prefix + name;
		return (await this.#connection.run((client) => client.read(key, ['GET', key]), TIMEOUT_MS)) ?? undefined;
	}

	async expiryOf(name: string): Promise<number | undefined> {
		const key = this.#prefix + name;
		const left = Number(await this.#connection.run((client) => client.send(key, ['PTTL', key])));
		return left < 0 ? undefined : Date.now() + left;
	}

	async delete(name: string): Promise<boolean> {
		const key = this.#prefix + name;
		return (await this.#connection.run((client) => client.send(key, ['UNLINK', key]))) === 1;
	}

	async names(): Promise<string[]> {
		const names = new Set<string>();
		for (const send of await this.#connection.run((client) => client.nodesWithKeys()))
			for await (const keys of scan((command) => this.#connection.run(() => send(command)), this.#prefix))
				for (const key of keys) names.add(key.slice(this.#prefix.length));
		return [...names];
	}
}
