import type { Keyv } from 'keyv';

export type MessageRecords<Entry> = ReturnType<typeof createMessageRecords<Entry>>;

/** An answer that only its reader sees is edited while its request runs, and never found again. */
const FLEETING_MS = 3600_000;

/**
 * The messages of the bot, by the key that each was posted under. Buttons need no record: they arrive with their message.
 *
 * @param idOf the platform's id of a message; undefined for a message that cannot be named
 * @param isFleeting tells whether the platform lets nobody edit the message after some minutes: it is found for an hour
 * @param ttlMs how long another message is found after it was posted or edited; longer than any request takes
 */
export function createMessageRecords<Entry>(
	keyv: Keyv,
	idOf: (entry: Entry) => string | undefined,
	isFleeting: (entry: Entry) => boolean,
	ttlMs: number,
) {
	/** In this process a message is found as soon as `save` is called. */
	const unsaved = new Map<string, unknown>();

	const read = async <Value>(key: string): Promise<Value | undefined> =>
		(unsaved.get(key) as Value | undefined) ?? keyv.get<Value>(key);

	return {
		find: (key: string) => read<Entry>(`post:${key}`),
		keyOf: (id: string) => read<string>(`message:${id}`),

		async save(key: string, entry: Entry): Promise<void> {
			const id = idOf(entry);
			const ttl = isFleeting(entry) ? Math.min(FLEETING_MS, ttlMs) : ttlMs;
			const entries = [{ key: `post:${key}`, value: entry as unknown, ttl }];
			if (id !== undefined) entries.push({ key: `message:${id}`, value: key, ttl });
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
