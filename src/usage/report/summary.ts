import type { Receipt } from '../../domain/job.ts';
import type { Translate } from '../../i18n/translator.ts';
import { createPauses } from '../../store/store.ts';
import { type DayTotal, type Figures, figuresOf, NONE, sumOf } from '../totals.ts';
import { windowsAt } from '../windows.ts';

export type MemberSummary = Figures & {
	id: string;
	/** The name in the latest receipt. */
	name: string;
};

/** A day of a server's month, from `starts` until just before `ends`, in Unix milliseconds. */
export type Day = { id: string; starts: number; ends: number };

export type DaySummary = Day & { calls: number; usd: number; byCommand: ReadonlyMap<string, number> };

/**
 * The caps of a server: calls, and micro-USD, a day and a month, and micro-USD a month beyond the plan. Undefined where there is no cap.
 */
export type Caps = { day?: number; month?: number; usdPerDay?: number; usdPerMonth?: number; overage?: number };

export type ReportOptions = {
	/** `2026-11` */
	month: string;
	timeZone: string;
	caps: Caps;
	/** Unix milliseconds. */
	now: number;
	/** The price of one call beyond the plan, in micro-USD; undefined where calls have prices of their own. */
	price?: number;
	/** The calls of the month of which no receipts are kept any more. */
	dayTotals?: readonly DayTotal[];
};

/** The usage of a server in a month. */
export type Report = Required<Pick<ReportOptions, 'month' | 'timeZone' | 'caps' | 'dayTotals'>> & {
	/** Most calls first. */
	members: readonly MemberSummary[];
	totals: Figures;
	/** Commands with counted calls, most calls first. */
	commands: readonly string[];
	days: readonly DaySummary[];
	/** Oldest first. */
	receipts: readonly Receipt[];
	/** Whether calls have prices of their own, so that the costs are not those beyond the plan alone. */
	hasPrices: boolean;
	/** Of the running month only. */
	forecast?: Forecast;
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
	const dayOf = ({ day, at }: Receipt) => day ?? windowsAt(at, timeZone).day.id;
	const ofMonth: Receipt[] = [];
	for await (const receipt of receipts) if (dayOf(receipt).startsWith(month)) ofMonth.push(receipt);
	ofMonth.sort((a, b) => a.at - b.at);

	const days = daysOf(month, timeZone).map((day) => {
		return { ...day, calls: 0, usd: 0, byCommand: new Map<string, number>() };
	});
	const commands = new Map<string, number>();
	const usage = new Map<string, MemberSummary>();
	const count = ({ person: id, day: dayId, command, ...figures }: DayTotal, name = usage.get(id)?.name ?? '') => {
		usage.set(id, { ...sumOf([usage.get(id) ?? NONE, figures]), id, name });
		const day = days.find((each) => each.id === dayId);
		if (!day || figures.calls === 0) return;
		day.calls += figures.calls;
		day.usd += figures.usd;
		for (const calls of [day.byCommand, commands]) calls.set(command, (calls.get(command) ?? 0) + figures.calls);
	};
	for (const total of dayTotals) count(total);
	const pause = createPauses();
	for (const receipt of ofMonth) {
		await pause();
		const { command, person } = receipt;
		count({ ...figuresOf(receipt), person: person.id, day: dayOf(receipt), command }, person.name);
	}

	const members = [...usage.values()];
	members.sort((a, b) => b.calls - a.calls || b.usd - a.usd || b.failed - a.failed || compare(a.id, b.id));
	const totals = sumOf(members);
	// The plan is renewed only with the month: once a call was beyond it, so are all that follow.
	const latest = ofMonth.findLast((receipt) => figuresOf(receipt).calls > 0);
	const isBeyond = latest !== undefined && latest.usd > 0;
	const hasPrices = price === undefined;
	const average = totals.usd / Math.max(1, totals.calls);
	const pace = { now, caps, usd: totals.usd, price: price === undefined ? average : isBeyond ? price : 0, hasPrices };
	return {
		...{ month, timeZone, caps, members, totals, days, dayTotals, hasPrices, receipts: ofMonth },
		commands: [...commands].sort(([a, x], [b, y]) => y - x || compare(a, b)).map(([command]) => command),
		forecast: forecastOf(days, pace),
	};
}

const compare = (a: string, b: string) => (a < b ? -1 : 1);

export type Forecast = {
	/** The calls of the whole month, rounded. */
	calls: number;
	/** The cost of the whole month, in micro-USD, rounded. */
	usd: number;
	/** The calls still expected on each day from today on. They are fractions, as a pace is. */
	expected: readonly number[];
	/** The day on which a cap of the month is used up at this pace, such as `2026-11-24`. */
	exhaustedOn?: string;
};

