import { z } from 'zod';
import { defineCommand, privately } from '../../src/bot/declaration/command.ts';
import { channel, member, requestableChannel, role } from '../../src/bot/declaration/options.ts';
import { usd } from '../../src/bot/messages/usage-messages.ts';
import { refundCalls } from '../../src/bot/moderation/refund-calls.ts';
import { callKindOf, type Limit, type Period } from '../../src/domain/job.ts';
import type { Place, Requester } from '../../src/domain/place.ts';
import type { Easel } from '../../src/easel.ts';
import { SentenceError } from '../../src/i18n/sentence-error.ts';
import { grantedTo, type Layer, operatorLayers, serverLayers } from '../../src/usage/caps.ts';
import { DEFAULT_SETTINGS } from '../../src/usage/settings/settings.ts';
import { serverWindows } from '../../src/usage/settings/windows.ts';
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
	async run({ easel, options, person, place, show, t }) {
		const target = targetOf(options, place);
		const limit: Limit = {
			...withChannelOf(place, target),
			...whatOf(options),
			period: options.period,
			images: options.images,
		};
		const used = await setLimit(easel, place, person, limit);
		const lower = lowerOperatorCap(limit, operatorLayers(easel.plan.caps, place, person.id, easel.now()));
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
	async run({ easel, options, person, place, show, t }) {
		const target = targetOf(options, place);
		const cap = { ...target, ...whatOf(options), period: options.period };
		const removed =
			(await clearLimit(easel, place, person, cap)) ??
			(await clearLimit(easel, place, person, { ...cap, ...withChannelOf(place, target) }));
		if (!removed) return privately(t('limits.clear.none'));
		return privately(t('limits.clear.done', { cap: capMessage(t, removed, show) }));
	},
});

/** Identifies a cap: two caps that are equal in these fields replace each other. */
type CapId = Omit<Limit, 'images'>;

const isSameCap = (a: CapId, b: CapId) =>
	callKindOf(a) === callKindOf(b) && a.scope === b.scope && a.target === b.target && a.period === b.period;

/**
 * Sets a cap, in place of the previous one. Calls that its window has already seen count against it.
 *
 * @returns how much of the cap is used already, undefined for a cap that several counters have
 */
export async function setLimit(easel: Easel, place: Place, by: Requester, limit: Limit): Promise<number | undefined> {
	const { scope, target, period, what } = limit;
	let after = DEFAULT_SETTINGS;
	await easel.settings.change(place, by, 'limits set', (before) => {
		after = { ...before, limits: [...before.limits.filter((other) => !isSameCap(other, limit)), limit] };
		return after;
	});
	if (scope === 'role' || (scope !== 'server' && target === undefined)) return undefined;
	const where = scope === 'channel' && target !== undefined ? { ...place, channel: target } : place;
	const member = { id: scope === 'member' && target !== undefined ? target : by.id };
	const layers = serverLayers(after, where, member, easel.now(), what);
	const layer = layers.find((each) => each.name === scope && each.period === period);
	return layer && easel.ledger.usedOf(layer);
}

/** Removes a cap and returns it, or undefined when there was none. */
export async function clearLimit(
	{ settings }: Easel,
	place: Place,
	by: Requester,
	cap: CapId,
): Promise<Limit | undefined> {
	const { limits } = await settings.get(place);
	const current = limits.find((limit) => isSameCap(limit, cap));
	if (current)
		await settings.change(place, by, 'limits clear', (before) => ({
			...before,
			limits: before.limits.filter((limit) => !isSameCap(limit, cap)),
		}));
	return current;
}

/** Returns the operator's lowest cap below a moderator's, of the same period. The one for each person is not about servers and channels. */
function lowerOperatorCap({ what, scope, period, images }: Limit, operatorCaps: readonly Layer[]) {
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
	async run({ easel, options, person, place, t }) {
		const overageMills = millsOf(options.usd) ?? 0;
		await easel.settings.change(place, person, 'limits overage', (settings) => ({ ...settings, overageMills }));
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

/** Lets a member make more calls than their cap in the running day or month. Returns all that is granted in it, and when it ends. */
export async function grantCalls(
	{ settings, now }: Easel,
	place: Place,
	by: Requester,
	{ member, images, period }: { member: string; images: number; period: Period },
): Promise<{ granted: number; resetsAt: number }> {
	const result = { granted: 0, resetsAt: 0 };
	await settings.change(place, by, 'limits grant', (before) => {
		const windows = serverWindows(before, now());
		const { id: window, resetsAt } = windows[period];
		const granted = images + grantedTo(before, { id: member }, period, window);
		Object.assign(result, { granted, resetsAt });
		const others = before.grants.filter(
			(grant) => grant.window === windows[grant.period].id && !(grant.member === member && grant.period === period),
		);
		return { ...before, grants: [...others, { member, period, window, images: granted }] };
	});
	return result;
}

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
	async run({ easel, options, person, place, show, t }) {
		const { member, images, period = 'day' } = options;
		const { granted, resetsAt } = await grantCalls(easel, place, person, { member, images, period });
		const reset = show.when(resetsAt);
		return privately(t('limits.grant.done', { member: show.refer('person', member), granted, period, reset }));
	},
});

export const limitsRefund = defineCommand({
	name: 'limits refund',
	description: 'limits.refund.description',
	moderators: true,
	makes: 'answer',
	options: z.strictObject({ member: member('limits.block.options.member') }),
	async run({ easel, options, person, place, show, t }) {
		const member = show.refer('person', options.member);
		const calls = await Array.fromAsync(easel.ledger.unknownCalls(place, options.member));
		const count = await refundCalls(easel, place, person, calls);
		return privately(count === 0 ? t('limits.refund.none', { member }) : t('limits.refund.done', { member, count }));
	},
});
