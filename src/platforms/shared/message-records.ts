import type { Keyv } from 'keyv';

export type MessageRecords<Entry> = ReturnType<typeof createMessageRecords<Entry>>;

/**
 * The messages of the bot, by the key that each was posted under. Buttons need no record: they arrive with their message.
 *
 * @param idOf the platform's id of a message; undefined for a message that cannot be named
 * @param ttlMs how long a message is found after it was posted or edited; longer than any request takes
 */
export function createMessageRecords<Entry>(keyv: Keyv, idOf: (entry: Entry) => string | undefined, ttlMs: number) {
	return {
		find: (key: string) => keyv.get<Entry>(`post:${key}`),
		keyOf: (id: string) => keyv.get<string>(`message:${id}`),

		async save(key: string, entry: Entry): Promise<void> {
			const id = idOf(entry);
			const entries = [{ key: `post:${key}`, value: entry as unknown, ttl: ttlMs }];
			if (id !== undefined) entries.push({ key: `message:${id}`, value: key, ttl: ttlMs });
			await keyv.setMany(entries);
		},

		async forget(key: string, entry: Entry): Promise<void> {
			const id = idOf(entry);
			await keyv.delete(`post:${key}`);
			if (id !== undefined) await keyv.delete(`message:${id}`);
		},
	};
}
