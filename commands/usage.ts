import { z } from 'zod';
import { actionButton } from '../src/bot/declaration/actions.ts';
import { defineCommand, member, privately } from '../src/bot/declaration/command.ts';
import { homeServerLines, usageLines } from '../src/bot/messages/usage-messages.ts';

export const usage = defineCommand({
	name: 'usage',
	description: 'What is used and left, at every layer, and when it starts anew',
	makes: 'answer',
	options: z.strictObject({ member: member('Somebody else; for moderators').optional() }),
	async run({ options, usage, person, place, show, t }) {
		const other = options.member !== undefined && options.member !== person.id ? options.member : undefined;
		if (other !== undefined && !person.moderator)
			return privately(t('Only moderators may look at what somebody else used.'));
		const standing = await usage.standing(other === undefined ? person : { id: other });
		const whose = other === undefined ? [] : [t('Usage of {member}:', { member: show.refer('person', other) })];
		const lines = [...whose, ...usageLines(t, standing, show), ...homeServerLines(t, place)];
		const waiting = other === undefined ? await usage.uncollected() : 0;
		if (waiting === 0) return privately(lines.join('\n'));
		lines.push(
			t(
				'{count, plural, =1 {One request has pictures that could not be posted.} other {# requests have pictures that could not be posted.}}',
				{ count: waiting },
			),
		);
		const buttons = [actionButton(t, 'collect', 'mine')];
		return { ...privately(lines.join('\n')), buttons };
	},
});
