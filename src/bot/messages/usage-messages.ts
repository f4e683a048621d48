import type { Page, Show } from '../../domain/channel.ts';
import { isPersonal, type Place } from '../../domain/place.ts';
import { dollars } from '../../domain/text.ts';
import type { Easel } from '../../easel.ts';
import { SentenceError } from '../../i18n/sentence-error.ts';
import type { Translate } from '../../i18n/translator.ts';
import { type CapReached, type LayerName, type UsageStatus, usageStatus } from '../../usage/caps.ts';
import type { Denial } from '../../usage/ledger.ts';
import type { Settings } from '../../usage/settings.ts';

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

function reached(t: Translate, { denied, used }: CapReached, show: Show): SentenceError {
	const { name: layer, what, limit = 0, period, window } = denied;
	const when = show.when(window.resetsAt);
	if (layer === 'overage') return new SentenceError('caps.overage', { used: usd(t, used), limit: usd(t, limit), when });
	if (isOperatorLayer(layer)) return new SentenceError('caps.operator', { layer, used, limit, period, when });
	return new SentenceError('caps.reached', { layer, used, limit, what: what ?? 'pictures', period, when });
}

/** Returns what is left of the cap with the least left, in a few words. */
export function remainingMessage(t: Translate, statuses: readonly UsageStatus[]): string {
	const capped = statuses.filter(
		(status): status is UsageStatus & { limit: number } => status.limit !== undefined && status.name !== 'overage',
	);
	if (capped.length === 0) {
		const count = statuses.find(({ name, period }) => name === 'member' && period === 'day')?.used ?? 0;
		return t('usage.today', { count });
	}
	const { name, period, limit, used } = capped.reduce((a, b) => (b.limit - b.used < a.limit - a.used ? b : a));
	return t('usage.left', { left: Math.max(0, limit - used), limit, period, layer: name });
}

/** Returns every counter that applies to a member in a place: chat turns before pictures, and the widest layer of each first. */
export async function usageOf(
	easel: Easel,
	settings: Settings,
	place: Place,
	member: { id: string; roles?: readonly string[] },
): Promise<UsageStatus[]> {
	const [pictures, chat] = await Promise.all([
		usageStatus(easel, settings, place, member),
		usageStatus(easel, settings, place, member, 'chat'),
	]);
	// Chat turns are shown only where they are used or capped.
	return [...chat.filter(({ limit, used }) => limit !== undefined || used > 0), ...pictures];
}

/** Returns the counters that people ask about: those with a cap, and the day of a member, or of a server without one. */
export function mainUsage(statuses: readonly UsageStatus[]): UsageStatus[] {
	const days = statuses.filter(({ period, what }) => period === 'day' && what === undefined);
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
export const usageLines = (t: Translate, statuses: readonly UsageStatus[], show: Show, member?: string): string[] =>
	statuses.toReversed().map((status) => `- ${usageStatusLine(t, status, show, member)}`);

/** Returns the lines of `/usage` that people ask about. */
export const usageSummary = (t: Translate, statuses: readonly UsageStatus[], show: Show, member?: string): string[] => [
	...usageLines(t, mainUsage(statuses), show, member),
	...(statuses.some(({ limit }) => limit !== undefined) ? [] : [t('usage.noCap')]),
];

/** Returns one line of `/usage`, of a member when one is given, else of the reader. */
function usageStatusLine(
	t: Translate,
	{ name: layer, what, period, limit, used, window }: UsageStatus,
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
	if (limit === undefined) return t('usage.counted', values);
	const left = Math.max(0, limit - used);
	return t(isOperatorLayer(layer) ? 'usage.operator' : 'usage.capped', { ...values, limit, left });
}

/** Tells whether a layer is a cap of the operator, which moderators cannot change. */
const isOperatorLayer = (layer: LayerName): boolean => layer === 'operatorServer' || layer === 'operatorMember';

/** Formats mills as dollars, such as `0.03 USD`. */
export const usd = (t: Translate, mills: number) => `${dollars(t, mills)} USD`;
