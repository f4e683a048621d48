import { defineCommand, isPrivate, n, prompt, size, sizedSummaryOf, z } from 'easel/command';
import de from './messages/de.json' with { type: 'json' };
import en from './messages/en.json' with { type: 'json' };

export default defineCommand({
	name: 'poster',
	description: 'poster.description',
	makes: 'pictures',
	status: 'poster.status',
	options: z.strictObject({
		prompt: prompt('poster.options.prompt'),
		title: z.string().trim().min(1).max(60).describe('poster.options.title'),
		size,
		n,
		private: isPrivate,
	}),
	// Both are checked for banned words; a size can be none.
	texts: { prompt: 'screened', title: 'screened', size: 'harmless' },
	request: sizedSummaryOf,
	run: ({ options: { prompt, title, size = 'portrait', n }, service, signal, onPreview }) =>
		service.generate({ prompt: `A poster of ${prompt}, with the title "${title}"`, size, n }, signal, onPreview),
	messages: { en, de },
});
