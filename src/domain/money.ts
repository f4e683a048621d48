/** Returns 2 decimals, or 3 when the amount has fractions of a cent. */
export const decimalsOf = (mills: number) => (mills % 10 === 0 ? 2 : 3);

/** Formats mills as dollars in a language: `30` → `0.03`, `35` → `0.035`. */
export const dollars = ({ language }: { language: string }, mills: number, decimals = decimalsOf(mills)) =>
	new Intl.NumberFormat(language, {
		minimumFractionDigits: decimals,
		maximumFractionDigits: decimals,
		useGrouping: false,
	}).format(mills / 1000);
