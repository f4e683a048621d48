import { z } from 'zod';
import { type Context, defineCommand, privately } from '../../src/bot/declaration/command.ts';
import { channel, member, requestableChannel, role } from '../../src/bot/declaration/options.ts';
import { usd } from '../../src/bot/messages/usage-messages.ts';
import type { Limit } from '../../src/domain/job.ts';
import type { Place } from '../../src/domain/place.ts';
import { SentenceError } from '../../src/i18n/sentence-error.ts';
import { channelOf } from './access.ts';
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
	async run({ options, serverAdmin, place, show, t }) {
		const target = targetOf(options, place);
		const limit: Limit = {
			...withChannelOf(place, target),
			...whatOf(options),
			period: options.period,
			images: options.images,
		};
		const { used, operatorCaps } = await serverAdmin.setLimit(limit);
		const lower = lowerOperatorCap(limit, operatorCaps);
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
		const target = targetOf(options, place);
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
	operatorCaps: Awaited<ReturnType<Context['serverAdmin']['setLimit']>>['operatorCaps'],
) {
	const isForPeople = scope === 'role' || scope === 'member';
	const caps = operatorCaps.flatMap(({ name: layer, period: each, limit }) => {
		const applies = layer === 'operatorServer' || (layer === 'operatorMember' && isForPeople);
		return applies && each === period && limit !== undefined && limit < images ? [{ layer, limit, period }] : [];
	});
	return what === 'chat' ? undefined : caps.sort((a, b) => a.limit - b.limit)[0];
}

/** A cap without `what` is for pictures. */
const whatOf = ({ what }: { what?: Limit['what'] }): { what?: 'chat' } => (what === 'chat' ? { what } : {});

type Target = Pick<Limit, 'scope' | 'target'>;
type Targets = { scope: Limit['scope'] } & Partial<Record<'channel' | 'role' | 'member', string>>;

/** Returns a target with the channel in place of the thread where the command is used: caps do not apply to threads by themselves. */
const withChannelOf = (place: Place, { scope, target }: Target): Target => ({
	scope,
	...(target !== undefined && { target: scope === 'channel' ? channelOf(place, target) : target }),
});

/** Returns the target of a cap. An option that does not fit the scope is an error, so that it never becomes a wider cap. */
function targetOf(options: Targets, { channel: here }: Place): Target {
	const { scope } = options;
	const wrong = (['channel', 'role', 'member'] as const).find((name) => name !== scope && options[name] !== undefined);
	if (wrong) throw new SentenceError('limits.errors.option', { option: wrong, scope });
	if (scope === 'server') return { scope };
	if (scope === 'role' && options.role === undefined)
		throw new SentenceError('limits.errors.missing', { option: 'role' });
	const target = options[scope] ?? (scope === 'channel' ? here : undefined);
	return target === undefined ? { scope } : { scope, target };
}

const MAX_OVERAGE_USD = 100_000;

export const limitsOverage = defineCommand({
	name: 'limits overage',
	description: 'limits.overage.description',
	moderators: true,
	makes: 'answer',
	options: z.strictObject({
		usd: z
			.string()
			.trim()
			.max(12)
			.refine((text) => millsOf(text) !== undefined, {
				error: 'limits.overage.errors.usd',
				params: { most: MAX_OVERAGE_USD },
			})
			.describe('limits.overage.options.usd'),
	}),
	async run({ options, serverAdmin, t }) {
		const overageMills = millsOf(options.usd) ?? 0;
		await serverAdmin.change('limits overage', (settings) => ({ ...settings, overageMills }));
		return privately(
			overageMills === 0 ? t('limits.overage.off') : t('limits.overage.done', { amount: usd(t, overageMills) }),
		);
	},
});

/** An amount in USD, as people write it, in mills. */
function millsOf(text: string): number | undefined {
	const [, whole, fraction = ''] = /^\$?(\d{1,6})(?:[.,](\d{1,3}))?$/.exec(text) ?? [];
	if (whole === undefined) return undefined;
	const mills = Number(whole) * 1000 + Number(fraction.padEnd(3, '0'));
	return mills <= MAX_OVERAGE_USD * 1000 ? mills : undefined;
}

const MAX_GRANTED = 10_000;

export const limitsGrant = defineCommand({
	name: 'limits grant',
	description: 'limits.grant.description',
	moderators: true,
	makes: 'answer',
	options: z.strictObject({
		member: member('limits.block.options.member'),
		images: z.int().min(1).max(MAX_GRANTED).describe('limits.grant.options.images'),
		period: z.enum(['day', 'month']).describe('limits.grant.options.period').optional(),
	}),
	async run({ options, serverAdmin, show, t }) {
		const { member, images, period = 'day' } = options;
		const { window, granted } = await serverAdmin.grant(member, images, period);
		const reset = show.when(window.resetsAt);
		return privately(t('limits.grant.done', { member: show.refer('person', member), granted, period, reset }));
	},
});

export const limitsRefund = defineCommand({
	name: 'limits refund',
	description: 'limits.refund.description',
	moderators: true,
	makes: 'answer',
	options: z.strictObject({ member: member('limits.block.options.member') }),
	async run({ options, serverAdmin, show, t }) {
		const member = show.refer('person', options.member);
		const count = await serverAdmin.refund(options.member);
		return privately(count === 0 ? t('limits.refund.none', { member }) : t('limits.refund.done', { member, count }));
	},
});
