import type { Receipt } from '../../domain/job.ts';
import { type Day, daysOf } from './calendar.ts';
import { type DayTotal, type Figures, figuresOf, sumOf } from './figures.ts';
import { type Caps, type Forecast, forecastOf } from './forecast.ts';

export type MemberSummary = Figures & {
	id: string;
	/** The name in the latest receipt. */
	name: string;
};

export type DaySummary = Day & { calls: number; byCommand: ReadonlyMap<string, number> };

/** The usage of a server in a month. */
export type Report = {
	/** `2026-11` */
	month: string;
	timeZone: string;
	caps: Caps;
	/** Most calls first. */
	members: readonly MemberSummary[];
	totals: Figures;
	/** Commands with counted calls, most calls first. */
	commands: readonly string[];
	days: readonly DaySummary[];
	/** The calls of which no receipts are kept any more. */
	dayTotals: readonly DayTotal[];
	/** Oldest first. */
	receipts: readonly Receipt[];
	/** Of the running month only. */
	forecast?: Forecast;
};

export type ReportOptions = {
	/** `2026-11` */
	month: string;
	/** IANA name of the server's time zone. */
	timeZone: string;
	/** The server's caps. */
	caps: Caps;
	/** Unix milliseconds. */
	now: number;
	/** The price of one call beyond the plan, in mills. */
	price: number;
	/** The calls of the month of which no receipts are kept any more. */
	dayTotals?: readonly DayTotal[];
};

/**
 * Summarizes the receipts of one server, in any order. A call belongs to the day and month in which it was reserved, like its
 * counters, no matter when it was settled. Receipts of other months are ignored.
 *
 * @throws RangeError when `month` is written in another form
 */
export async function summarize(
	receipts: Iterable<Receipt> | AsyncIterable<Receipt>,
	{ month, timeZone, caps, now, price, dayTotals = [] }: ReportOptions,
): Promise<Report> {
	const days = daysOf(month, timeZone).map((day) => ({ ...day, calls: 0, byCommand: new Map<string, number>() }));
	const commands = new Map<string, number>();
	const count = (day: (typeof days)[number] | undefined, command: string, calls: number) => {
		if (!day || calls === 0) return;
		day.calls += calls;
		increment(day.byCommand, command, calls);
		increment(commands, command, calls);
	};
	const usage = new MemberUsage();
	for (const total of dayTotals) {
		const day = days.find(({ id }) => id === total.day);
		count(day, total.command, total.calls);
		usage.add(total.person, total);
	}
	const ofMonth: Receipt[] = [];
	// Each receipt is counted as it comes: counting all of a large server at once would hold up everything else.
	for await (const receipt of receipts) {
		const day = days.find(({ starts, ends }) => starts <= receipt.at && receipt.at < ends);
		if (!day) continue;
		ofMonth.push(receipt);
		const figures = figuresOf(receipt);
		count(day, receipt.command, figures.calls);
		usage.add(receipt.person.id, figures, receipt);
	}
	ofMonth.sort((a, b) => a.at - b.at);

	const members = usage.members();
	const totals = sumOf(members);
	// The plan is renewed only with the month: once a call was beyond it, so are all that follow.
	const latest = ofMonth.findLast((receipt) => figuresOf(receipt).calls > 0);
	const forecast = forecastOf(days, { now, caps, cost: totals.cost, price: latest && latest.cost > 0 ? price : 0 });
	return {
		month,
		timeZone,
		caps,
		members,
		totals,
		commands: [...commands].sort(([a, x], [b, y]) => y - x || compare(a, b)).map(([command]) => command),
		days,
		dayTotals,
		receipts: ofMonth,
		...(forecast && { forecast }),
	};
}

/** Adds up the usage of members. */
class MemberUsage {
	readonly #members = new Map<string, MemberSummary & { namedAt: number }>();

	/** @param latest a receipt, whose name is kept unless a later one has another */
	add(id: string, figures: Figures, latest?: Receipt): void {
		const { name, namedAt, ...earlier } = this.#members.get(id) ?? { ...sumOf([]), name: '', namedAt: 0 };
		const isNewer = latest !== undefined && latest.at >= namedAt;
		const named = isNewer ? { name: latest.person.name, namedAt: latest.at } : { name, namedAt };
		this.#members.set(id, { ...sumOf([earlier, figures]), id, ...named });
	}

	/** Returns all members, most calls first. */
	members(): MemberSummary[] {
		const members = [...this.#members.values()].map(({ namedAt: _, ...member }) => member);
		return members.sort((a, b) => b.calls - a.calls || b.cost - a.cost || b.failed - a.failed || compare(a.id, b.id));
	}
}

const compare = (a: string, b: string) => (a < b ? -1 : 1);

const increment = (counts: Map<string, number>, key: string, by: number) =>
	counts.set(key, (counts.get(key) ?? 0) + by);
