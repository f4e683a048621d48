import type { Keyv } from 'keyv';
import type { Where } from './wire.ts';

/** Longer than anything is still under way; buttons need no record, for they come with their message. */
const KEPT_MS = 30 * 24 * 3600 * 1000;

export type Records = ReturnType<typeof createRecords>;

/** Which message was posted under which key. */
export function createRecords(keyv: Keyv) {
	return {
		find: (key: string) => keyv.get<Where>(`post:${key}`),
		keyOf: (message: string) => keyv.get<string>(`message:${message}`),

		async save(key: string, where: Where): Promise<void> {
			await keyv.set(`post:${key}`, where, KEPT_MS);
			if (where.message !== '@original') await keyv.set(`message:${where.message}`, key, KEPT_MS);
		},

		/** Whose direct messages these are. */
		partner: (channel: string) => keyv.get<string>(`direct:${channel}`),

		async meet(channel: string, person: string): Promise<void> {
			if ((await keyv.get(`direct:${channel}`)) !== person) await keyv.set(`direct:${channel}`, person);
		},

		async forget(key: string, { message }: Where): Promise<void> {
			await keyv.delete(`post:${key}`);
			await keyv.delete(`message:${message}`);
		},
	};
}
