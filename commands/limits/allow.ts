import { z } from 'zod';
import { channel, defineCommand, privately, role, type Settings } from '../../src/bot/declaration/command.ts';
import type { Place } from '../../src/domain/place.ts';
import { SentenceError } from '../../src/i18n/sentence-error.ts';
import { channelOf, withOne } from './lists.ts';
import { accessWords } from './rule-words.ts';

type Targets = { channel?: string | undefined; role?: string | undefined };

export const limitsAllow = defineCommand({
	name: 'limits allow',
	description: 'Let pictures and chats be asked for only in some channels, or only by some roles',
	moderators: true,
	makes: 'answer',
	options: z.strictObject({
		channel: channel('A channel to ask in; with none allowed, everywhere').optional(),
		role: role('A role that may ask; with none allowed, everybody').optional(),
	}),
	async run({ options, serverAdmin, place, show, t }) {
		const { channel, role } = targetsOf(options, place);
		await serverAdmin.change('limits allow', (settings) => ({
			...settings,
			allowedChannels: withOne(settings.allowedChannels, channel),
			allowedRoles: withOne(settings.allowedRoles, role),
		}));
		return privately(accessWords(t, await serverAdmin.settings(), show).join('\n'));
	},
});

export const limitsDisallow = defineCommand({
	name: 'limits disallow',
	description: 'Take a channel or a role off the list of where and by whom may be asked',
	moderators: true,
	makes: 'answer',
	options: z.strictObject({
		channel: channel('A channel that was allowed').optional(),
		role: role('A role that was allowed').optional(),
	}),
	async run({ options, serverAdmin, place, show, t }) {
		const { channel, role } = targetsOf(options, place);
		await serverAdmin.change('limits disallow', (settings) => {
			const changed = {
				...settings,
				allowedChannels: settings.allowedChannels.filter((id) => id !== channel),
				allowedRoles: settings.allowedRoles.filter((id) => id !== role),
			};
			if (sizeOf(changed) === sizeOf(settings))
				throw new SentenceError('That was not on the list of what is allowed; `/limits show` has it.');
			return changed;
		});
		return privately(accessWords(t, await serverAdmin.settings(), show).join('\n'));
	},
});

function targetsOf({ channel, role }: Targets, place: Place): Targets {
	if (channel === undefined && role === undefined)
		throw new SentenceError('Name a channel or a role; nothing was changed.');
	return { channel: channel === undefined ? undefined : channelOf(place, channel), role };
}

const sizeOf = ({ allowedChannels, allowedRoles }: Settings) => allowedChannels.length + allowedRoles.length;
