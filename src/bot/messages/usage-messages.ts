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
	place.direct && !isPersonal(place)
		? [t('“This server” is the one where you have used me last: its rules hold here, too.')]
		: [];

function capWords(t: Translate, { denied, used }: CapReached, show: Pick<Channel, 'when'>): string {
	const { name: layer, what, limit = 0, period, window } = denied;
	const when = show.when(window.resetsAt);
	if (layer === 'overage')
		return t(
			'The plan is used up, and beyond it this server has spent {used} of {limit} this month. A new month starts {when}.',
			{ used: usd(t, used), limit: usd(t, limit), when },
		);
	return t(
		"{layer, select, plan {This Easel's plan has} server {This server has} channel {This channel has} other {You have}} used {used, number} of {limit, number} {what, select, chat {{limit, plural, one {chat turn} other {chat turns}}} other {{limit, plural, one {call} other {calls}}}} {period, select, day {today} other {this month}}. A new {period, select, day {day} other {month}} starts {when}.",
		{ layer, used, limit, what: what ?? 'pictures', period, when },
	);
}

/** What is left, in a few words: of the cap that is nearest. */
export function remainingMessage(t: Translate, standings: readonly UsageStatus[]): string {
	const capped = standings.filter(
		(one): one is UsageStatus & { limit: number } => one.limit !== undefined && one.name !== 'overage',
	);
	if (capped.length === 0) {
		const count = standings.find(({ name, period }) => name === 'member' && period === 'day')?.used ?? 0;
		return t('{count, plural, one {# call} other {# calls}} today', { count });
	}
	const { name, period, limit, used } = capped.reduce((a, b) => (b.limit - b.used < a.limit - a.used ? b : a));
	return t(
		'{left, number} of {limit, number} left {period, select, day {today} other {this month}}{layer, select, plan { in the plan} server { for this server} channel { in this channel} other {}}',
		{ left: Math.max(0, limit - used), limit, period, layer: name },
	);
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
		return t('Spent here beyond the plan: {used} of {limit} this month', {
			used: usd(t, used),
			limit: usd(t, limit ?? 0),
		});
	const values = { layer, what: what ?? 'pictures', period, used, when: show.when(window.resetsAt) };
	if (limit === undefined)
		return t(
			'{layer, select, plan {The plan} server {This server} channel {This channel} role {You, by your role} other {You}}{what, select, chat {, chat turns} other {}} {period, select, day {today} other {this month}}: {used, number}; anew {when}',
			values,
		);
	return t(
		'{layer, select, plan {The plan} server {This server} channel {This channel} role {You, by your role} other {You}}{what, select, chat {, chat turns} other {}} {period, select, day {today} other {this month}}: {used, number} of {limit, number}, {left, number} left; anew {when}',
		{ ...values, limit, left: Math.max(0, limit - used) },
	);
}

/** Mills as dollars. */
export const usd = (t: Translate, mills: number) => `${dollars(t, mills)} USD`;