/** By what the rest of a month is forecast; see `forecastOf`. */
type Pace = { now: number; caps: Caps; usd: number; price: number; hasPrices?: boolean };

/**
 * Forecasts the rest of the running month, at the pace of its days so far and within the caps. The pace is measured by the time
 * that has passed rather than by dates. Within the first day the calls of that day are the pace, because a few minutes say
 * nothing about a month.
 *
 * @param usd micro-USD so far
 * @param price micro-USD for each further call: the average where calls have prices, 0 while the plan has calls left
 * @returns undefined when `now` is in none of the days
 */
export function forecastOf(
	days: readonly (Day & { calls: number; usd?: number })[],
	{ now, caps, usd, price, hasPrices = false }: Pace,
): Forecast | undefined {
	const today = days.findIndex(({ starts, ends }) => starts <= now && now < ends);
	const current = days[today];
	if (!current) return undefined;

	const made = days.reduce((sum, { calls }) => sum + calls, 0);
	const restOfToday = (current.ends - now) / (current.ends - current.starts);
	const pace = made / Math.max(1, today + 1 - restOfToday);
	const affordableOf = (most = Infinity, spent = 0) =>
		price > 0 ? Math.max(0, Math.floor((most - spent) / price)) : Infinity;
	const beyond = hasPrices ? Infinity : affordableOf(caps.overage, usd);
	const affordable = Math.min(beyond, affordableOf(caps.usdPerMonth, usd));
	const available = Math.max(0, Math.min((caps.month ?? Infinity) - made, affordable));

	let total = 0;
	let exhaustedOn: string | undefined;
	const expected = days.slice(today).map(({ id, calls, usd: spent }, index) => {
		const allowed = Math.min(Math.max(0, (caps.day ?? Infinity) - calls), affordableOf(caps.usdPerDay, spent));
		const wanted = Math.min(index === 0 ? pace * restOfToday : pace, allowed);
		if (wanted >= available - total) exhaustedOn ??= id;
		const granted = Math.min(wanted, available - total);
		total += granted;
		return granted;
	});
	const whole = Math.round(total);
	return { calls: made + whole, usd: Math.round(usd + whole * price), expected, exhaustedOn };
}

/**
 * Returns the days of a month as counters count them: as long as the zone makes them, without days that the zone skipped.
 *
 * @param month `2026-11`
 * @param timeZone IANA name
 * @throws RangeError when the month is written in another form
 */
export function daysOf(month: string, timeZone: string): Day[] {
	let starts = startOf(month, timeZone);
	const days: Day[] = [];
	for (;;) {
		const window = windowsAt(starts, timeZone);
		if (window.month.id !== month) return days;
		days.push({ id: window.day.id, starts, ends: window.day.resetsAt });
		starts = window.day.resetsAt;
	}
}

/**
 * Returns when a month begins and ends in a time zone, in Unix milliseconds.
 *
 * @throws RangeError when the month is written in another form
 */
export function spanOf(month: string, timeZone: string): { from: number; to: number } {
	const { startsAt, resetsAt } = windowsAt(startOf(month, timeZone), timeZone).month;
	return { from: startsAt, to: resetsAt };
}

/** Formats a month: `November 2026`. */
export const monthName = (t: Translate, month: string) =>
	formatDate(t, firstOf(month), { month: 'long', year: 'numeric' });

/** Formats a day without its year: `24 November`. */
export const dayName = (t: Translate, day: string) =>
	formatDate(t, Temporal.PlainDate.from(day), { day: 'numeric', month: 'long' });

const formatDate = ({ language }: Translate, date: Temporal.PlainDate, parts: Intl.DateTimeFormatOptions) =>
	// As an instant, because `Intl` formats a `PlainDate` of the ISO calendar as ISO 8601.
	new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, { ...parts, timeZone: 'UTC' }).format(
		date.toZonedDateTime('UTC').epochMilliseconds,
	);

const startOf = (month: string, timeZone: string) => firstOf(month).toZonedDateTime(timeZone).epochMilliseconds;

function firstOf(month: string): Temporal.PlainDate {
	if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month))
		throw new RangeError('A month must be written as year and month: 2026-11.');
	return Temporal.PlainDate.from(`${month}-01`);
}

/** Formats a whole number in a language: `12,345`. */
export const count = ({ language }: Translate, number: number) => new Intl.NumberFormat(language).format(number);
