import { z } from 'zod';
import { defineCommand, threadTitle } from '../src/bot/declaration/command.ts';
import { modelName, prompt } from './options.ts';

export const chat = defineCommand({
	name: 'chat',
	description: 'chat.description',
	makes: 'thread',
	options: z.strictObject({
		prompt: prompt('chat.options.prompt').optional(),
		model: modelName('chat.options.model').meta({ completed: true }).optional(),
		mentions_only: z.boolean().describe('chat.options.mentions_only').optional(),
		private: z.boolean().describe('chat.options.private').optional(),
	}),
	texts: { prompt: 'screened', model: 'harmless' },
	run: async ({ options, person, t }) => ({
		title: threadTitle(options.prompt ?? t('chat.title', { name: person.name })),
		prompt: options.prompt,
		model: options.model,
		mentionsOnly: options.mentions_only ?? false,
		private: options.private ?? false,
	}),
});
