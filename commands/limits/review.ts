import { z } from 'zod';
import { defineCommand, privately } from '../../src/bot/declaration/command.ts';
import { requestableChannel } from '../../src/bot/declaration/option-kinds.ts';
import { SentenceError } from '../../src/i18n/sentence-error.ts';
import { channelOf, withEntry } from './lists.ts';
import { reviewLine } from './rule-messages.ts';

export const limitsReview = defineCommand({
	name: 'limits review',
	description: 'limits.review.description',
	moderators: true,
	makes: 'answer',
	options: z.strictObject({
		on: z.boolean().describe('limits.review.options.on'),
		channel: requestableChannel('limits.options.channel').optional(),
	}),
	async run({ options: { on, channel }, serverAdmin, place, show, t }) {
		const target = channelOf(place, channel ?? place.channel);
		await serverAdmin.change('limits review', (settings) => {
			const { logChannel, reviewChannels } = settings;
			if (!on) return { ...settings, reviewChannels: reviewChannels.filter((id) => id !== target) };
			if (logChannel === undefined) throw new SentenceError('limits.review.errors.noLog');
			if (logChannel === target) throw new SentenceError('limits.review.errors.isLog');
			return { ...settings, reviewChannels: withEntry(reviewChannels, target) };
		});
		const line = reviewLine(t, await serverAdmin.settings(), show);
		return privately([line, t('limits.review.scope')].join('\n'));
	},
});
