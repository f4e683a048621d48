import { z } from 'zod';
import { actionButton } from '../src/bot/declaration/actions.ts';
import { defineCommand, privately } from '../src/bot/declaration/command.ts';
import { member } from '../src/bot/declaration/option-kinds.ts';
import { homeServerLines, usageLines } from '../src/bot/messages/usage-messages.ts';

export const usage = defineCommand({
	name: 'usage',
	description: 'usage.description',
	makes: 'answer',
	options: z.strictObject({ member: member('usage.options.member').optional() }),
	async run({ options, usage, person, place, show, t }) {
		const other = options.member !== undefined && options.member !== person.id ? options.member : undefined;
		if (other !== undefined && !person.moderator) return privately(t('usage.errors.moderators'));
		const status = await usage.status(other === undefined ? person : { id: other });
		const member = other === undefined ? undefined : show.refer('person', other);
		const heading = member === undefined ? [] : [t('usage.member', { member })];
		const lines = [...heading, ...usageLines(t, status, show, member), ...homeServerLines(t, place)];
		const { pictures, answers } = other === undefined ? await usage.undelivered() : { pictures: 0, answers: 0 };
		if (pictures + answers === 0) return privately(lines.join('\n'));
		if (pictures > 0) lines.push(t('usage.undelivered', { count: pictures }));
		if (answers > 0) lines.push(t('usage.unanswered', { count: answers }));
		const buttons = [actionButton(t, 'collect', 'mine')];
		return { ...privately(lines.join('\n')), buttons };
	},
});
