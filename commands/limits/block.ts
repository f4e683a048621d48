import { z } from 'zod';
import {
	blockMember,
	defineCommand,
	privately,
	type Settings,
	unblockMember,
} from '../../src/bot/declaration/command.ts';
import { member } from '../../src/bot/declaration/option-kinds.ts';
import type { MessageId } from '../../src/i18n/catalogues.ts';
import { SentenceError } from '../../src/i18n/sentence-error.ts';

type BlockCommand = {
	name: string;
	description: MessageId;
	done: MessageId;
	/** Returns the changed settings, or undefined when there is nothing to change. */
	edit: (settings: Settings, member: string) => Settings | undefined;
};

const blockCommand = ({ name, description, done, edit }: BlockCommand) =>
	defineCommand({
		name,
		description,
		moderators: true,
		makes: 'answer',
		options: z.strictObject({ member: member('limits.block.options.member') }),
		async run({ options, serverAdmin, show, t }) {
			const member = show.refer('person', options.member);
			await serverAdmin.change(name, (settings) => {
				const changed = edit(settings, options.member);
				if (!changed) throw new SentenceError('limits.unblock.none', { member });
				return changed;
			});
			return privately(t(done, { member }));
		},
	});

export const limitsBlock = blockCommand({
	name: 'limits block',
	description: 'limits.block.description',
	done: 'limits.block.done',
	edit: (settings, id) => blockMember(id)(settings),
});

export const limitsUnblock = blockCommand({
	name: 'limits unblock',
	description: 'limits.unblock.description',
	done: 'limits.unblock.done',
	edit: (settings, id) => (settings.blocked.includes(id) ? unblockMember(id)(settings) : undefined),
});
