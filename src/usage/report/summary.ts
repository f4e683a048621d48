import type { Receipt } from '../../domain/job.ts';
import { type Day, daysOf } from './calendar.ts';
import { type DayTotal, type Figures, figuresOf, sumOf } from './figures.ts';

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

/** The caps of a server: calls a day and a month, and mills a month beyond the plan. Undefined where there is no cap. */
export type Caps = { day?: number | undefined; month?: number | undefined; overage?: number | undefined };

export type Forecast = {
	/** The calls of the whole month, rounded. */
	calls: number;
	/** The cost of the whole month, in mills. */
	cost: number;
	/** The calls still expected on each day from today on. They are fractions, as a pace is. */
	expected: readonly number[];
	/** The day on which a cap of the month is used up at this pace, such as `2026-11-24`. */
	exhaustedOn?: string;
};

/**
 * Forecasts the rest of the running month, at the pace of its days so far and within the caps. The pace is measured by the time
 * that has passed rather than by dates. Within the first day the calls of that day are the pace, because a few minutes say
 * nothing about a month.
 *
 * @param cost mills so far
 * @param price mills for each further call; 0 while the plan has calls left
 * @returns undefined when `now` is in none of the days
 */
export function forecastOf(
	days: readonly (Day & { calls: number })[],
	{ now, caps, cost, price }: { now: number; caps: Caps; cost: number; price: number },
): Forecast | undefined {
	const today = days.findIndex(({ starts, ends }) => starts <= now && now < ends);
	const current = days[today];
	if (!current) return undefined;

	const made = days.reduce((sum, { calls }) => sum + calls, 0);
	const restOfToday = (current.ends - now) / (current.ends - current.starts);
	const pace = made / Math.max(1, today + 1 - restOfToday);
	const affordable = price > 0 ? Math.floor(((caps.overage ?? Infinity) - cost) / price) : Infinity;
	const available = Math.max(0, Math.min((caps.month ?? Infinity) - made, affordable));

	let total = 0;
	let exhaustedOn: string | undefined;
	const expected = days.slice(today).map(({ id, calls }, index) => {
		const wanted = Math.min(index === 0 ? pace * restOfToday : pace, Math.max(0, (caps.day ?? Infinity) - calls));
		if (wanted >= available - total) exhaustedOn ??= id;
		const granted = Math.min(wanted, available - total);
		total += granted;
		return granted;
	});
	const whole = Math.round(total);
	return { calls: made + whole, cost: cost + whole * price, expected, ...(exhaustedOn && { exhaustedOn }) };
}
