import type { CallKind } from '../../domain/limit.ts';
import type { Place } from '../../domain/place.ts';
import type { LedgerOptions } from '../ledger-options.ts';
import type { CapReached } from '../reserve.ts';
import type { Settings } from '../settings/settings.ts';
import type { Member } from './layers.ts';
import { type UsageStatus, usageStatus } from './usage-status.ts';

/** Returns the cap that would deny a member's call now; see `Ledger.capReached`. */
export async function findCapReached(
	options: LedgerOptions,
	place: Place,
	member: Member,
	what: CallKind,
	settings?: Settings,
): Promise<CapReached | undefined> {
	const [first, second, ...own] = await usageStatus(options, place, member, what, settings);
	const isPlan = first?.name === 'plan';
	const plan = isPlan && isReached(first) ? first : undefined;
	const money = second?.name === 'overage' && (second.limit ?? 0) > 0 && options.plan.price > 0 ? second : undefined;
	const beyondPlan = plan && (money ? isReached(money, options.plan.price) && money : plan);
	const scopes = isPlan ? own : [first, second, ...own];
	const reached = beyondPlan || scopes.find((status) => status && isReached(status));
	return reached && { denied: reached, used: reached.used };
}

const isReached = ({ limit, used }: UsageStatus, by = 1) => limit !== undefined && used + by > limit;
