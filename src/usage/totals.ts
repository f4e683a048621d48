import { callKindOf, type Receipt, type TokenUsage } from '../domain/job.ts';

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
	/** The tokens of calls for pictures and of chat turns, where the service counts them. */
	tokens?: TokenUsage;
};

/** The calls that a member made in a day by one command. It replaces their receipts once these are no longer kept. */
export type DayTotal = Figures & {
	/** The member's id. */ person: string /** `2026-11-20` */;
	day: string;
	command: string;
};

/** Returns the figures of a call. A chat turn counts with its tokens alone. */
export function figuresOf(receipt: Receipt): Figures {
	const { outcome, pictures, cost, tokens } = receipt;
	if (callKindOf(receipt) !== 'pictures') return { ...NONE, ...(tokens && { tokens }) };
	return {
		calls: outcome === 'failed' ? 0 : 1,
		pictures,
		failed: outcome === 'failed' ? 1 : 0,
		unknown: outcome === 'unknown' ? 1 : 0,
		cost,
		...(tokens && { tokens }),
	};
}

const NONE: Figures = { calls: 0, pictures: 0, failed: 0, unknown: 0, cost: 0 };

export const sumOf = (all: readonly Figures[]): Figures =>
	all.reduce((sum, figures) => {
		const tokens = sumOfTokens(sum.tokens, figures.tokens);
		return {
			calls: sum.calls + figures.calls,
			pictures: sum.pictures + figures.pictures,
			failed: sum.failed + figures.failed,
			unknown: sum.unknown + figures.unknown,
			cost: sum.cost + figures.cost,
			...(tokens && { tokens }),
		};
	}, NONE);

const sumOfTokens = (one: TokenUsage | undefined, other: TokenUsage | undefined): TokenUsage | undefined =>
	one && other ? { input: one.input + other.input, output: one.output + other.output } : (one ?? other);
