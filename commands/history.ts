import { z } from 'zod';
import { defineCommand, privately } from '../src/bot/declaration/command.ts';
import { member } from '../src/bot/declaration/option-kinds.ts';

export const history = defineCommand({
	name: 'history',
	description: 'history.description',
	makes: 'answer',
	options: z.strictObject({ member: member('history.options.member').optional() }),
	async run({ options, person, results, t }) {
		const { member = person.id } = options;
		if (member !== person.id && !person.moderator) return privately(t('history.errors.moderators'));
		return results.history(member);
	},
});
