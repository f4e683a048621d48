import type { Receipt } from '../receipt.ts';

/** What somebody used. */
export type Figures = {
	/** Calls that count against caps; one whose outcome is unknown stays counted, a failed one was given back. */
	calls: number;
	pictures: number;
	failed: number;
	/** Of `calls`, those that nobody knows the outcome of. */
	unknown: number;
	/** Mills beyond the plan. */
	cost: number;
};

export const figuresOf = ({ outcome, pictures, cost }: Receipt): Figures => ({
	calls: outcome === 'failed' ? 0 : 1,
	pictures,
	failed: outcome === 'failed' ? 1 : 0,
	unknown: outcome === 'unknown' ? 1 : 0,
	cost,
});

export const sumOf = (all: readonly Figures[]): Figures =>
	all.reduce(
		(sum, figures) => ({
			calls: sum.calls + figures.calls,
			pictures: sum.pictures + figures.pictures,
			failed: sum.failed + figures.failed,
			unknown: sum.unknown + figures.unknown,
			cost: sum.cost + figures.cost,
		}),
		{ calls: 0, pictures: 0, failed: 0, unknown: 0, cost: 0 },
	);

const whole = new Intl.NumberFormat('en-US');

/** `12,345` */
export const count = (number: number) => whole.format(number);

/** Mills as dollars: cents, and the mill where there is one. `30` → `0.03`, `35` → `0.035` */
export const usd = (mills: number, decimals = mills % 10 === 0 ? 2 : 3) => (mills / 1000).toFixed(decimals);
