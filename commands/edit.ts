import { z } from 'zod';
import { defineCommand } from '../src/bot/declaration/command.ts';
import { picture } from '../src/bot/declaration/option-kinds.ts';
import { isPrivate, model, n, prompt, summaryOf } from './options.ts';

export const edit = defineCommand({
	name: 'edit',
	description: 'edit.description',
	needs: 'edit',
	makes: 'pictures',
	status: 'edit.status',
	options: z.strictObject({
		image: picture('edit.options.image'),
		prompt: prompt('edit.options.prompt'),
		n,
		model,
		private: isPrivate,
	}),
	texts: { prompt: 'screened', model: 'harmless' },
	request: summaryOf,
	run: ({ options: { private: _, ...request }, service, signal, onPreview }) =>
		service.edit(request, signal, onPreview),
});
