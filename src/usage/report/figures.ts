import type { Receipt } from '../../domain/receipt.ts';
import type { Translate } from '../../i18n/translator.ts';

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

/** `12,345` */
export const count = ({ language }: Translate, number: number) => new Intl.NumberFormat(language).format(number);
