import { z } from 'zod';
import { defineCommand } from '../src/bot/declaration/command.ts';
import { isPrivate, model, n, prompt, size, sizedSummaryOf } from './options.ts';

export const imagine = defineCommand({
	name: 'imagine',
	description: 'imagine.description',
	makes: 'pictures',
	status: 'imagine.status',
	options: z.strictObject({ prompt: prompt('imagine.options.prompt'), size, n, model, private: isPrivate }),
	texts: { prompt: 'screened', size: 'harmless', model: 'harmless' },
	request: sizedSummaryOf,
	run: ({ options: { private: _, ...request }, service, signal, onPreview }) =>
		service.generate(request, signal, onPreview),
});
