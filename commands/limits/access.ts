import { channel, member, requestableChannel, role } from '../../src/bot/declaration/options.ts';
import type { Place } from '../../src/domain/place.ts';
import { SentenceError } from '../../src/i18n/sentence-error.ts';
import { blockMember, unblockMember } from '../../src/usage/settings.ts';
import { channelOf, moderatorCommand, withEntry } from './moderator-command.ts';
import { accessLines } from './rules.ts';

type Targets = { channel?: string; role?: string };

function targetsOf({ channel, role }: Targets, place: Place): Targets {
	if (channel === undefined && role === undefined) throw new SentenceError('limits.allow.errors.missing');
	return { channel: channel && channelOf(place, channel), role };
}

export const limitsAllow = moderatorCommand({
	name: 'limits allow',
	description: 'limits.allow.description',
	options: {
		channel: requestableChannel('limits.allow.options.channel').optional(),
		role: role('limits.allow.options.role').optional(),
	},
	async run({ options, place, show, t }, change) {
		const { channel, role } = targetsOf(options, place);
		const { settings } = await change((before) => ({
			...before,
			allowedChannels: withEntry(before.allowedChannels, channel),
			allowedRoles: withEntry(before.allowedRoles, role),
		}));
		return accessLines(t, settings, show).join('\n');
	},
});

export const limitsDisallow = moderatorCommand({
	name: 'limits disallow',
	description: 'limits.disallow.description',
	options: {
		channel: channel('limits.disallow.options.channel').optional(),
		role: role('limits.disallow.options.role').optional(),
	},
	async run({ options, place, show, t }, change) {
		const { channel, role } = targetsOf(options, place);
		const { settings } = await change((before) => {
			const allowedChannels = withEntry(before.allowedChannels, channel, false);
			const allowedRoles = withEntry(before.allowedRoles, role, false);
			if (allowedChannels.length + allowedRoles.length === before.allowedChannels.length + before.allowedRoles.length)
				throw new SentenceError('limits.disallow.none');
			return { ...before, allowedChannels, allowedRoles };
		});
		return accessLines(t, settings, show).join('\n');
	},
});

const oneMember = { member: member('limits.block.options.member') };

export const limitsBlock = moderatorCommand({
	name: 'limits block',
	description: 'limits.block.description',
	options: oneMember,
	async run({ options, show, t }, change) {
		await change(blockMember(options.member));
		return t('limits.block.done', { member: show.refer('person', options.member) });
	},
});

export const limitsUnblock = moderatorCommand({
	name: 'limits unblock',
	description: 'limits.unblock.description',
	options: oneMember,
	async run({ options, show, t }, change) {
		const member = show.refer('person', options.member);
		await change((before) => {
			if (!before.blocked.includes(options.member)) throw new SentenceError('limits.unblock.none', { member });
			return unblockMember(options.member)(before);
		});
		return t('limits.unblock.done', { member });
	},
});
