import type { Job } from '../domain/job.ts';
import type { Place } from '../domain/place.ts';
import type { Receipt } from '../domain/receipt.ts';
import type { Space } from '../store/store.ts';
import type { Layer } from './layers.ts';

type ServerId = Pick<Place, 'platform' | 'server'>;

/** The command of an opening receipt. */
const NO_COMMAND = '';

export const receiptKey = ({ place, id }: Pick<Job, 'place' | 'id'>) =>
	`receipt:${place.platform}:${place.server}:${id}`;

/** Yields the receipts of a server's calls, for pictures and for chat. */
export async function* receiptsOf(space: Space, { platform, server }: ServerId): AsyncGenerator<Receipt> {
	for await (const [, value] of space.list(`receipt:${platform}:${server}:`)) {
		const receipt = value as Receipt;
		if (receipt.command !== NO_COMMAND) yield receipt;
	}
}

/** Returns the receipt that accounts for what a counter starts with. It belongs to no call, and `receiptsOf` omits it. */
export function openingReceipt(place: Place, { key }: Layer, by: number, at: number): Receipt {
	return {
		id: `opening:${key}:${at}`,
		command: NO_COMMAND,
		place,
		person: { id: '', name: '' },
		outcome: 'succeeded',
		pictures: 0,
		cost: 0,
		takings: [{ key, by }],
		at,
		settledAt: at,
	};
}
