import { z } from 'zod';
import { defineCommand } from '../src/bot/declaration/command.ts';
import { picture } from '../src/bot/declaration/option-kinds.ts';
import { isPrivate, n, prompt, summaryOf } from './options.ts';

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
