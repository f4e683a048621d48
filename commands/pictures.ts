import { z } from 'zod';
import { defineCommand } from '../src/bot/declaration/command.ts';
import { picture } from '../src/bot/declaration/options.ts';
import { isPrivate, model, n, prompt, size, sizedSummaryOf, summaryOf } from './options.ts';

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

/** Services read the language of the prompt; the instruction is in the one that they all know best. */
const instructionOf = (prompt: string) => `Make a variation of this picture: ${prompt}`;

/** The action **Vary** of results: an edit with the words that the picture was made of. */
export const vary = defineCommand({
	name: 'vary',
	description: 'vary.description',
	hidden: true,
	needs: 'edit',
	makes: 'pictures',
	status: 'vary.status',
	options: z.strictObject({
		image: picture('edit.options.image'),
		prompt: prompt('edit.options.prompt'),
		n,
		private: isPrivate,
	}),
	texts: { prompt: 'screened' },
	request: summaryOf,
	run: ({ options: { image, prompt, n }, service, signal, onPreview }) =>
		service.edit({ image, prompt: instructionOf(prompt), n }, signal, onPreview),
});
