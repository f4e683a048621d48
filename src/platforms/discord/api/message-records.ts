import type { Keyv } from 'keyv';
import { createMessageRecords as createShared } from '../../shared/message-records.ts';
import type { RequestRoute } from './api.ts';

/** By a person's id: the server where they have asked last, their client's language. By a channel's: whose direct messages these are. */
type Remembered = 'home' | 'locale' | 'direct';

export type MessageRecords = ReturnType<typeof createMessageRecords>;

/** Which message was posted under which key, and what is remembered of people. */
export function createMessageRecords(keyv: Keyv) {
	return {
		...createShared<RequestRoute>(keyv, ({ message }) => (message === '@original' ? undefined : message)),

		/** Undefined where nothing is remembered. */
		recall: (what: Remembered, id: string) => keyv.get<string>(`${what}:${id}`),

		/** In the store alone, since another process may hear of the same people. */
		async remember(what: Remembered, id: string, value: string): Promise<void> {
			if ((await keyv.get(`${what}:${id}`)) !== value) await keyv.set(`${what}:${id}`, value);
		},
	};
}
