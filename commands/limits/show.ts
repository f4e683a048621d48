import { z } from 'zod';
import { actionButton } from '../../src/bot/declaration/actions.ts';
import { defineCommand, privately } from '../../src/bot/declaration/command.ts';
import { usageOf, usageStatusLine } from '../../src/bot/messages/usage-messages.ts';
import { unknownCalls } from '../../src/bot/moderation/refund-calls.ts';
import { monthReport } from '../../src/usage/report/report.ts';
import { bannedWordsFile, capMessage, changeLines, ruleLines } from './rule-messages.ts';

/** The number of latest changes that are shown. */
const AUDIT_LINES = 10;

export const limitsShow = defineCommand({
	name: 'limits show',
	description: 'limits.show.description',
	moderators: true,
	makes: 'answer',
	options: z.strictObject({}),
	async run({ easel, person, place, show, t }) {
		const [settings, usageStatus, audit] = await Promise.all([
			easel.settings.get(place),
			usageOf(easel, place, person),
			easel.settings.audit(place, AUDIT_LINES),
		]);
		const caps = settings.limits.map((limit) => `- ${capMessage(t, limit, show)}`);
		const used = usageStatus.filter(({ name }) => name !== 'member' && name !== 'role');
		const changes = audit.map((entry) => {
			const what = [entry.command, ...changeLines(t, entry, show)].join('; ');
			return `- ${show.when(entry.at)} ${show.refer('person', entry.by.id)}: ${what}`;
		});
		const text = [
			caps.length > 0 ? t('limits.show.caps') : t('limits.show.noCaps'),
			...caps,
			t('limits.show.rules'),
			...ruleLines(t, settings, show),
			t('limits.show.used'),
			...used.map((status) => `- ${usageStatusLine(t, status, show)}`),
			...(changes.length > 0 ? [t('limits.show.changes'), ...changes] : []),
		].join('\n');
		return { ...privately(text), ...bannedWordsFile(settings) };
	},
});

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
	async run({ easel, options, place, t }) {
		const { month, table, csv, chart } = await monthReport(easel.ledger, place, options.month, t);
		const hasUnknown = (await unknownCalls(easel, place, 1)).length > 0;
		return {
			text: table,
			pictures: [{ name: `usage-${month}.png`, bytes: chart.png, alt: chart.alt }],
			files: [{ name: `usage-${month}.csv`, bytes: csv }],
			...(hasUnknown && { buttons: [actionButton(t, 'refund', 'unknown')] }),
			visibility: 'private',
		};
	},
});
