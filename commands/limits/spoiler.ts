import { z } from 'zod';
import { channel, defineCommand, privately } from '../../src/bot/declaration/command.ts';
import { channelOf, withOne } from './lists.ts';
import { spoilerWords } from './rule-words.ts';

export const limitsSpoiler = defineCommand({
	name: 'limits spoiler',
	description: 'limits.spoiler.description',
	moderators: true,
	makes: 'answer',
	options: z.strictObject({
		on: z.boolean().describe('limits.spoiler.options.on'),
		channel: channel('limits.options.channel').optional(),
	}),
	async run({ options: { on, channel }, serverAdmin, place, show, t }) {
		const target = channelOf(place, channel ?? place.channel);
		await serverAdmin.change('limits spoiler', (settings) => ({
			...settings,
			spoilerChannels: on
				? withOne(settings.spoilerChannels, target)
				: settings.spoilerChannels.filter((id) => id !== target),
		}));
		return privately(spoilerWords(t, await serverAdmin.settings(), show));
	},
});
