/** Imitates a model's tokenizer: short words with the space before them, long ones in pieces. */
const TOKEN = / ?[\p{L}\p{M}]{1,8}| ?\p{N}{1,3}| ?[^\s\p{L}\p{M}\p{N}]|\s+/gu;

/** Tokens for the role and the delimiters of a message. */
const TOKENS_A_MESSAGE = 4;

/** Splits a text into tokens; joined, they are the text again. */
export function tokensOf(text: string): string[] {
	return text.match(TOKEN) ?? [];
}

export function countTokens(texts: readonly string[]): number {
	return texts.reduce((sum, text) => sum + tokensOf(text).length + TOKENS_A_MESSAGE, 0);
}

export type Ending = { tokens: string[]; finish: 'stop' | 'length' };

/** Cuts an answer at the first stop text, and at `maxTokens`. */
export function cut(text: string, { stop, maxTokens }: { stop: readonly string[]; maxTokens: number }): Ending {
	const ends = stop.map((mark) => text.indexOf(mark)).filter((at) => at >= 0);
	const tokens = tokensOf(text.slice(0, Math.min(text.length, ...ends)));
	if (tokens.length <= maxTokens) return { tokens, finish: 'stop' };
	return { tokens: tokens.slice(0, maxTokens), finish: 'length' };
}
