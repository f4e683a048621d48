import { type Debit, isClosed, type Job, type Receipt } from '../domain/job.ts';
import type { Place, ServerId } from '../domain/place.ts';
import { isPersonal } from '../domain/place.ts';
import { idOfMember, membersOf, timeKey } from '../store/pages.ts';
import type { Change, Space } from '../store/store.ts';
import { erasedAmong, sumsKey } from './erased-members.ts';
import { jobKey, pruneCalls } from './jobs.ts';
import type { LedgerOptions } from './ledger-options.ts';
import { isOfCall, isReported, MONTHS, receiptKey, receiptsIndex, serverMonthOf } from './receipts.ts';
import { counterStep, windowsAt, type Zone, zoneAt } from './settings/windows.ts';
import { type DayTotal, figuresOf, sumOf } from './totals.ts';

const RECEIPTS_PER_COMMIT = 100;

/** A server's month, and the receipts of it that one commit adds up. */
type Page = { server: ServerId; month: string; members: readonly string[] };

/**
 * Adds up the receipts that are older than the retention time, and deletes them. The totals of each member, day and command stay,
 * without the member's name. Several processes may do this at the same time. Receipts of open jobs stay for the next time.
 */
export async function sumUpOldReceipts(options: LedgerOptions): Promise<void> {
	const { space, now, retentionMs } = options;
	const until = now() - retentionMs;
	for await (const member of membersOf(space, MONTHS)) {
		const { server, month } = serverMonthOf(member);
		if (Date.parse(`${month}-01T00:00Z`) > until) return;
		await sumUpMonth(options, server, month, until);
		const index = receiptsIndex(server, month);
		const isEmpty = (await space.members(index, { limit: 1 })).length === 0;
		if (isEmpty) await space.commit({ unindex: [{ index: MONTHS, member }] });
	}
}

async function sumUpMonth(options: LedgerOptions, server: ServerId, month: string, until: number): Promise<void> {
	const index = receiptsIndex(server, month);
	for (let after = ''; ; ) {
		const page = { ...(after && { after }), before: timeKey(until), limit: RECEIPTS_PER_COMMIT };
		const members = await options.space.members(index, page);
		while (!(await sumUpPage(options, { server, month, members })));
		if (members.length < RECEIPTS_PER_COMMIT) return;
		after = members.at(-1) ?? '';
	}
}

/** Returns false when another process has added up receipts of this server meanwhile; then nothing was changed. */
async function sumUpPage({ space, settings, now, retentionMs }: LedgerOptions, page: Page): Promise<boolean> {
	const { server, month, members } = page;
	if (members.length === 0) return true;
	const lock = sumsKey(server);
	const version = (await space.keyv.get<number>(lock)) ?? 0;
	const zone = await settings.get(server);

	const ids = members.map(idOfMember);
	const jobs = await space.keyv.getMany<Job>(ids.map(jobKey));
	const closed = members.map((member, position) => ({ member, id: ids[position] ?? '', job: jobs[position] }));
	const done = closed.filter(({ job }) => job === undefined || isClosed(job));
	const keys = done.map(({ id }) => receiptKey({ place: server as Place, id }));
	const receipts = (await space.keyv.getMany<Receipt>(keys)).filter((receipt) => receipt !== undefined);

	const change: Change = {
		add: [
			{ key: lock, by: 1, atMost: version + 1 },
			...debitsOf(receipts).map(([key, by]) => counterStep([summedKey(key), by], now(), retentionMs)),
		],
		...(await totalsChange(space, server, receipts, zone)),
		remove: keys,
		unindex: done.map(({ member }) => ({ index: receiptsIndex(server, month), member })),
	};
	for (const person of new Set(receipts.map(({ person }) => person.id)))
		await pruneCalls(space, server.platform, person, retentionMs, now());
	return (await space.commit(change)) === 'done';
}

/** The part of a counter whose receipts were added up. It expires with the counter. */
export const summedKey = (counter: string) => `summed:${counter}`;

function debitsOf(receipts: readonly Receipt[]): Debit[] {
	const sums = new Map<string, number>();
	for (const { outcome, debits } of receipts)
		if (outcome !== 'failed') for (const [key, by] of debits) sums.set(key, (sums.get(key) ?? 0) + by);
	return [...sums];
}

/** Returns the new totals of all members whose calls are added up. */
async function totalsChange(
	space: Space,
	server: ServerId,
	receipts: readonly Receipt[],
	zone: Zone,
): Promise<Pick<Change, 'put' | 'index'>> {
	const added = new Map<string, { index: string; person: string; totals: DayTotal[] }>();
	const ids = receipts.map(({ person }) => person.id);
	const erased = await erasedAmong(space, server, ids);
	for (const receipt of receipts) {
		if (!isOfCall(receipt) || !isReported(receipt)) continue;
		const { day, month } = windowsAt(receipt.at, zoneAt(zone, receipt.at));
		const erasure = erased.get(receipt.person.id);
		if (erasure && isPersonal(server)) continue;
		const person = erasure && receipt.at <= erasure.at ? erasure.id : receipt.person.id;
		const index = totalsIndex(server, month.id);
		const key = `${index}:${person}`;
		const entry = added.get(key) ?? { index, person, totals: [] };
		added.set(key, entry);
		entry.totals.push({ person, day: day.id, command: receipt.command, ...figuresOf(receipt) });
	}
	const keys = [...added.keys()];
	const earlier = await space.keyv.getMany<DayTotal[]>(keys);
	const entries = [...added.values()];
	return {
		put: entries.map(({ totals }, position) => ({
			key: keys[position] ?? '',
			value: merged([...(earlier[position] ?? []), ...totals]),
		})),
		index: entries.map(({ index, person }) => ({ index, member: person })),
	};
}

function merged(totals: readonly DayTotal[]): DayTotal[] {
	const groups = Map.groupBy(totals, ({ day, command }) => `${day} ${command}`);
	return [...groups.values()].map((group) => ({ ...(group[0] as DayTotal), ...sumOf(group) }));
}

/** Yields the totals of a server's month: of calls of which no receipts are kept any more. @param month `2026-11` */
export async function* dayTotalsOf(space: Space, server: ServerId, month: string): AsyncGenerator<DayTotal> {
	const index = totalsIndex(server, month);
	for await (const person of membersOf(space, index))
		yield* (await space.keyv.get<DayTotal[]>(`${index}:${person}`)) ?? [];
}

/** The index of the members who have totals in a month. Their entries begin with its name. */
const totalsIndex = ({ platform, server }: ServerId, month: string) => `totals:${platform}:${server}:${month}`;
