import { z } from 'zod';
import { channel, defineCommand, privately } from '../../src/bot/declaration/command.ts';
import { channelOf, withOne } from './lists.ts';
import { spoilerWords } from './rule-words.ts';

export const limitsSpoiler = defineCommand({
	name: 'limits spoiler',
	description: 'Cover the pictures that are made in a channel until somebody wants to see them',
	moderators: true,
	makes: 'answer',
	options: z.strictObject({
		on: z.boolean().describe('Whether they are covered'),
		channel: channel('Which channel; without it, this one').optional(),
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
