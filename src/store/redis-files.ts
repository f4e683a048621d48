import type { FilesDriver } from './files.ts';
import type { RedisConnection } from './redis-connection.ts';

const NAMES_AT_ONCE = 1000;

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
			for (const node of await connection.run(async (link) => link.nodesWithKeys())) {
				let cursor = '0';
				do {
					const command = ['SCAN', cursor, 'MATCH', `${start}*`, 'COUNT', String(NAMES_AT_ONCE)];
					const [next, keys] = (await connection.run(() => node(command))) as [string, string[]];
					for (const key of keys) names.add(key.slice(start.length));
					cursor = next;
				} while (cursor !== '0');
			}
			return [...names];
		},
	};
}
