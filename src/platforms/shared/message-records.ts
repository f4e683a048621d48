import type { Keyv } from 'keyv';

/** Longer than any request takes. Buttons need no record: they arrive with their message. */
const RECORD_TTL_MS = 30 * 24 * 3600 * 1000;

export type MessageRecords<Entry> = ReturnType<typeof createMessageRecords<Entry>>;

/**
 * The messages of the bot, by the key that each was posted under.
 *
 * @param idOf the platform's id of a message; undefined for a message that cannot be named
 */
export function createMessageRecords<Entry>(keyv: Keyv, idOf: (entry: Entry) => string | undefined) {
	return {
		find: (key: string) => keyv.get<Entry>(`post:${key}`),
		keyOf: (id: string) => keyv.get<string>(`message:${id}`),

		async save(key: string, entry: Entry): Promise<void> {
			const id = idOf(entry);
			await keyv.set(`post:${key}`, entry, RECORD_TTL_MS);
			if (id !== undefined) await keyv.set(`message:${id}`, key, RECORD_TTL_MS);
		},

		async forget(key: string, entry: Entry): Promise<void> {
			const id = idOf(entry);
			await keyv.delete(`post:${key}`);
			if (id !== undefined) await keyv.delete(`message:${id}`);
		},
	};
}
