import { z } from 'zod';
import { blockMember, defineCommand, member, privately } from '../../src/bot/declaration/command.ts';

export const limitsBlock = defineCommand({
	name: 'limits block',
	description: 'limits.block.description',
	moderators: true,
	makes: 'answer',
	options: z.strictObject({ member: member('limits.block.options.member') }),
	async run({ options, serverAdmin, show, t }) {
		await serverAdmin.change('limits block', blockMember(options.member));
		return privately(t('limits.block.done', { member: show.refer('person', options.member) }));
	},
});

export const limitsUnblock = defineCommand({
	name: 'limits unblock',
	description: 'limits.unblock.description',
	moderators: true,
	makes: 'answer',
	options: z.strictObject({ member: member('limits.block.options.member') }),
	async run({ options, serverAdmin, show, t }) {
		const { blocked } = await serverAdmin.settings();
		const name = show.refer('person', options.member);
		if (!blocked.includes(options.member)) return privately(t('limits.unblock.none', { member: name }));
		await serverAdmin.change('limits unblock', (settings) => ({
			...settings,
			blocked: settings.blocked.filter((id) => id !== options.member),
		}));
		return privately(t('limits.unblock.done', { member: name }));
	},
});
