import type { FilesDriver } from './files.ts';
import type { RedisConnection } from './redis-connection.ts';
import { scan } from './redis-keys.ts';

/** Files as values of their own, each on whichever node of a cluster. @param namespace as keyv has it, `{usage}` */
export function createRedisFiles(connection: RedisConnection, namespace: string): FilesDriver {
	const start = `${namespace.replace(/[{}]/g, '')}-files::`;
	const keyOf = (name: string) => start + name;

	return {
		async put(name, bytes, expires) {
			const key = keyOf(name);
			const value = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
			const until = expires === undefined ? [] : ['PXAT', String(expires)];
			await connection.run((link) => link.send(key, ['SET', key, value, ...until]));
		},
		async get(name) {
			const key = keyOf(name);
			return (await connection.run((link) => link.read(key, ['GET', key]))) ?? undefined;
		},
		async delete(name) {
			const key = keyOf(name);
			return (await connection.run((link) => link.send(key, ['UNLINK', key]))) === 1;
		},
		async names() {
			const names = new Set<string>();
			for (const node of await connection.run((link) => link.nodesWithKeys()))
				for await (const keys of scan((command) => connection.run(() => node(command)), start))
					for (const key of keys) names.add(key.slice(start.length));
			return [...names];
		},
	};
}
