import { z } from 'zod';
import { defineCommand, privately } from '../../src/bot/declaration/command.ts';
import { usageStatusLine } from '../../src/bot/messages/usage-messages.ts';
import { bannedWordsFile, capMessage, changeLines, ruleLines } from './rule-messages.ts';

/** The number of latest changes that are shown. */
const AUDIT_LINES = 10;

export const limitsShow = defineCommand({
	name: 'limits show',
	description: 'limits.show.description',
	moderators: true,
	makes: 'answer',
	options: z.strictObject({}),
	async run({ serverAdmin, usage, person, show, t }) {
		const [settings, usageStatus, audit] = await Promise.all([
			serverAdmin.settings(),
			usage.status(person),
			serverAdmin.audit(AUDIT_LINES),
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
