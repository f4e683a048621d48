import type { CallKind } from '../../domain/limit.ts';
import type { Place } from '../../domain/place.ts';
import type { LedgerOptions } from '../ledger-options.ts';
import type { Settings } from '../settings/settings.ts';
import { type Layer, type Member, overageLayer, planLayer, serverLayers } from './layers.ts';
import { operatorLayers } from './operator-caps.ts';

/** A layer, and how much of it is used: calls or chat turns, mills for `overage`. */
export type UsageStatus = Layer & { used: number };

/**
 * Returns every layer that applies to a member in a place, widest first.
 * @param present the settings of the place; read when they are missing
 */
export async function usageStatus(
	{ space, settings: repository, plan, now }: LedgerOptions,
	place: Place,
	member: Member,
	what: CallKind,
	present?: Settings,
): Promise<UsageStatus[]> {
	const at = now();
	const settings = present ?? (await repository.get(place));
	const included = what === 'pictures' ? planLayer(plan, at) : undefined;
	const layers = [
		...(included ? [included, overageLayer(place, settings, at)] : []),
		...(what === 'pictures' ? operatorLayers(plan.caps, place, member.id, at) : []),
		...serverLayers(settings, place, member, at, what),
	];
	const used = await space.keyv.getMany<number>(layers.map(({ key }) => key));
	return layers.map((layer, index) => ({ ...layer, used: used[index] ?? 0 }));
}
