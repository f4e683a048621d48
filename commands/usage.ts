import { z } from 'zod';
import { actionButton } from '../src/bot/declaration/actions.ts';
import { defineCommand, member, privately } from '../src/bot/declaration/command.ts';
import { homeServerLines, usageLines } from '../src/bot/messages/usage-messages.ts';

export const usage = defineCommand({
	name: 'usage',
	description: 'usage.description',
	makes: 'answer',
	options: z.strictObject({ member: member('usage.options.member').optional() }),
	async run({ options, usage, person, place, show, t }) {
		const other = options.member !== undefined && options.member !== person.id ? options.member : undefined;
		if (other !== undefined && !person.moderator) return privately(t('usage.errors.moderators'));
		const standing = await usage.standing(other === undefined ? person : { id: other });
		const whose = other === undefined ? [] : [t('usage.member', { member: show.refer('person', other) })];
		const lines = [...whose, ...usageLines(t, standing, show), ...homeServerLines(t, place)];
		const waiting = other === undefined ? await usage.uncollected() : 0;
		if (waiting === 0) return privately(lines.join('\n'));
		lines.push(t('usage.undelivered', { count: waiting }));
		const buttons = [actionButton(t, 'collect', 'mine')];
		return { ...privately(lines.join('\n')), buttons };
	},
});
