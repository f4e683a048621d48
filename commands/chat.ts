import { z } from 'zod';
import { defineCommand } from '../src/bot/command.ts';
import { prompt } from './options.ts';

/** Slack's titles are free; Discord's threads have at most 100 characters, and a list of them shows fewer. */
const TITLE_CHARACTERS = 60;

export const chat = defineCommand({
	name: 'chat',
	description: 'Open a thread to talk in',
	makes: 'thread',
	options: z.strictObject({
		prompt: prompt('What to begin with').optional(),
		model: z
			.string()
			.trim()
			.max(100)
			.refine((text) => /^[\w.:/-]+$/.test(text), '`{option}` is not the name of a model; /models lists them.')
			.describe('Which model answers; /models lists them')
			.meta({ completed: true })
			.optional(),
		mentions_only: z.boolean().describe('Answer only what mentions me').optional(),
		private: z.boolean().describe('Only you see the thread').optional(),
	}),
	run: async ({ options, person, t }) => ({
		title: titleOf(options.prompt ?? t('Chat with {name}', { name: person.name })),
		prompt: options.prompt,
		model: options.model,
		mentionsOnly: options.mentions_only ?? false,
		private: options.private ?? false,
	}),
});

/** The first words that fit on one line. */
function titleOf(text: string): string {
	const line = text.replaceAll(/\s+/g, ' ');
	if (line.length <= TITLE_CHARACTERS) return line;
	const cut = line.slice(0, TITLE_CHARACTERS - 1);
	return `${cut.slice(0, cut.lastIndexOf(' ') > TITLE_CHARACTERS / 2 ? cut.lastIndexOf(' ') : undefined).toWellFormed()}…`;
}
