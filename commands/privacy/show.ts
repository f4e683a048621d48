import { z } from 'zod';
import { defineCommand, privately } from '../../src/bot/declaration/command.ts';

/** In the order of the list. */
const KEPT = ['prompts', 'pictures', 'chats', 'calls', 'log', 'drafts', 'profile'] as const;

export const privacyShow = defineCommand({
	name: 'privacy show',
	description: 'privacy.show.description',
	makes: 'answer',
	options: z.strictObject({}),
	async run({ privacy, t }) {
		const counts = await privacy.counts();
		if (counts === 'too soon') return privately(t('privacy.later'));
		const days = privacy.retentionDays;
		const lines = KEPT.filter((what) => counts[what] > 0).map((what) =>
			t('privacy.show.kept', { what, count: counts[what], days: what === 'drafts' ? 0 : days }),
		);
		if (counts.totals > 0) lines.push(t('privacy.show.totals', { count: counts.totals }));
		if (lines.length === 0) return privately(t('privacy.show.none'));
		return privately([t('privacy.show.heading'), ...lines, t('privacy.show.more')].join('\n'));
	},
});
