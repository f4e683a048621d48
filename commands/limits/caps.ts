import { z } from 'zod';
import { channel, member, requestableChannel, role } from '../../src/bot/declaration/options.ts';
import { usd } from '../../src/bot/messages/usage-messages.ts';
import { refundCalls } from '../../src/bot/moderation/refund-calls.ts';
import type { Person, Place } from '../../src/domain/channel.ts';
import type { Limit, Unit } from '../../src/domain/job.ts';
import type { Easel } from '../../src/easel.ts';
import { type MessageId, SentenceError } from '../../src/i18n/translator.ts';
import { grantedTo, usageStatus } from '../../src/usage/caps.ts';
import { refundableCalls } from '../../src/usage/jobs.ts';
import { MICROS_PER_USD } from '../../src/usage/prices.ts';
import type { Settings } from '../../src/usage/settings.ts';
import { callKindOf, serverWindows } from '../../src/usage/windows.ts';
import { channelOf, moderatorCommand } from './moderator-command.ts';
import { capMessage, UNITS } from './rules.ts';

/** More than any plan includes. */
const MAX_IMAGES = 1_000_000;

const MAX_USD = 100_000;

/** An amount in USD, as people write it. */
const amount = (description: MessageId) =>
	z
		.string()
		.trim()
		.max(14)
		.refine((text) => microsOf(text) !== undefined, { error: 'limits.overage.errors.usd', params: { most: MAX_USD } })
		.describe(description);

/** Returns an amount in micro-USD. A tenth of a cent is enough for a cap. */
function microsOf(text: string): number | undefined {
	const [, whole, fraction = ''] = /^\$?(\d{1,6})(?:[.,](\d{1,3}))?$/.exec(text) ?? [];
	if (whole === undefined) return undefined;
	const micros = Number(whole) * MICROS_PER_USD + Number(fraction.padEnd(6, '0'));
	return micros <= MAX_USD * MICROS_PER_USD ? micros : undefined;
}

const scope = z.enum(['server', 'channel', 'role', 'member']).describe('limits.options.scope');
const period = z.enum(['day', 'month']).describe('limits.options.period');
const what = z.enum(['pictures', 'chat']).describe('limits.options.what').optional();
const targets = {
	channel: requestableChannel('limits.options.channel').optional(),
	role: role('limits.options.role').optional(),
	member: member('limits.options.member').optional(),
};

/** The options of a cap, without those that name whose it is. */
export const capOptions = {
	scope,
	period,
	images: z.int().min(0).max(MAX_IMAGES).describe('limits.set.options.images').optional(),
	usd: amount('limits.set.options.usd').meta({ named: true }).optional(),
	what,
};

export const limitsSet = moderatorCommand({
	name: 'limits set',
	description: 'limits.set.description',
	options: { ...capOptions, ...targets },
	async run({ easel, options, person, place, show, t }, change) {
		const id = withoutThread(capOf(options, place), place);
		const most = amountsOf(options);
		if (most.usd !== undefined && id.what === 'chat') throw new SentenceError('limits.set.errors.chat');
		if (most.usd !== undefined && !hasPrices(easel)) throw new SentenceError('limits.set.errors.noPrices');
		const { settings } = await change((before) => {
			const cap: Limit = { ...before.limits.find((other) => isSameCap(other, id)), ...id, ...most };
			return { ...before, limits: [...before.limits.filter((other) => !isSameCap(other, id)), cap] };
		});
		const cap: Limit = settings.limits.find((limit) => isSameCap(limit, id)) ?? id;
		const sentences = [t('limits.set.done', { cap: capMessage(t, cap, show) })];
		for (const unit of UNITS) {
			const limit = most[unit];
			if (limit === undefined) continue;
			const { used = 0, lower } = await effectOf(easel, settings, place, person, cap, unit);
			if (used > 0 && used >= limit)
				sentences.push(t('limits.set.reached', { unit, used, amount: usd(t, used), period: cap.period }));
			if (lower) sentences.push(t('limits.set.operator', { unit, ...lower, amount: usd(t, lower.limit) }));
		}
		return sentences.join(' ');
	},
});

/** Tells whether any call costs something, so that a cap in money can be reached. */
const hasPrices = ({ plan }: Easel) =>
	plan.prices !== undefined || (plan.imagesPerMonth !== undefined && plan.price > 0);

