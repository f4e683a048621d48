import { z } from 'zod';
import { defineCommand, privately } from '../../src/bot/declaration/command.ts';
import { channel, member, requestableChannel, role } from '../../src/bot/declaration/options.ts';
import type { Place } from '../../src/domain/place.ts';
import type { MessageId } from '../../src/i18n/catalogues.ts';
import { SentenceError } from '../../src/i18n/sentence-error.ts';
import { blockMember, type Settings, unblockMember } from '../../src/usage/settings/settings.ts';
import { accessLines } from './rule-messages.ts';

/** More than any server needs, and few enough to be searched with every request. */
const MAX_ENTRIES = 100;

/**
 * Returns a list of channels or roles with one more; unchanged when the id is undefined or in the list already.
 * @throws SentenceError when the list is full
 */
export function withEntry(ids: readonly string[], id: string | undefined): readonly string[] {
	if (id === undefined || ids.includes(id)) return ids;
	if (ids.length >= MAX_ENTRIES) throw new SentenceError('limits.errors.listFull', { most: MAX_ENTRIES });
	return [...ids, id];
}

/** Returns the channel that an option names. The thread where the command is used counts as its channel. */
export const channelOf = ({ channel, thread }: Place, id: string) => (id === thread ? channel : id);

type Targets = { channel?: string; role?: string };

export const limitsAllow = defineCommand({
	name: 'limits allow',
	description: 'limits.allow.description',
	moderators: true,
	makes: 'answer',
	options: z.strictObject({
		channel: requestableChannel('limits.allow.options.channel').optional(),
		role: role('limits.allow.options.role').optional(),
	}),
	async run({ easel, options, person, place, show, t }) {
		const { channel, role } = targetsOf(options, place);
		await easel.settings.change(place, person, 'limits allow', (settings) => ({
			...settings,
			allowedChannels: withEntry(settings.allowedChannels, channel),
			allowedRoles: withEntry(settings.allowedRoles, role),
		}));
		return privately(accessLines(t, await easel.settings.get(place), show).join('\n'));
	},
});

export const limitsDisallow = defineCommand({
	name: 'limits disallow',
	description: 'limits.disallow.description',
	moderators: true,
	makes: 'answer',
	options: z.strictObject({
		channel: channel('limits.disallow.options.channel').optional(),
		role: role('limits.disallow.options.role').optional(),
	}),
	async run({ easel, options, person, place, show, t }) {
		const { channel, role } = targetsOf(options, place);
		await easel.settings.change(place, person, 'limits disallow', (settings) => {
			const changed = {
				...settings,
				allowedChannels: settings.allowedChannels.filter((id) => id !== channel),
				allowedRoles: settings.allowedRoles.filter((id) => id !== role),
			};
			if (sizeOf(changed) === sizeOf(settings)) throw new SentenceError('limits.disallow.none');
			return changed;
		});
		return privately(accessLines(t, await easel.settings.get(place), show).join('\n'));
	},
});

function targetsOf({ channel, role }: Targets, place: Place): Targets {
	if (channel === undefined && role === undefined) throw new SentenceError('limits.allow.errors.missing');
	return { channel: channel && channelOf(place, channel), role };
}

const sizeOf = ({ allowedChannels, allowedRoles }: Settings) => allowedChannels.length + allowedRoles.length;

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
		async run({ easel, options, person, place, show, t }) {
			const member = show.refer('person', options.member);
			await easel.settings.change(place, person, name, (settings) => {
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
