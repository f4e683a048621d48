import { z } from 'zod';
import { defineCommand, privately, type Settings } from '../../src/bot/declaration/command.ts';
import { channel, requestableChannel, role } from '../../src/bot/declaration/option-kinds.ts';
import type { Place } from '../../src/domain/place.ts';
import { SentenceError } from '../../src/i18n/sentence-error.ts';
import { channelOf, withEntry } from './lists.ts';
import { accessLines } from './rule-messages.ts';

type Targets = { channel?: string | undefined; role?: string | undefined };

export const limitsAllow = defineCommand({
	name: 'limits allow',
	description: 'limits.allow.description',
	moderators: true,
	makes: 'answer',
	options: z.strictObject({
		channel: requestableChannel('limits.allow.options.channel').optional(),
		role: role('limits.allow.options.role').optional(),
	}),
	async run({ options, serverAdmin, place, show, t }) {
		const { channel, role } = targetsOf(options, place);
		await serverAdmin.change('limits allow', (settings) => ({
			...settings,
			allowedChannels: withEntry(settings.allowedChannels, channel),
			allowedRoles: withEntry(settings.allowedRoles, role),
		}));
		return privately(accessLines(t, await serverAdmin.settings(), show).join('\n'));
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
	async run({ options, serverAdmin, place, show, t }) {
		const { channel, role } = targetsOf(options, place);
		await serverAdmin.change('limits disallow', (settings) => {
			const changed = {
				...settings,
				allowedChannels: settings.allowedChannels.filter((id) => id !== channel),
				allowedRoles: settings.allowedRoles.filter((id) => id !== role),
			};
			if (sizeOf(changed) === sizeOf(settings)) throw new SentenceError('limits.disallow.none');
			return changed;
		});
		return privately(accessLines(t, await serverAdmin.settings(), show).join('\n'));
	},
});

function targetsOf({ channel, role }: Targets, place: Place): Targets {
	if (channel === undefined && role === undefined) throw new SentenceError('limits.allow.errors.missing');
	return { channel: channel === undefined ? undefined : channelOf(place, channel), role };
}

const sizeOf = ({ allowedChannels, allowedRoles }: Settings) => allowedChannels.length + allowedRoles.length;
