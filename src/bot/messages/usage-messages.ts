import type { Channel } from '../../domain/channel.ts';
import { dollars } from '../../domain/money.ts';
import type { Place } from '../../domain/place.ts';
import type { Translate } from '../../i18n/translator.ts';
import type { CapReached, Denial } from '../../usage/reserve.ts';
import { isPersonal } from '../../usage/settings.ts';
import type { UsageStatus } from '../../usage/usage-status.ts';

/** Which cap is in the way, how far it is used, and when it starts anew. */
export function capReachedMessage(t: Translate, denial: Denial, show: Pick<Channel, 'when' | 'place'>): string {
	if (!('used' in denial)) return denial.denied;
	const isOwn = ['plan', 'role', 'member'].includes(denial.denied.name);
	return [capWords(t, denial, show), ...(isOwn ? [] : homeServerLines(t, show.place))].join(' ');
}

/** Outside of servers: whose caps are meant by “this server”. None where somebody comes under no server's. */
export const homeServerLines = (t: Translate, place: Place): string[] =>
	place.direct && !isPersonal(place) ? [t('usage.lastServer')] : [];

function capWords(t: Translate, { denied, used }: CapReached, show: Pick<Channel, 'when'>): string {
	const { name: layer, what, limit = 0, period, window } = denied;
	const when = show.when(window.resetsAt);
	if (layer === 'overage') return t('caps.overage', { used: usd(t, used), limit: usd(t, limit), when });
	return t('caps.reached', { layer, used, limit, what: what ?? 'pictures', period, when });
}

/** What is left, in a few words: of the cap that is nearest. */
export function remainingMessage(t: Translate, standings: readonly UsageStatus[]): string {
	const capped = standings.filter(
		(one): one is UsageStatus & { limit: number } => one.limit !== undefined && one.name !== 'overage',
	);
	if (capped.length === 0) {
		const count = standings.find(({ name, period }) => name === 'member' && period === 'day')?.used ?? 0;
		return t('usage.today', { count });
	}
	const { name, period, limit, used } = capped.reduce((a, b) => (b.limit - b.used < a.limit - a.used ? b : a));
	return t('usage.left', { left: Math.max(0, limit - used), limit, period, layer: name });
}

/** What /usage says of these counters, the nearest first. */
export const usageLines = (t: Translate, standings: readonly UsageStatus[], show: Pick<Channel, 'when'>): string[] =>
	standings.toReversed().map((one) => `- ${usageStatusLine(t, one, show)}`);

/** A line of /usage. */
export function usageStatusLine(
	t: Translate,
	{ name: layer, what, period, limit, used, window }: UsageStatus,
	show: Pick<Channel, 'when'>,
): string {
	if (layer === 'overage')
		return t('usage.overage', {
			used: usd(t, used),
			limit: usd(t, limit ?? 0),
		});
	const values = { layer, what: what ?? 'pictures', period, used, when: show.when(window.resetsAt) };
	if (limit === undefined) return t('usage.counted', values);
	return t('usage.capped', { ...values, limit, left: Math.max(0, limit - used) });
}

/** Mills as dollars. */
export const usd = (t: Translate, mills: number) => `${dollars(t, mills)} USD`;
