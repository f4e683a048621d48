import { z } from 'zod';
import { defineCommand } from '../src/bot/declaration/command.ts';
import { picture } from '../src/bot/declaration/options.ts';
import { background, isPrivate, model, n, prompt, quality, size, sizedSummaryOf, summaryOf } from './options.ts';

export const imagine = defineCommand({
	name: 'imagine',
	description: 'imagine.description',
	makes: 'pictures',
	status: 'imagine.status',
	options: z.strictObject({
		prompt: prompt('imagine.options.prompt'),
		size,
		quality,
		background,
		n,
		model,
		private: isPrivate,
	}),
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
		quality,
		model,
		private: isPrivate,
	}),
	texts: { prompt: 'screened', model: 'harmless' },
	request: summaryOf,
	run: ({ options: { private: _, ...request }, service, signal, onPreview }) =>
		service.edit(request, signal, onPreview),
});

/** A picture beyond those that a form has fields for: it comes with a message, where the service takes as many. */
const further = picture('compose.options.image3').optional().meta({ hidden: true });

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
		quality,
		private: isPrivate,
		...{ image4: further, image5: further, image6: further, image7: further },
		...{ image8: further, image9: further, image10: further },
	}),
	texts: { prompt: 'screened', size: 'harmless' },
	request: sizedSummaryOf,
	run({ options: { prompt, size, n, quality, private: _, ...pictures }, service, signal, onPreview }) {
		const numberOf = (name: string) => Number(name.slice('image'.length));
		const given = Object.entries(pictures).toSorted(([one], [other]) => numberOf(one) - numberOf(other));
		const images = given.flatMap(([, image]) => image ?? []);
		return service.compose({ prompt, size, n, quality, images }, signal, onPreview);
	},
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
