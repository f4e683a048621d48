import { z } from 'zod';
import type { RequestSummary } from '../src/bot/declaration/command.ts';

/** The service's limit for edits and compositions; ours, the same, for generation. */
const MAX_PROMPT_CHARACTERS = 2000;

/** Sides that are asked of the service: smaller is no picture, larger no sane one. */
const SIDE = { min: 64, max: 4096 };

export const prompt = (description: string) =>
	z
		.string()
		.trim()
		.min(1)
		.max(MAX_PROMPT_CHARACTERS)
		.refine((text) => text.isWellFormed(), '`{option}` has a broken character (half of a surrogate pair).')
		.refine((text) => !/[^\P{Cc}\n\r\t]/u.test(text), '`{option}` has a control character.')
		.describe(description);

export const size = z
	.string()
	.trim()
	.max(9)
	.refine(isSize, { error: '`{option}` is width x height, each {min} to {max}, such as 1024x1024.', params: SIDE })
	.describe('Width x height, such as 1024x1024')
	.meta({ suggests: 'sizes' })
	.optional();

function isSize(text: string): boolean {
	const sides = /^(\d{2,4})x(\d{2,4})$/.exec(text)?.slice(1).map(Number);
	return sides?.every((side) => side >= SIDE.min && side <= SIDE.max) ?? false;
}

/** The most variations that one call gives. */
export const n = z.int().min(1).max(4).describe('How many variations, 1 to 4; they cost one call together').optional();

/** The service says which there are, so only what can't be a name is refused here. */
export const modelName = (description: string) =>
	z
		.string()
		.trim()
		.max(100)
		.refine((text) => /^[\w.:/-]+$/.test(text), '`{option}` is not the name of a model; /models lists them.')
		.describe(description);

export const model = modelName('Image model; /models lists them').meta({ suggests: 'models' }).optional();

export const isPrivate = z.boolean().describe('Only you see the result').optional();

type SharedOptions = {
	prompt: string;
	n?: number | undefined;
	model?: string | undefined;
	private?: boolean | undefined;
};

/** Describes a request by the options that the picture commands share. */
export const summaryOf = ({ prompt, n = 1, model, private: isPrivate = false }: SharedOptions): RequestSummary => ({
	prompt,
	private: isPrivate,
	count: n,
	model,
});
