import { z } from 'zod';
import { actionButton } from '../../src/bot/declaration/actions.ts';
import { defineCommand } from '../../src/bot/declaration/command.ts';

export const limitsReport = defineCommand({
	name: 'limits report',
	description: 'limits.report.description',
	moderators: true,
	makes: 'answer',
	options: z.strictObject({
		month: z
			.string()
			.trim()
			.max(7)
			.refine((text) => /^\d{4}-(0[1-9]|1[0-2])$/.test(text), 'limits.report.errors.month')
			.describe('limits.report.options.month')
			.optional(),
	}),
	async run({ options, serverAdmin, t }) {
		const { month, table, csv, chart } = await serverAdmin.report(options.month);
		const hasUnknown = (await serverAdmin.unknownCalls(1)).length > 0;
		return {
			text: table,
			pictures: [{ name: `usage-${month}.png`, bytes: chart.png, alt: chart.alt }],
			files: [{ name: `usage-${month}.csv`, bytes: csv }],
			...(hasUnknown && { buttons: [actionButton(t, 'refund', 'unknown')] }),
			visibility: 'private',
		};
	},
});
