import type { Keyv } from 'keyv';
import type { RequestRoute } from './api.ts';

/** Longer than anything is still under way; buttons need no record, for they come with their message. */
const KEPT_MS = 30 * 24 * 3600 * 1000;

/** By a person's id: the server where they have asked last, their client's language. By a channel's: whose direct messages these are. */
type Remembered = 'home' | 'locale' | 'direct';

export type MessageRecords = ReturnType<typeof createMessageRecords>;

/** Which message was posted under which key, and what is remembered of people. */
export function createMessageRecords(keyv: Keyv) {
	return {
		find: (key: string) => keyv.get<RequestRoute>(`post:${key}`),
		keyOf: (message: string) => keyv.get<string>(`message:${message}`),

		async save(key: string, where: RequestRoute): Promise<void> {
			await keyv.set(`post:${key}`, where, KEPT_MS);
			if (where.message !== '@original') await keyv.set(`message:${where.message}`, key, KEPT_MS);
		},

		/** Undefined where nothing is remembered. */
		recall: (what: Remembered, id: string) => keyv.get<string>(`${what}:${id}`),

		/** In the store alone, since another process may hear of the same people. */
		async remember(what: Remembered, id: string, value: string): Promise<void> {
			if ((await keyv.get(`${what}:${id}`)) !== value) await keyv.set(`${what}:${id}`, value);
		},

		async forget(key: string, { message }: RequestRoute): Promise<void> {
			await keyv.delete(`post:${key}`);
			await keyv.delete(`message:${message}`);
		},
	};
}
