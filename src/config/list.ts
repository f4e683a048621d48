/** Splits at commas and white space. */
export function listOf(text: string): string[] {
	return text.split(/[\s,]+/).filter(Boolean);
}
