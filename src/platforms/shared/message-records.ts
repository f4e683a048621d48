import type { Keyv } from 'keyv';

export type MessageRecords<Entry> = ReturnType<typeof createMessageRecords<Entry>>;

/**
 * The messages of the bot, by the key that each was posted under. Buttons need no record: they arrive with their message.
 *
 * @param idOf the platform's id of a message; undefined for a message that cannot be named
 * @param ttlMs how long a message is found after it was posted or edited; longer than any request takes
 */
export function createMessageRecords<Entry>(keyv: Keyv, idOf: (entry: Entry) => string | undefined, ttlMs: number) {
	/** In this process a message is found as soon as `save` is called. */
	const unsaved = new Map<string, unknown>();

	const read = async <Value>(key: string): Promise<Value | undefined> =>
		(unsaved.get(key) as Value | undefined) ?? keyv.get<Value>(key);

	return {
		find: (key: string) => read<Entry>(`post:${key}`),
		keyOf: (id: string) => read<string>(`message:${id}`),

		async save(key: string, entry: Entry): Promise<void> {
			const id = idOf(entry);
			const entries = [{ key: `post:${key}`, value: entry as unknown, ttl: ttlMs }];
			if (id !== undefined) entries.push({ key: `message:${id}`, value: key, ttl: ttlMs });
			for (const one of entries) unsaved.set(one.key, one.value);
			try {
				await keyv.setMany(entries);
			} finally {
				for (const one of entries) if (unsaved.get(one.key) === one.value) unsaved.delete(one.key);
			}
		},

		async forget(key: string, entry: Entry): Promise<void> {
			const id = idOf(entry);
			await keyv.delete(`post:${key}`);
			if (id !== undefined) await keyv.delete(`message:${id}`);
		},
	};
}
