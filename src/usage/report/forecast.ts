import type { Day } from './calendar.ts';

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
