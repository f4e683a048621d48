import { z } from 'zod';
import { channel, defineCommand } from '../../src/bot/command.ts';
import type { Reply } from '../../src/bot/platform.ts';
import { SentenceError } from '../../src/i18n/sentence-error.ts';
import { spoilerWords } from './rule-words.ts';

/** Few enough to be looked through with every result. */
const MOST = 100;

export const limitsSpoiler = defineCommand({
	name: 'limits spoiler',
	description: 'Cover the pictures that are made in a channel until somebody wants to see them',
	moderators: true,
	makes: 'answer',
	options: z.strictObject({
		on: z.boolean().describe('Whether they are covered'),
		channel: channel('Which channel; without it, this one').optional(),
	}),
	async run({ options, desk, place, show, t }): Promise<Reply> {
		const { channel = place.channel } = options;
		// Threads count as their channel.
		const target = channel === place.thread ? place.channel : channel;
		await desk.change('limits spoiler', (settings) => {
			const others = settings.spoilerChannels.filter((id) => id !== target);
			if (options.on && others.length >= MOST)
				throw new SentenceError('At most {most, number} can be listed; nothing was changed.', { most: MOST });
			return { ...settings, spoilerChannels: options.on ? [...others, target] : others };
		});
		return { text: spoilerWords(t, await desk.settings(), show), visibility: 'private' };
	},
});
