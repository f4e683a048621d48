import { z } from 'zod';
import { defineCommand } from '../src/bot/declaration/command.ts';
import { picture } from '../src/bot/declaration/option-kinds.ts';
import { isPrivate, n, prompt, size, sizedSummaryOf } from './options.ts';

export const compose = defineCommand({
	name: 'compose',
	description: 'compose.description',
	needs: 'compose',
	makes: 'pictures',
	status: 'compose.status',
	options: z.strictObject({
		image1: picture('compose.options.image1'),
		image2: picture('compose.options.image2'),
		prompt: prompt('compose.options.prompt'),
		image3: picture('compose.options.image3').optional(),
		size,
		n,
		private: isPrivate,
	}),
	texts: { prompt: 'screened', size: 'harmless' },
	request: sizedSummaryOf,
	run: ({ options: { image1, image2, image3, private: _, ...request }, service, signal, onPreview }) =>
		service.compose({ ...request, images: [image1, image2, ...(image3 ? [image3] : [])] }, signal, onPreview),
});
