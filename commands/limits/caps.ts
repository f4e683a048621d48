import { z } from 'zod';
import { channel, member, requestableChannel, role } from '../../src/bot/declaration/options.ts';
import { usd } from '../../src/bot/messages/usage-messages.ts';
import { refundCalls } from '../../src/bot/moderation/refund-calls.ts';
import { callKindOf, type Limit } from '../../src/domain/job.ts';
import type { Person, Place } from '../../src/domain/place.ts';
import type { Easel } from '../../src/easel.ts';
import { SentenceError } from '../../src/i18n/sentence-error.ts';
import { grantedTo, usageStatus } from '../../src/usage/caps.ts';
import { refundableCalls } from '../../src/usage/refunds.ts';
import type { Settings } from '../../src/usage/settings.ts';
import { serverWindows } from '../../src/usage/windows.ts';
import { channelOf, moderatorCommand } from './moderator-command.ts';
import { capMessage } from './rules.ts';

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

export const limitsSet = moderatorCommand({
	name: 'limits set',
	description: 'limits.set.description',
	options: {
		scope,
		period,
		images: z.int().min(0).max(MAX_IMAGES).describe('limits.set.options.images'),
		what,
		...targets,
	},
	async run({ easel, options, person, place, show, t }, change) {
		const limit: Limit = { ...withoutThread(capOf(options, place), place), images: options.images };
		const { settings } = await change((before) => ({
			...before,
			limits: [...before.limits.filter((other) => !isSameCap(other, limit)), limit],
		}));
		const { used, lower } = await effectOf(easel, settings, place, person, limit);
		const sentences = [t('limits.set.done', { cap: capMessage(t, limit, show) })];
		if (used !== undefined && used > 0 && used >= limit.images)
			sentences.push(t('limits.set.reached', { used, period: limit.period }));
		if (lower) sentences.push(t('limits.set.operator', lower));
		return sentences.join(' ');
	},
});

export const limitsClear = moderatorCommand({
	name: 'limits clear',
	description: 'limits.clear.description',
	// Also channels that caps cannot be set for, so that no cap is left that cannot be removed.
	options: { scope, period, what, ...targets, channel: channel('limits.options.channel').optional() },
	async run({ easel, options, place, show, t }, change) {
		const cap = capOf(options, place);
		const { limits } = await easel.settings.get(place);
		const find = (id: CapId) => limits.find((limit) => isSameCap(limit, id));
		const removed = find(cap) ?? find(withoutThread(cap, place));
		if (!removed) return t('limits.clear.none');
		await change((before) => ({ ...before, limits: before.limits.filter((limit) => !isSameCap(limit, removed)) }));
		return t('limits.clear.done', { cap: capMessage(t, removed, show) });
	},
});

/** Identifies a cap: two caps that are equal in these fields replace each other. */
type CapId = Omit<Limit, 'images'>;

const isSameCap = (a: CapId, b: CapId) =>
	callKindOf(a) === callKindOf(b) && a.scope === b.scope && a.target === b.target && a.period === b.period;

type CapOptions = Omit<CapId, 'what' | 'target'> & {
	what?: 'pictures' | 'chat';
	channel?: string;
	role?: string;
	member?: string;
};

/** Returns the cap that options name. An option that does not fit the scope is an error, so that it never becomes a wider cap. */
function capOf(options: CapOptions, { channel: here }: Place): CapId {
	const { scope, period, what } = options;
	const wrong = (['channel', 'role', 'member'] as const).find((name) => name !== scope && options[name] !== undefined);
	if (wrong) throw new SentenceError('limits.errors.option', { option: wrong, scope });
	if (scope === 'role' && options.role === undefined)
		throw new SentenceError('limits.errors.missing', { option: 'role' });
	const target = scope === 'server' ? undefined : (options[scope] ?? (scope === 'channel' ? here : undefined));
	return { scope, target, period, what: what === 'chat' ? what : undefined };
}

