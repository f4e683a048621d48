import type { Receipt } from '../../domain/receipt.ts';

let made = 0;

/** A settled call of Ada's at a wall-clock time, `2026-11-05T23:59:59[America/New_York]`, or at Unix milliseconds. */
export function receipt(at: string | number, changes: Partial<Receipt> = {}): Receipt {
	const instant = typeof at === 'number' ? at : Temporal.ZonedDateTime.from(at).epochMilliseconds;
	return {
		id: `90000000000000000${made++}`,
		command: 'imagine',
		place: { platform: 'discord', server: '1', channel: '111111111111111111' },
		person: { id: '222222222222222222', name: 'Ada' },
		outcome: 'succeeded',
		pictures: 1,
		cost: 0,
		takings: [],
		at: instant,
		settledAt: instant + 9_000,
		...changes,
	};
}
