import { z } from 'zod';
import { defineCommand, privately } from '../../src/bot/declaration/command.ts';
import type { Context } from '../../src/bot/declaration/context.ts';
import { channel, member, requestableChannel, role } from '../../src/bot/declaration/option-kinds.ts';
import type { Limit } from '../../src/domain/limit.ts';
import type { Place } from '../../src/domain/place.ts';
import type { Translate } from '../../src/i18n/translator.ts';
import { channelOf } from './lists.ts';
import { capMessage } from './rule-messages.ts';

/** More than any plan includes. */
const MAX_IMAGES = 1_000_000;

const scope = z.enum(['server', 'channel', 'role', 'member']).describe('limits.options.scope');
const period = z.enum(['day', 'month']).describe('limits.options.period');
const what = z.enum(['pictures', 'chat']).describe('limits.options.what').optional();
const targets = {
	channel: requestableChannel('limits.options.channel').optional(),
	role: role('limits.options.role').optional(),
	member: member('limits.options.member').optional(),
};

export const limitsSet = defineCommand({
	name: 'limits set',
	description: 'limits.set.description',
	moderators: true,
	makes: 'answer',
	options: z.strictObject({
		scope,
		period,
		images: z.int().min(0).max(MAX_IMAGES).describe('limits.set.options.images'),
		what,
		...targets,
	}),
	async run({ options, serverAdmin, usage, person, place, show, t }) {
		const target = targetOf(t, options, place);
		if ('fault' in target) return privately(target.fault);
		const limit: Limit = {
			...withChannelOf(place, target),
			...whatOf(options),
			period: options.period,
			images: options.images,
		};
		const used = await serverAdmin.setLimit(limit);
		const lower = lowerOperatorCap(limit, await usage.status(person));
		const sentences = [
			t('limits.set.done', { cap: capMessage(t, limit, show) }),
			...(used !== undefined && used > 0 && used >= limit.images
				? [t('limits.set.reached', { used, period: limit.period })]
				: []),
			...(lower ? [t('limits.set.operator', lower)] : []),
		];
		return privately(sentences.join(' '));
	},
});

export const limitsClear = defineCommand({
	name: 'limits clear',
	description: 'limits.clear.description',
	moderators: true,
	makes: 'answer',
	// Also channels that caps cannot be set for, so that no cap is left that cannot be removed.
	options: z.strictObject({ scope, period, what, ...targets, channel: channel('limits.options.channel').optional() }),
	async run({ options, serverAdmin, place, show, t }) {
		const target = targetOf(t, options, place);
		if ('fault' in target) return privately(target.fault);
		const cap = { ...target, ...whatOf(options), period: options.period };
		const removed =
			(await serverAdmin.clearLimit(cap)) ??
			(await serverAdmin.clearLimit({ ...cap, ...withChannelOf(place, target) }));
		if (!removed) return privately(t('limits.clear.none'));
		return privately(t('limits.clear.done', { cap: capMessage(t, removed, show) }));
	},
});

/** Returns the operator's lowest cap below a moderator's, of the same period. The one for each person is not about servers and channels. */
function lowerOperatorCap(
	{ what, scope, period, images }: Limit,
	statuses: Awaited<ReturnType<Context['usage']['status']>>,
) {
	const isForPeople = scope === 'role' || scope === 'member';
	const caps = statuses.flatMap(({ name: layer, period: each, limit }) => {
		const applies = layer === 'operatorServer' || (layer === 'operatorMember' && isForPeople);
		return applies && each === period && limit !== undefined && limit < images ? [{ layer, limit, period }] : [];
	});
	return what === 'chat' ? undefined : caps.sort((a, b) => a.limit - b.limit)[0];
}

/** A cap without `what` is for pictures. */
const whatOf = ({ what }: { what?: Limit['what'] | undefined }): Pick<Limit, 'what'> =>
	what === 'chat' ? { what } : {};

type Target = Pick<Limit, 'scope' | 'target'>;
type Targets = { scope: Limit['scope'] } & Partial<Record<'channel' | 'role' | 'member', string | undefined>>;

/** Returns a target with the channel in place of the thread where the command is used: caps do not apply to threads by themselves. */
const withChannelOf = (place: Place, { scope, target }: Target): Target => ({
	scope,
	...(target !== undefined && { target: scope === 'channel' ? channelOf(place, target) : target }),
});

/** Returns the target of a cap. An option that does not fit the scope is an error, so that it never becomes a wider cap. */
function targetOf(t: Translate, options: Targets, { channel: here }: Place): Target | { fault: string } {
	const { scope } = options;
	const wrong = (['channel', 'role', 'member'] as const).find((name) => name !== scope && options[name] !== undefined);
	if (wrong) return { fault: t('limits.errors.option', { option: wrong, scope }) };
	if (scope === 'server') return { scope };
	if (scope === 'role' && options.role === undefined) return { fault: t('limits.errors.missing', { option: 'role' }) };
	const target = options[scope] ?? (scope === 'channel' ? here : undefined);
	return target === undefined ? { scope } : { scope, target };
}