/** Returns a cap for the channel in place of the thread where the command is used: caps do not apply to threads by themselves. */
const withoutThread = (cap: CapId, place: Place): CapId =>
	cap.scope === 'channel' ? { ...cap, target: channelOf(place, cap.target ?? place.channel) } : cap;

/**
 * Returns how much of a cap is used already, undefined for a cap that several counters have; and the operator's lowest cap below it, of the
 * same period. The operator's cap for each person is not about servers and channels.
 */
async function effectOf(easel: Easel, settings: Settings, here: Place, person: Person, cap: Limit) {
	const { scope, target, period, what } = cap;
	const place = scope === 'channel' && target !== undefined ? { ...here, channel: target } : here;
	const member = { id: scope === 'member' && target !== undefined ? target : person.id };
	const statuses = (await usageStatus(easel, settings, place, member, what)).filter((each) => each.period === period);
	const hasOneCounter = scope !== 'role' && (scope === 'server' || target !== undefined);
	const used = hasOneCounter ? statuses.find(({ name }) => name === scope)?.used : undefined;
	const isForPeople = scope === 'role' || scope === 'member';
	const lower = statuses.flatMap(({ name: layer, limit: images }) => {
		const applies = layer === 'operatorServer' || (layer === 'operatorMember' && isForPeople);
		return applies && images !== undefined && images < cap.images ? [{ layer, limit: images, period }] : [];
	});
	return { used, lower: lower.sort((a, b) => a.limit - b.limit)[0] };
}

const MAX_OVERAGE_USD = 100_000;

export const limitsOverage = moderatorCommand({
	name: 'limits overage',
	description: 'limits.overage.description',
	options: {
		usd: z
			.string()
			.trim()
			.max(12)
			.refine((text) => millsOf(text) !== undefined, {
				error: 'limits.overage.errors.usd',
				params: { most: MAX_OVERAGE_USD },
			})
			.describe('limits.overage.options.usd'),
	},
	async run({ options, t }, change) {
		const overageMills = millsOf(options.usd) ?? 0;
		await change((before) => ({ ...before, overageMills }));
		return overageMills === 0 ? t('limits.overage.off') : t('limits.overage.done', { amount: usd(t, overageMills) });
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

export const limitsGrant = moderatorCommand({
	name: 'limits grant',
	description: 'limits.grant.description',
	options: {
		member: member('limits.block.options.member'),
		images: z.int().min(1).max(MAX_GRANTED).describe('limits.grant.options.images'),
		period: z.enum(['day', 'month']).describe('limits.grant.options.period').optional(),
	},
	async run({ easel, options: { member, images, period = 'day' }, show, t }, change) {
		let windows!: ReturnType<typeof serverWindows>;
		const { settings } = await change((before) => {
			windows = serverWindows(before, easel.now());
			const window = windows[period].id;
			const granted = images + grantedTo(before, { id: member }, period, window);
			const others = before.grants.filter(
				(grant) => grant.window === windows[grant.period].id && !(grant.member === member && grant.period === period),
			);
			return { ...before, grants: [...others, { member, period, window, images: granted }] };
		});
		const granted = grantedTo(settings, { id: member }, period, windows[period].id);
		const reset = show.when(windows[period].resetsAt);
		return t('limits.grant.done', { member: show.refer('person', member), granted, period, reset });
	},
});

export const limitsRefund = moderatorCommand({
	name: 'limits refund',
	description: 'limits.refund.description',
	options: { member: member('limits.block.options.member') },
	async run({ easel, options, person, place, show, t }) {
		const member = show.refer('person', options.member);
		const calls = await Array.fromAsync(refundableCalls(easel, place, options.member));
		const count = await refundCalls(easel, place, person, calls);
		return count === 0 ? t('limits.refund.none', { member }) : t('limits.refund.done', { member, count });
	},
});
