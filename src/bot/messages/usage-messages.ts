import { isPersonal, type Page, type Place, type Show } from '../../domain/channel.ts';
import { dollars } from '../../domain/text.ts';
import type { Easel } from '../../easel.ts';
import { SentenceError, type Translate, translatorFor } from '../../i18n/translator.ts';
import { QUALITIES } from '../../service/service.ts';
import { createClaim } from '../../store/store.ts';
import { type CapReached, type LayerName, type UsageStatus, usageStatus } from '../../usage/caps.ts';
import type { Denial } from '../../usage/ledger.ts';
import { quoteOf } from '../../usage/prices.ts';
import type { Settings } from '../../usage/settings.ts';
import { zoneAt } from '../../usage/windows.ts';

/** Returns why a call was denied: the cap that is reached and when it resets, or another rule. */
export function refusalOf(t: Translate, denial: Denial, show: Page): SentenceError {
	if (denial instanceof SentenceError) return denial;
	const isOwn = ['plan', 'operatorMember', 'role', 'member'].includes(denial.denied.name);
	const refusal = reached(t, denial, show);
	return isOwn || !isInLastServer(show.place) ? refusal : refusal.and('usage.lastServer');
}

/** Explains in a direct message which server “this server” is. Empty for a person under no server's caps. */
export const homeServerLines = (t: Translate, place: Place): string[] =>
	isInLastServer(place) ? [t('usage.lastServer')] : [];

const isInLastServer = (place: Place): boolean => place.direct === true && !isPersonal(place);

function reached(t: Translate, { denied, used, needed = 0 }: CapReached, show: Show): SentenceError {
	const { name: layer, what, unit, limit = 0, period, window } = denied;
	const when = show.when(window.resetsAt);
	if (layer === 'overage') return new SentenceError('caps.overage', { used: usd(t, used), limit: usd(t, limit), when });
	if (unit === 'usd') {
		const amounts = { used: usd(t, used), limit: usd(t, limit), needed: usd(t, needed) };
		return new SentenceError('caps.money', { layer, period, when, ...amounts });
	}
	if (isOperatorLayer(layer)) return new SentenceError('caps.operator', { layer, used, limit, period, when });
	return new SentenceError('caps.reached', { layer, used, limit, what: what ?? 'pictures', period, when });
}

/** Returns what is left of the cap with the least left, in a few words. */
export function remainingMessage(t: Translate, statuses: readonly UsageStatus[]): string {
	const capped = statuses.filter(
		(status): status is UsageStatus & { limit: number } => status.limit !== undefined && status.name !== 'overage',
	);
	if (capped.length === 0) {
		const isOfDay = ({ name, period, unit }: UsageStatus) => name === 'member' && period === 'day' && unit === 'images';
		return t('usage.today', { count: statuses.find(isOfDay)?.used ?? 0 });
	}
	const left = ({ limit, used }: (typeof capped)[number]) => Math.max(0, limit - used);
	const share = (status: (typeof capped)[number]) => left(status) / Math.max(1, status.limit);
	// Calls and money have no common measure but the share that is left.
	const isLess = (a: (typeof capped)[number], b: (typeof capped)[number]) =>
		a.unit === b.unit ? left(a) < left(b) : share(a) < share(b);
	const least = capped.reduce((a, b) => (isLess(b, a) ? b : a));
	const { name: layer, period, limit, unit } = least;
	if (unit === 'usd') return t('usage.leftMoney', { left: usd(t, left(least)), limit: usd(t, limit), period, layer });
	return t('usage.left', { left: left(least), limit, period, layer });
}

/** A counter as people see it. `prices` are those of a picture, of each quality, by which money becomes pictures. */
type ShownUsage = UsageStatus & { prices?: readonly number[] };

/**
 * Returns the most that a picture by the default model costs, in micro-USD: at each quality, the cheapest first, or one price where the
 * qualities cost the same. Empty without prices.
 */
