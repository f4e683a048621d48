import { z } from 'zod';
import { defineCommand, privately } from '../../src/bot/declaration/command.ts';
import { member } from '../../src/bot/declaration/option-kinds.ts';

const MAX_GRANTED = 10_000;

export const limitsGrant = defineCommand({
	name: 'limits grant',
	description: 'limits.grant.description',
	moderators: true,
	makes: 'answer',
	options: z.strictObject({
		member: member('limits.block.options.member'),
		images: z.int().min(1).max(MAX_GRANTED).describe('limits.grant.options.images'),
		period: z.enum(['day', 'month']).describe('limits.grant.options.period').optional(),
	}),
	async run({ options, serverAdmin, show, t }) {
		const { member, images, period = 'day' } = options;
		const { window, granted } = await serverAdmin.grant(member, images, period);
		const reset = show.when(window.resetsAt);
		return privately(t('limits.grant.done', { member: show.refer('person', member), granted, period, reset }));
	},
});

export const limitsRefund = defineCommand({
	name: 'limits refund',
	description: 'limits.refund.description',
	moderators: true,
	makes: 'answer',
	options: z.strictObject({ member: member('limits.block.options.member') }),
	async run({ options, serverAdmin, show, t }) {
		const member = show.refer('person', options.member);
		const count = await serverAdmin.refund(options.member);
		return privately(count === 0 ? t('limits.refund.none', { member }) : t('limits.refund.done', { member, count }));
	},
});
