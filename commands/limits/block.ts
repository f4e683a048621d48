import { z } from 'zod';
import { blockMember, defineCommand, member, privately } from '../../src/bot/declaration/command.ts';

export const limitsBlock = defineCommand({
	name: 'limits block',
	description: 'Let a member ask for no more pictures',
	moderators: true,
	makes: 'answer',
	options: z.strictObject({ member: member('Whom') }),
	async run({ options, serverAdmin, show, t }) {
		await serverAdmin.change('limits block', blockMember(options.member));
		return privately(t('{member} is blocked.', { member: show.refer('person', options.member) }));
	},
});

export const limitsUnblock = defineCommand({
	name: 'limits unblock',
	description: 'Let a member ask for pictures again',
	moderators: true,
	makes: 'answer',
	options: z.strictObject({ member: member('Whom') }),
	async run({ options, serverAdmin, show, t }) {
		const { blocked } = await serverAdmin.settings();
		const name = show.refer('person', options.member);
		if (!blocked.includes(options.member)) return privately(t('{member} is not blocked.', { member: name }));
		await serverAdmin.change('limits unblock', (settings) => ({
			...settings,
			blocked: settings.blocked.filter((id) => id !== options.member),
		}));
		return privately(t('{member} may ask again.', { member: name }));
	},
});