/** Returns the number of calls and the micro-USD that options name. @throws SentenceError when they name neither */
function amountsOf({ images, usd: text }: { images?: number; usd?: string }): Pick<Limit, Unit> {
	if (images === undefined && text === undefined) throw new SentenceError('limits.set.errors.amount');
	return { ...(images !== undefined && { images }), ...(text !== undefined && { usd: microsOf(text) }) };
}

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
type CapId = Omit<Limit, Unit>;

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
async function effectOf(easel: Easel, settings: Settings, here: Place, person: Person, cap: Limit, unit: Unit) {
	const { scope, target, period, what, [unit]: most = 0 } = cap;
	const place = scope === 'channel' && target !== undefined ? { ...here, channel: target } : here;
	const member = { id: scope === 'member' && target !== undefined ? target : person.id };
	const all = await usageStatus(easel, settings, place, member, what);
	const statuses = all.filter((each) => each.period === period && each.unit === unit);
	const hasOneCounter = scope !== 'role' && (scope === 'server' || target !== undefined);
	const used = hasOneCounter ? statuses.find(({ name }) => name === scope)?.used : undefined;
	const isForPeople = scope === 'role' || scope === 'member';
	const lower = statuses.flatMap(({ name: layer, limit }) => {
		const applies = layer === 'operatorServer' || (layer === 'operatorMember' && isForPeople);
		return applies && limit !== undefined && limit < most ? [{ layer, limit, period }] : [];
	});
	return { used, lower: lower.sort((a, b) => a.limit - b.limit)[0] };
}

export const limitsOverage = moderatorCommand({
	name: 'limits overage',
	description: 'limits.overage.description',
	options: { usd: amount('limits.overage.options.usd') },
	async run({ options, t }, change) {
		const micros = microsOf(options.usd) ?? 0;
		await change((before) => ({ ...before, overageMills: micros / 1000 }));
		return micros === 0 ? t('limits.overage.off') : t('limits.overage.done', { amount: usd(t, micros) });
	},
});

const MAX_GRANTED = 10_000;

export const limitsGrant = moderatorCommand({
	name: 'limits grant',
	description: 'limits.grant.description',
	options: {
		member: member('limits.block.options.member'),
		images: z.int().min(1).max(MAX_GRANTED).describe('limits.grant.options.images').optional(),
		usd: amount('limits.grant.options.usd').meta({ named: true }).optional(),
		period: z.enum(['day', 'month']).describe('limits.grant.options.period').optional(),
	},
	async run({ easel, options: { member, period = 'day', ...options }, show, t }, change) {
		const given = amountsOf(options);
		const { images = 0, usd: micros = 0 } = given;
		const now = easel.now();
		const { settings } = await change((before) => {
			const windows = serverWindows(before, now);
			const window = windows[period].id;
			const granted = (unit: Unit) => grantedTo(before, { id: member }, window, unit);
			const others = before.grants.filter(
				(grant) => grant.window === windows[grant.period].id && !(grant.member === member && grant.period === period),
			);
			const grant = { member, period, window, images: images + granted('images'), usd: micros + granted('usd') };
			return { ...before, grants: [...others, grant] };
		});
		const { id: window, resetsAt } = serverWindows(settings, now)[period];
		const values = { member: show.refer('person', member), period, reset: show.when(resetsAt) };
		const granted = (unit: Unit) => grantedTo(settings, { id: member }, window, unit);
		return UNITS.filter((unit) => (given[unit] ?? 0) > 0)
			.map((unit) => t('limits.grant.done', { ...values, unit, granted: granted(unit), amount: usd(t, granted(unit)) }))
			.join(' ');
	},
});

export const limitsRefund = moderatorCommand({
	name: 'limits refund',
	description: 'limits.refund.description',
	options: { member: member('limits.block.options.member') },
	async run({ easel, options, person, place, show, t }) {
		const member = show.refer('person', options.member);
		const find = () => Array.fromAsync(refundableCalls(easel, place, options.member));
		const count = await refundCalls(easel, place, person, find);
		return count === 0 ? t('limits.refund.none', { member }) : t('limits.refund.done', { member, count });
	},
});
