import { z } from 'zod';
import { defineCommand, privately } from '../../src/bot/declaration/command.ts';
import { usd } from '../../src/bot/messages/usage-messages.ts';

const MAX_OVERAGE_USD = 100_000;

export const limitsOverage = defineCommand({
	name: 'limits overage',
	description: 'limits.overage.description',
	moderators: true,
	makes: 'answer',
	options: z.strictObject({
		usd: z
			.string()
			.trim()
			.max(12)
			.refine((text) => millsOf(text) !== undefined, {
				error: 'limits.overage.errors.usd',
				params: { most: MAX_OVERAGE_USD },
			})
			.describe('limits.overage.options.usd'),
	}),
	async run({ options, serverAdmin, t }) {
		const overageMills = millsOf(options.usd) ?? 0;
		await serverAdmin.change('limits overage', (settings) => ({ ...settings, overageMills }));
		return privately(
			overageMills === 0 ? t('limits.overage.off') : t('limits.overage.done', { amount: usd(t, overageMills) }),
		);
	},
});

/** An amount in USD, as people write it, in mills. */
function millsOf(text: string): number | undefined {
	const [, whole, fraction = ''] = /^\$?(\d{1,6})(?:[.,](\d{1,3}))?$/.exec(text) ?? [];
	if (whole === undefined) return undefined;
	const mills = Number(whole) * 1000 + Number(fraction.padEnd(3, '0'));
	return mills <= MAX_OVERAGE_USD * 1000 ? mills : undefined;
}
