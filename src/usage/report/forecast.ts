import type { Day } from './calendar.ts';

/** The most that a server may use: calls a day and a month, and mills a month beyond the plan. Absent: as many as they like. */
export type Caps = { day?: number | undefined; month?: number | undefined; overage?: number | undefined };

export type Forecast = {
	/** Calls by the month's end, those made included; rounded. */
	calls: number;
	/** Mills by the month's end. */
	cost: number;
	/** Calls still to come on each day, first of them today; fractions, as paces are. */
	coming: readonly number[];
	/** The day on which a month's cap leaves nothing at this pace, `2026-11-24`. */
	spent?: string;
};

/**
 * Where the running month ends if people go on as they did, as far as the caps let them. Undefined when `now` is in none of the
 * days. The pace is that of the month so far, by the time that has passed rather than by dates; within the first day it is
 * that day's calls, because minutes say nothing about a month.
 *
 * @param cost mills so far
 * @param price mills of each call still to come; 0 while the plan has some left
 */
export function forecastOf(
	days: readonly (Day & { calls: number })[],
	{ now, caps, cost, price }: { now: number; caps: Caps; cost: number; price: number },
): Forecast | undefined {
	const today = days.findIndex(({ starts, ends }) => starts <= now && now < ends);
	const current = days[today];
	if (!current) return undefined;

	const made = days.reduce((sum, { calls }) => sum + calls, 0);
	const left = (current.ends - now) / (current.ends - current.starts);
	const pace = made / Math.max(1, today + 1 - left);
	const affordable = price > 0 ? Math.floor(((caps.overage ?? Infinity) - cost) / price) : Infinity;
	const room = Math.max(0, Math.min((caps.month ?? Infinity) - made, affordable));

	let further = 0;
	let spent: string | undefined;
	const coming = days.slice(today).map(({ id, calls }, index) => {
		const wanted = Math.min(index === 0 ? pace * left : pace, Math.max(0, (caps.day ?? Infinity) - calls));
		if (wanted >= room - further) spent ??= id;
		const expected = Math.min(wanted, room - further);
		further += expected;
		return expected;
	});
	const whole = Math.round(further);
	return { calls: made + whole, cost: cost + whole * price, coming, ...(spent && { spent }) };
}
