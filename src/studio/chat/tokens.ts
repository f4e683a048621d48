/** About what a model's tokenizer makes: short words whole with the space before them, long ones in pieces. */
const TOKEN = / ?[\p{L}\p{M}]{1,8}| ?\p{N}{1,3}| ?[^\s\p{L}\p{M}\p{N}]|\s+/gu;

/** Every message costs a few tokens for its role and its bounds. */
const TOKENS_A_MESSAGE = 4;

/** The pieces of a text, which join into it again. */
export function tokensOf(text: string): string[] {
	return text.match(TOKEN) ?? [];
}

export function countTokens(texts: readonly string[]): number {
	return texts.reduce((sum, text) => sum + tokensOf(text).length + TOKENS_A_MESSAGE, 0);
}

export type Ending = { tokens: string[]; finish: 'stop' | 'length' };

/** An answer within what the request allows: up to the first of its stop texts, and no longer than `maxTokens`. */
export function cut(text: string, { stop, maxTokens }: { stop: readonly string[]; maxTokens: number }): Ending {
	const ends = stop.map((mark) => text.indexOf(mark)).filter((at) => at >= 0);
	const tokens = tokensOf(text.slice(0, Math.min(text.length, ...ends)));
	if (tokens.length <= maxTokens) return { tokens, finish: 'stop' };
	return { tokens: tokens.slice(0, maxTokens), finish: 'length' };
}
