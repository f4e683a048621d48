import { z } from 'zod';
import { defineCommand } from '../src/bot/declaration/command.ts';
import { isPrivate, model, n, prompt, size, summaryOf } from './options.ts';

export const imagine = defineCommand({
	name: 'imagine',
	description: 'Draw a picture from words',
	makes: 'pictures',
	status: 'Drawing {prompt}',
	options: z.strictObject({ prompt: prompt('What to draw'), size, n, model, private: isPrivate }),
	texts: { prompt: 'screened', size: 'harmless', model: 'harmless' },
	request: summaryOf,
	run: ({ options: { private: _, ...request }, service, signal }) => service.generate(request, signal),
});
