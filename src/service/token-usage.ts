import type { TokenUsage } from '../domain/receipt.ts';

/**
 * Reads the `usage` of an answer: `input_tokens` and `output_tokens` for pictures, `prompt_tokens` and `completion_tokens` for chat.
 * https://github.com/openai/openai-openapi
 *
 * @returns undefined when it is missing or has no such counts
 */
export function readTokenUsage(usage: unknown): TokenUsage | undefined {
	const { input_tokens, output_tokens, prompt_tokens, completion_tokens } = Object(usage) as Record<string, unknown>;
	const input = input_tokens ?? prompt_tokens;
	const output = output_tokens ?? completion_tokens;
	return isCount(input) && isCount(output) ? { input, output } : undefined;
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
