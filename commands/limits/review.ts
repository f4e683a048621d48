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
	async run({ options: { on, channel }, serverAdmin, isVisibleToEveryone, place, show, t }) {
		const target = channelOf(place, channel ?? place.channel);
		await serverAdmin.change('limits review', (settings) => {
			const { logChannel, reviewChannels } = settings;
			if (!on) return { ...settings, reviewChannels: reviewChannels.filter((id) => id !== target) };
			if (logChannel === undefined) throw new SentenceError('limits.review.errors.noLog');
			if (logChannel === target) throw new SentenceError('limits.review.errors.isLog');
			return { ...settings, reviewChannels: withEntry(reviewChannels, target) };
		});
		const settings = await serverAdmin.settings();
		const { logChannel } = settings;
		const isVisible = on && logChannel !== undefined && (await isVisibleToEveryone(logChannel));
		return privately(
			[
				reviewLine(t, settings, show),
				t('limits.review.scope'),
				...(isVisible ? [t('limits.review.visible', { channel: show.refer('channel', logChannel) })] : []),
			].join('\n'),
		);
	},
});
