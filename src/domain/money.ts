/** Cents, and the mill where there is one. */
export const decimalsOf = (mills: number) => (mills % 10 === 0 ? 2 : 3);

/** Mills as dollars, in somebody's language. `30` → `0.03`, `35` → `0.035` */
export const dollars = ({ language }: { language: string }, mills: number, decimals = decimalsOf(mills)) =>
	new Intl.NumberFormat(language, {
		minimumFractionDigits: decimals,
		maximumFractionDigits: decimals,
		useGrouping: false,
	}).format(mills / 1000);
