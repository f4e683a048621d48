import type { Store } from '../../store/store.ts';
import { findMismatches } from '../../usage/verify.ts';
import { type Finding, fault, ok } from '../check.ts';

/** How often counters that differ are looked at again: while Easel runs, a call may be counted between two reads. */
const REPEATS = 3;

/** Compares every counter with the receipts and running jobs that it is the sum of. */
export async function checkCounters(store: Store, retentionMs: number): Promise<Finding> {
	const find = () => findMismatches({ space: store.space('ledger'), now: Date.now, retentionMs });
	let lasting = await find();
	for (let repeats = 0; repeats < REPEATS && lasting.length > 0; repeats++) {
		const offsets = new Map(lasting.map(({ key, counted, computed }) => [key, counted - computed]));
		lasting = (await find()).filter(({ key, counted, computed }) => offsets.get(key) === counted - computed);
	}
	if (lasting.length === 0) return ok('Every counter equals the sum of its receipts.');
	const [first] = lasting;
	return fault(
		`${lasting.length} counters differ from their receipts, such as ${first?.key}: ${first?.counted} counted, ${first?.computed} in receipts.`,
		{
			variable: 'STORE_URL',
			step: 'Keep a copy of the store and report this; caps hold meanwhile by the counted values. /limits refund gives calls back.',
		},
	);
}
