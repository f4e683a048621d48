import { DatabaseSync } from 'node:sqlite';
import { createClient } from '@keyv/redis';

/** A store as its own program sees it. */
export type Backend = {
	/** Returns how many bytes the store takes up, and how many entries and indexes there are. */
	size(): Promise<{ bytes: number; entries: number }>;
	/** Deletes what will have expired so many milliseconds from now. */
	expire(ms: number): Promise<void>;
	close(): void;
};

const KEYS_PER_PAGE = 1000;

export async function openBackend(url: string): Promise<Backend> {
	return url.startsWith('sqlite:') ? sqliteBackend(url.slice('sqlite:'.length)) : redisBackend(url);
}

function sqliteBackend(path: string): Backend {
	const database = new DatabaseSync(path, { timeout: 5000 });
	return {
		/** The size of the file without free pages. */
		async size() {
			database.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');
			const { bytes, entries } =
				database
					.prepare(
						`SELECT page_count * page_size AS bytes, (SELECT count(*) FROM entries) AS entries
						 FROM pragma_page_count, pragma_page_size`,
					)
					.get() ?? {};
			return { bytes: Number(bytes), entries: Number(entries) };
		},
		async expire(ms) {
			for (const table of ['entries', 'members'])
				database.prepare(`DELETE FROM ${table} WHERE expires < ?`).run(Date.now() + ms);
		},
		close: () => database.close(),
	};
}

async function redisBackend(url: string): Promise<Backend> {
	const client = createClient({ url });
	await client.connect();
	return {
		/** The memory of the keys and their values. https://redis.io/docs/latest/commands/info/ */
		async size() {
			const memory = String(await client.sendCommand(['INFO', 'memory']));
			const entries = Number(await client.sendCommand(['DBSIZE']));
			return { bytes: Number(/^used_memory_dataset:(\d+)/m.exec(memory)?.[1]), entries };
		},
		async expire(ms) {
			let cursor = '0';
			do {
				const [next, keys] = (await client.sendCommand([
					'SCAN',
					cursor,
					'COUNT',
					String(KEYS_PER_PAGE),
				])) as unknown as [string, string[]];
				const left = await Promise.all(keys.map((key) => client.sendCommand(['PTTL', key])));
				const expired = keys.filter((_, position) => Number(left[position]) >= 0 && Number(left[position]) < ms);
				if (expired.length > 0) await client.sendCommand(['DEL', ...expired]);
				cursor = next;
			} while (cursor !== '0');
		},
		close: () => client.destroy(),
	};
}