function picturePrices({ plan, service }: Easel): number[] {
	const prices = QUALITIES.map((quality) => plan.prices && quoteOf(plan.prices, service.priced({ quality }))?.most);
	const known = prices.filter((price) => price !== undefined);
	return new Set(known).size > 1 ? known : known.slice(0, 1);
}

/** Says what a picture costs, for the forms in which it is asked for; undefined without prices. */
export function priceMessage(t: Translate, easel: Easel): string | undefined {
	const [low, medium, high] = picturePrices(easel).map((price) => usd(t, price));
	if (low === undefined) return undefined;
	return high === undefined || medium === undefined
		? t('prices.formOne', { amount: low })
		: t('prices.form', { low, medium, high });
}

/** Says how many pictures an amount is enough for; `none` where that cannot be known. */
function worthOf(t: Translate, amount: number, prices: readonly number[] = []): string {
	const [low = 0, ...others] = prices.map((price) => (price > 0 ? Math.floor(amount / price) : 0));
	const high = others.at(-1);
	if (prices.length === 0 || prices.includes(0)) return 'none';
	return high === undefined ? t('usage.worthOne', { count: low }) : t('usage.worth', { low, high });
}

/** Returns every counter that applies to a member in a place: chat turns before pictures, and the widest layer of each first. */
export async function usageOf(
	easel: Easel,
	settings: Settings,
	place: Place,
	member: { id: string; roles?: readonly string[] },
): Promise<ShownUsage[]> {
	const prices = picturePrices(easel);
	const [pictures, chat] = await Promise.all([
		usageStatus(easel, settings, place, member),
		usageStatus(easel, settings, place, member, 'chat'),
	]);
	// Chat turns are shown only where they are used or capped.
	const shown = pictures.map((status) => (status.unit === 'usd' ? { ...status, prices } : status));
	return [...chat.filter(({ limit, used }) => limit !== undefined || used > 0), ...shown];
}

/** Returns the counters that people ask about: those with a cap, and the day of a member, or of a server without one. */
export function mainUsage(statuses: readonly ShownUsage[]): ShownUsage[] {
	const days = statuses.filter(({ period, what, unit }) => period === 'day' && what === undefined && unit === 'images');
	const day = days.find(({ name }) => name === 'member') ?? days.find(({ name }) => name === 'server');
	return statuses.filter(
		(status) => status === day || (status.limit ?? 0) > 0 || (status.limit === 0 && status.name !== 'overage'),
	);
}

/**
 * Returns the lines of `/usage`, the narrowest layer first.
 *
 * @param member the mention of the member whose usage it is; without it, the reader's own
 */
export const usageLines = (t: Translate, statuses: readonly ShownUsage[], show: Show, member?: string): string[] =>
	statuses.toReversed().map((status) => `- ${usageStatusLine(t, status, show, member)}`);

export const usageSummary = (t: Translate, statuses: readonly ShownUsage[], show: Show, member?: string): string[] => [
	...usageLines(t, mainUsage(statuses), show, member),
	...(statuses.some(({ limit }) => limit !== undefined) ? [] : [t('usage.noCap')]),
];

function usageStatusLine(
	t: Translate,
	{ name: layer, what, unit, period, limit, used, window, prices }: ShownUsage,
	show: Show,
	member?: string,
): string {
	if (layer === 'overage') return t('usage.overage', { used: usd(t, used), limit: usd(t, limit ?? 0) });
	const whose = member === undefined ? 'own' : 'other';
	const values = {
		layer,
		whose,
		member: member ?? '',
		what: what ?? 'pictures',
		period,
		used,
		when: show.when(window.resetsAt),
	};
	const left = Math.max(0, (limit ?? 0) - used);
	if (unit === 'usd') {
		if (limit === undefined) return t('usage.spent', { ...values, used: usd(t, used) });
		const amounts = { used: usd(t, used), limit: usd(t, limit), left: usd(t, left) };
		return t('usage.money', { ...values, ...amounts, worth: worthOf(t, left, prices) });
	}
	if (limit === undefined) return t('usage.counted', values);
	return t(isOperatorLayer(layer) ? 'usage.operator' : 'usage.capped', { ...values, limit, left });
}

