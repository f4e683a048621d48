import { z } from 'zod';
import { defineCommand } from '../src/bot/declaration/command.ts';

/** Enough for a description, in UTF-16 units. */
const MAX_WORDS = 300;

export const find = defineCommand({
	name: 'find',
	description: 'find.description',
	makes: 'answer',
	options: z.strictObject({
		words: z.string().trim().min(1).max(MAX_WORDS).describe('find.options.words'),
		mine: z.boolean().describe('find.options.mine').optional(),
	}),
	run: ({ options: { words, mine = false }, results }) => results.find(words, mine),
});
