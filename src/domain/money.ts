/** Returns how many decimals an amount needs: 2, or 3 when it contains a tenth of a cent. */
export const decimalsOf = (mills: number) => (mills % 10 === 0 ? 2 : 3);

/** Formats mills as dollars in a language: `30` as `0.03`, `35` as `0.035`. */
export const dollars = ({ language }: { language: string }, mills: number, decimals = decimalsOf(mills)) =>
	new Intl.NumberFormat(language, {
		minimumFractionDigits: decimals,
		maximumFractionDigits: decimals,
		useGrouping: false,
	}).format(mills / 1000);
