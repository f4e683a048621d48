import { z } from 'zod';
import { defineCommand, threadTitle } from '../src/bot/declaration/command.ts';
import { modelName, prompt } from './options.ts';

export const chat = defineCommand({
	name: 'chat',
	description: 'Open a thread to talk in',
	makes: 'thread',
	options: z.strictObject({
		prompt: prompt('What to begin with').optional(),
		model: modelName('Which model answers; /models lists them').meta({ completed: true }).optional(),
		mentions_only: z.boolean().describe('Answer only what mentions me').optional(),
		private: z.boolean().describe('Only you see the thread').optional(),
	}),
	texts: { prompt: 'screened', model: 'harmless' },
	run: async ({ options, person, t }) => ({
		title: threadTitle(options.prompt ?? t('Chat with {name}', { name: person.name })),
		prompt: options.prompt,
		model: options.model,
		mentionsOnly: options.mentions_only ?? false,
		private: options.private ?? false,
	}),
});
