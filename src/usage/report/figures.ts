import type { Receipt } from '../../domain/receipt.ts';
import type { Translate } from '../../i18n/translator.ts';

/** The usage of a member, or of all. */
export type Figures = {
	/** Calls that count against caps. A call of unknown outcome counts; a failed one was refunded. */
	calls: number;
	pictures: number;
	failed: number;
	/** Of `calls`, those whose outcome is unknown. */
	unknown: number;
	/** The cost beyond the plan, in mills. */
	cost: number;
};

/** The calls that a member made in a day by one command. It replaces their receipts once these are no longer kept. */
export type DayTotal = Figures & {
	/** The member's id. */ person: string /** `2026-11-20` */;
	day: string;
	command: string;
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

/** Formats a whole number in a language: `12,345`. */
export const count = ({ language }: Translate, number: number) => new Intl.NumberFormat(language).format(number);
