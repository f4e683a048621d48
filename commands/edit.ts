import { z } from 'zod';
import { defineCommand, picture } from '../src/bot/declaration/command.ts';
import { isPrivate, model, n, prompt, summaryOf } from './options.ts';

export const edit = defineCommand({
	name: 'edit',
	description: 'Change a picture by an instruction',
	needs: 'edit',
	makes: 'pictures',
	status: 'Editing {prompt}',
	options: z.strictObject({
		image: picture('The picture to change'),
		prompt: prompt('What to change'),
		n,
		model,
		private: isPrivate,
	}),
	texts: { prompt: 'screened', model: 'harmless' },
	request: summaryOf,
	run: ({ options: { private: _, ...request }, service, signal }) => service.edit(request, signal),
});
