import type { Receipt } from '../../domain/receipt.ts';
import { type Day, daysOf } from './calendar.ts';
import { type Figures, figuresOf, sumOf } from './figures.ts';
import { type Caps, type Forecast, forecastOf } from './forecast.ts';

export type MemberSummary = Figures & {
	id: string;
	/** As the latest receipt has it. */
	name: string;
};

/** A server's month. */
export type Report = {
	/** `2026-11` */
	month: string;
	timeZone: string;
	caps: Caps;
	/** Most calls first. */
	members: readonly MemberSummary[];
	totals: Figures;
	/** Commands that made counted calls, most calls first. */
	commands: readonly string[];
	days: readonly (Day & { calls: number; byCommand: ReadonlyMap<string, number> })[];
	/** Oldest first. */
	receipts: readonly Receipt[];
	/** Of the running month only. */
	forecast?: Forecast;
};

export type ReportOptions = {
	/** `2026-11` */
	month: string;
	/** IANA name; the server's. */
	timeZone: string;
	/** The server's. */
	caps: Caps;
	/** Unix milliseconds. */
	now: number;
	/** Mills for one call beyond the plan. */
	price: number;
};

/**
 * Adds up one server's receipts. A call belongs to the day and month that it was reserved in, like its counters, however much
 * later it was settled; receipts of other months are passed over. Their order does not matter.
 * @throws RangeError with a sentence when `month` is none
 */
export async function summarise(
	receipts: Iterable<Receipt> | AsyncIterable<Receipt>,
	{ month, timeZone, caps, now, price }: ReportOptions,
): Promise<Report> {
	const days = daysOf(month, timeZone).map((day) => ({ ...day, calls: 0, byCommand: new Map<string, number>() }));
	const dayOf = ({ at }: Receipt) => days.find(({ starts, ends }) => starts <= at && at < ends);
	const ours: Receipt[] = [];
	for await (const receipt of receipts) if (dayOf(receipt)) ours.push(receipt);
	ours.sort((a, b) => a.at - b.at);

	const members = new Map<string, MemberSummary>();
	const commands = new Map<string, number>();
	for (const receipt of ours) {
		const { command, person } = receipt;
		const figures = figuresOf(receipt);
		const known = members.get(person.id);
		members.set(person.id, { ...(known ? sumOf([known, figures]) : figures), id: person.id, name: person.name });
		const day = dayOf(receipt);
		if (!day || figures.calls === 0) continue;
		day.calls++;
		tally(day.byCommand, command);
		tally(commands, command);
	}

	const rows = [...members.values()].sort(
		(a, b) => b.calls - a.calls || b.cost - a.cost || b.failed - a.failed || order(a.id, b.id),
	);
	const totals = sumOf(rows);
	// The plan is not refilled before the month is over: once a call was beyond it, so are all that follow.
	const latest = ours.findLast((receipt) => figuresOf(receipt).calls > 0);
	const forecast = forecastOf(days, { now, caps, cost: totals.cost, price: latest && latest.cost > 0 ? price : 0 });
	return {
		month,
		timeZone,
		caps,
		members: rows,
		totals,
		commands: [...commands].sort(([a, x], [b, y]) => y - x || order(a, b)).map(([command]) => command),
		days,
		receipts: ours,
		...(forecast && { forecast }),
	};
}

const order = (a: string, b: string) => (a < b ? -1 : 1);

const tally = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);
