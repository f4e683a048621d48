const QUOTATION = /[“„"«]([^“”„"«»]{1,200})[”“"»]|(?<![\p{L}\p{N}])['‘‚]([^'‘’‚]{1,200}?)['’](?![\p{L}\p{N}])/gu;

/** Text that is announced but not quoted: "add the text Hello in red", "a sign saying Open". */
const ANNOUNCED =
	/((?<!\p{L})(?:saying|that says|which says|reading|mit der aufschrift|(?:text|caption|title|headline|write):|(?:add|put|write|insert|place|with)(?: (?:the|a))?(?: \p{L}{1,12})? (?:text|words?|title|caption|headline)|(?:change|replace)(?: the)? (?:text|words?|title|caption) (?:to|with|by))\s+)(?!⟦|saying|that says|which says|reading|in |at |on |to |of |with |and )([^,;.!?\n⟦]{1,80}?)(?=\s+(?:in|at|on|to|with|and|then)\s|[,;.!?\n]|$)/giu;

/** Sets texts that are to be written aside, in their own case: `⟦0⟧` stands for the first. */
export function setQuotesAside(instruction: string): { text: string; quotes: string[] } {
	const quotes: string[] = [];
	const aside = (quote: string) => ` ⟦${quotes.push(quote.trim()) - 1}⟧ `;
	const text = instruction
		.replace(/[⟦⟧]/gu, ' ')
		.replace(QUOTATION, (_, double?: string, single?: string) => aside(double ?? single ?? ''))
		.replace(ANNOUNCED, (_, announcement: string, said: string) => announcement + aside(said));
	return { text: text.toLowerCase(), quotes };
}
