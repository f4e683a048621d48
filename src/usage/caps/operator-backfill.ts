import { isSettled, type Job } from '../../domain/job.ts';
import { callKindOf } from '../../domain/limit.ts';
import type { Place } from '../../domain/place.ts';
import type { Receipt } from '../../domain/receipt.ts';
import { membersOf } from '../../store/pages.ts';
import type { Space } from '../../store/store.ts';
import { openJobs } from '../jobs.ts';
import type { LedgerOptions } from '../ledger-options.ts';
import { summedKey } from '../month-totals.ts';
import { MONTHS, openingReceipt, receiptEntries, receiptKey, receiptsOf, serverMonthOf } from '../receipts.ts';
import type { DayTotal } from '../report/figures.ts';
import { counterStep } from '../windows/counters.ts';
import { type Window, windowsAt } from '../windows/windows.ts';
import type { Layer } from './layers.ts';
import { operatorLayers } from './operator-caps.ts';

/** A counter, and the calls of its window that were not taken from it. */
type Uncounted = { layer: Layer; place: Place; calls: Set<string>; fromTotals: number };

/** Adds the calls that the running windows have seen before the operator set a cap; see `Ledger.backfillOperatorCaps`. */
export async function backfillOperatorCaps(options: LedgerOptions): Promise<void> {
	const { space, now, retentionMs, plan } = options;
	const { day, month } = windowsAt(now(), 'UTC');
	const counters = new UncountedCalls(options, [day, month]);
	if (counters.isEmpty) return;
	const from = plan.caps?.serverPerMonth === undefined ? day.startsAt : month.startsAt;

	// In this order no concurrent call is missed: one that ends now has a receipt.
	for await (const job of openJobs(space)) if (!isSettled(job)) counters.add(job);
	for await (const member of membersOf(space, MONTHS)) {
		const { server, month: monthId } = serverMonthOf(member);
		if (monthId !== month.id) continue;
		for await (const receipt of receiptsOf(space, server, { from, to: month.resetsAt })) {
			if (receipt.outcome === 'failed') counters.remove(receipt);
			else counters.add(receipt);
		}
	}
	if (from < now() - retentionMs) await counters.addTotals(month);
	for (const uncounted of counters.all()) await open(options, uncounted);
}

class UncountedCalls {
	readonly #options: LedgerOptions;
	/** The ids of the running windows. */
	readonly #windows: ReadonlySet<string>;
	readonly #byKey = new Map<string, Uncounted>();

	constructor(options: LedgerOptions, windows: readonly Window[]) {
		this.#options = options;
		this.#windows = new Set(windows.map(({ id }) => id));
	}

	/** Whether the operator has set no caps. */
	get isEmpty(): boolean {
		return Object.values(this.#options.plan.caps ?? {}).every((cap) => cap === undefined);
	}

	all(): Iterable<Uncounted> {
		return this.#byKey.values();
	}

	add(call: Job | Receipt): void {
		if (callKindOf(call) !== 'pictures') return;
		for (const layer of this.#layersOf(call.place, call.person.id, call.at))
			if (!call.debits.some(([key]) => key === layer.key)) this.#counter(layer, call.place).calls.add(call.id);
	}

	remove({ place, person, at, id }: Receipt): void {
		for (const { key } of this.#layersOf(place, person.id, at)) this.#byKey.get(key)?.calls.delete(id);
	}

	/**
	 * Adds the calls of the month whose receipts are no longer kept. Their days are those of the server's own time zone, so that calls at
	 * the beginning of the month may be missed or added.
	 */
	async addTotals(month: Window): Promise<void> {
		const { space, now } = this.#options;
		for await (const [key, value] of space.list('totals:')) {
			const [, platform, server] = key.match(/^totals:([^:]+):(.+):\d{4}-\d\d:/) ?? [];
			if (platform === undefined || server === undefined) continue;
			const place: Place = { platform, server, channel: '' };
			const layer = this.#layersOf(place, '', now()).find(
				({ name, period }) => name === 'operatorServer' && period === 'month',
			);
			const totals = (value as DayTotal[]).filter(({ day }) => day.startsWith(month.id));
			const calls = totals.reduce((sum, total) => sum + total.calls, 0);
			if (layer && calls > 0) this.#counter(layer, place).fromTotals += calls;
		}
		for (const uncounted of this.all())
			if (uncounted.fromTotals > 0) uncounted.fromTotals -= await numberAt(space, summedKey(uncounted.layer.key));
	}

	#layersOf(place: Place, personId: string, at: number): Layer[] {
		const layers = operatorLayers(this.#options.plan.caps, place, personId, at);
		return layers.filter(({ window }) => this.#windows.has(window.id));
	}

	#counter(layer: Layer, place: Place): Uncounted {
		const found = this.#byKey.get(layer.key) ?? { layer, place, calls: new Set(), fromTotals: 0 };
		this.#byKey.set(layer.key, found);
		return found;
	}
}

/** Adds the calls to their counter, with a receipt, unless an earlier start or another process has. */
async function open({ space, now, retentionMs }: LedgerOptions, uncounted: Uncounted): Promise<void> {
	const { layer, place, calls } = uncounted;
	const openedKey = `opened:${layer.key}`;
	const total = calls.size + Math.max(0, uncounted.fromTotals);
	for (;;) {
		const missing = total - (await numberAt(space, openedKey));
		if (missing <= 0) return;
		const at = now();
		// No two additions to a counter reach the same total.
		const opening = { ...openingReceipt(place, layer, missing, at), id: `opening:${layer.key}:${total}` };
		const result = await space.commit({
			once: receiptKey(opening),
			add: [
				// Another process may have added them meanwhile.
				counterStep([openedKey, missing], at, retentionMs, total),
				...opening.debits.map((debit) => counterStep(debit, at, retentionMs)),
			],
			...receiptEntries(opening),
		});
		if (result === 'done') return;
	}
}

const numberAt = async (space: Space, key: string): Promise<number> => (await space.keyv.get<number>(key)) ?? 0;
