import { z } from 'zod';
import { defineCommand, privately } from '../../src/bot/declaration/command.ts';
import { requestableChannel } from '../../src/bot/declaration/option-kinds.ts';
import { channelOf, withEntry } from './lists.ts';
import { spoilerLine } from './rule-messages.ts';

export const limitsSpoiler = defineCommand({
	name: 'limits spoiler',
	description: 'limits.spoiler.description',
	moderators: true,
	makes: 'answer',
	options: z.strictObject({
		on: z.boolean().describe('limits.spoiler.options.on'),
		channel: requestableChannel('limits.options.channel').optional(),
	}),
	async run({ options: { on, channel }, serverAdmin, place, show, t }) {
		const target = channelOf(place, channel ?? place.channel);
		await serverAdmin.change('limits spoiler', (settings) => ({
			...settings,
			spoilerChannels: on
				? withEntry(settings.spoilerChannels, target)
				: settings.spoilerChannels.filter((id) => id !== target),
		}));
		return privately(spoilerLine(t, await serverAdmin.settings(), show));
	},
});
