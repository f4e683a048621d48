import { z } from 'zod';
import { defineCommand, picture } from '../src/bot/declaration/command.ts';
import { isPrivate, n, prompt, size, summaryOf } from './options.ts';

export const compose = defineCommand({
	name: 'compose',
	description: 'Make one picture from two or three',
	needs: 'compose',
	makes: 'pictures',
	status: 'Composing {prompt}',
	options: z.strictObject({
		image1: picture('The first picture, "image 1" in the prompt'),
		image2: picture('The second picture, "image 2" in the prompt'),
		prompt: prompt('How to put them together; call them image 1, image 2, image 3'),
		image3: picture('The third picture, "image 3" in the prompt').optional(),
		size,
		n,
		private: isPrivate,
	}),
	texts: { prompt: 'screened', size: 'harmless' },
	request: summaryOf,
	run: ({ options: { image1, image2, image3, private: _, ...request }, service, signal }) =>
		service.compose({ ...request, images: [image1, image2, ...(image3 ? [image3] : [])] }, signal),
});
