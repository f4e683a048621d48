import type { Receipt } from '../../domain/job.ts';

let receipts = 0;

/**
 * Returns the receipt of a call by Ada, made at a wall-clock time such as `2026-11-05T23:59:59[America/New_York]`, or
 * at Unix milliseconds.
 */
export function receipt(at: string | number, changes: Partial<Receipt> = {}): Receipt {
	const instant = typeof at === 'number' ? at : Temporal.ZonedDateTime.from(at).epochMilliseconds;
	const id = `90000000000000000${receipts++}`;
	const place = { platform: 'discord', server: '1', channel: '111111111111111111' };
	return {
		...{ id, place, state: 'delivered', step: 0, claims: 0, process: '', message: { place, key: id } },
		command: 'imagine',
		person: { id: '222222222222222222', name: 'Ada' },
		outcome: 'succeeded',
		pictures: 1,
		usd: 0,
		debits: [],
		at: instant,
		settledAt: instant + 9_000,
		...changes,
	};
}