const isOperatorLayer = (layer: LayerName): boolean => layer === 'operatorServer' || layer === 'operatorMember';

export const usd = (t: Translate, micros: number) => `${dollars(t, micros)} USD`;

/** The share of a cap from which on moderators are notified. */
const NEAR = 0.8;

/** Before so much of a month, and so much of its cap, its pace says little. */
const MIN_ELAPSED_MS = 3 * 24 * 3600_000;
const MIN_USED = 0.2;

/** Longer than the longest window of a cap. */
const NOTICE_MS = 32 * 24 * 3600_000;

/** A notice, which is posted once in each window of its cap. */
type Notice = {
	key: string;
	text: string;
	/** The key of a notice that this one makes obsolete. */
	replaces?: string;
	/** The key of which at most one notice is posted in a day. */
	daily?: string;
};

/**
 * Notifies the moderators' channel when a cap is nearly or completely used, when the pace of a month will use up its cap before the month
 * ends, and when pictures begin to cost money.
 */
export async function notifyOfUsage(
	{ store, platforms, now }: Easel,
	{ thread: _, ...place }: Place,
	usage: readonly UsageStatus[],
	settings: Settings,
): Promise<void> {
	const { noticeChannel, language } = settings;
	if (noticeChannel === undefined) return;
	const isFirst = createClaim(store.space('ledger'));
	const prefix = `notice:${place.platform}:${place.server}:`;
	for (const status of usage) {
		const notice = noticeOf(translatorFor(language), status, now(), zoneAt(settings, now()));
		if (!notice) continue;
		const { key, text, replaces, daily } = notice;
		if (replaces !== undefined) await isFirst(prefix + replaces, NOTICE_MS);
		if (!(await isFirst(prefix + key, NOTICE_MS))) continue;
		if (daily !== undefined && !(await isFirst(prefix + daily, NOTICE_MS))) continue;
		const channel = await platforms.open({ ...place, channel: noticeChannel });
		await channel?.post({ text }, crypto.randomUUID());
	}
}

/** Moderators are notified of caps that people share, not of those of one member. */
const OF_ONE_MEMBER: readonly string[] = ['member', 'role', 'operatorMember'];

/** Returns what there is to say about a counter. A cap that is nearly used up has no forecast. */
function noticeOf(t: Translate, status: UsageStatus, now: number, timeZone: string): Notice | undefined {
	const { name, what = 'pictures', unit, key, limit, used, period, window } = status;
	if (name === 'overage')
		return used > 0 ? { key: `${key}:first`, text: t('notices.plan', { spent: usd(t, used) }) } : undefined;
	if (limit === undefined || OF_ONE_MEMBER.includes(name)) return undefined;
	const amounts = { unit, used, limit, spent: usd(t, used), most: usd(t, limit), layer: name };
	if (used >= limit * NEAR) {
		const values = { ...amounts, period, what, reached: used < limit ? 'no' : 'yes' };
		const text = t(name === 'operatorServer' && unit === 'images' ? 'notices.operatorCap' : 'notices.cap', values);
		const near = `${key}:${limit}:near`;
		return used < limit ? { key: near, text } : { key: `${key}:${limit}:reached`, text, replaces: near };
	}
	const elapsed = now - window.startsAt;
	const usedUpAt = window.startsAt + (elapsed * limit) / used;
	const saysLittle = elapsed < MIN_ELAPSED_MS || used < limit * MIN_USED;
	if (period !== 'month' || saysLittle || usedUpAt >= window.resetsAt) return undefined;
	const dayOf = (at: number) =>
		Temporal.Instant.fromEpochMilliseconds(Math.floor(at)).toZonedDateTimeISO(timeZone).toPlainDate();
	const date = dayOf(usedUpAt).toLocaleString(t.language, { day: 'numeric', month: 'long' });
	return {
		key: `${key}:${limit}:forecast:${dayOf(usedUpAt)}`,
		daily: `${key}:forecast:${dayOf(now)}`,
		text: t('notices.forecast', { ...amounts, what, date }),
	};
}
