/** Quoted words. Bounded: at most 4,000 characters. */
const QUOTED =
	/"([^"\n]{1,200})"|“([^”\n]{1,200})”|„([^“”\n]{1,200})[“”]|«([^»\n]{1,200})»|「([^」\n]{1,200})」|(?<![\p{L}\p{N}])['‘‚]([^'’‘‚\n]{2,200}?)['’‘](?![\p{L}\p{N}])/gu;

/** Text that is announced but not quoted, and begins with a capital: "a sign saying Open", "write FRESH FISH". */
const IN_PROMPT =
	/((?<!\p{L})(?:saying|that says|which says|that reads|mit der aufschrift|avec l['’]inscription|que dice|(?:with )?the (?:words?|text|title|caption|letters)|(?:write|writing|lettering|titled|captioned))(?:\s*:)?\s+)(\p{Lu}[^,;.!?\n]{0,60}?)(?=\s+(?:in|on|at|above|below|under|over|with|and|by)\s|[,;.!?\n]|$)/giu;

/** The same in an instruction: "add the text Hello in red", "a sign saying open". */
const IN_INSTRUCTION =
	/((?<!\p{L})(?:saying|that says|which says|reading|mit der aufschrift|(?:text|caption|title|headline|write):|(?:add|put|write|insert|place|with)(?: (?:the|a))?(?: \p{L}{1,12})? (?:text|words?|title|caption|headline)|(?:change|replace)(?: the)? (?:text|words?|title|caption) (?:to|with|by))\s+)(?!⟦|saying|that says|which says|reading|in |at |on |to |of |with |and )([^,;.!?\n⟦]{1,80}?)(?=\s+(?:in|at|on|to|with|and|then)\s|[,;.!?\n]|$)/giu;

/** The name of what a logo is for. */
const NAMED = /(?<!\p{L})(?:called|named|for)\s+(\p{Lu}[\p{L}\p{N}&]{1,30}(?: \p{Lu}[\p{L}\p{N}&]{1,30}){0,2})/gu;
const FOR_A_NAME = /(?<!\p{L})(?:logo|brand|emblem|badge)(?!\p{L})/iu;

/** Sets texts that are to be written aside, as they are: `⟦0⟧` stands for the first. At most 4,000 characters are read. */
export function setQuotesAside(text: string, kind: 'prompt' | 'instruction'): { text: string; quotes: string[] } {
	const quotes: string[] = [];
	const aside = (quote: string) => {
		const words = quote.replace(/\s+/gu, ' ').trim();
		return words ? ` ⟦${quotes.push(words) - 1}⟧ ` : ' ';
	};
	const quoted = text
		.toWellFormed()
		.normalize('NFKC')
		.slice(0, 4000)
		.replace(/[⟦⟧]/gu, ' ')
		.replace(QUOTED, (_, ...groups: (string | undefined)[]) => aside(groups.slice(0, 6).find(Boolean) ?? ''));
	if (kind === 'instruction')
		return { text: quoted.replace(IN_INSTRUCTION, (_, before: string, said: string) => before + aside(said)), quotes };
	const announced = quoted.replace(IN_PROMPT, (whole, _, said: string) =>
		/^\p{Lu}/u.test(said) ? aside(said) : whole,
	);
	const named = FOR_A_NAME.test(announced) ? announced.replace(NAMED, (_, name: string) => aside(name)) : announced;
	return { text: named, quotes };
}
