import { z } from 'zod';
import { defineCommand } from '../src/bot/declaration/command.ts';
import { isPrivate, model, n, prompt, size } from './options.ts';

export const imagine = defineCommand({
	name: 'imagine',
	description: 'Draw a picture from words',
	makes: 'pictures',
	status: 'Drawing {prompt}',
	options: z.strictObject({ prompt: prompt('What to draw'), size, n, model, private: isPrivate }),
	run: ({ options: { private: _, ...request }, service, signal }) => service.generate(request, signal),
});
