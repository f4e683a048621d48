import type { Place } from '../../domain/place.ts';
import type { Change, Space } from '../../store/store.ts';
import { serverLayers } from '../caps/layers.ts';
import type { Settings } from '../settings/settings.ts';
import { carryWindows, type Zone } from './carried-windows.ts';

type ZoneChange = {
	zone: Partial<Zone>;
	/** The part of the commit that makes it fail when a call is counted meanwhile. */
	guards: Required<Pick<Change, 'add' | 'remove'>>;
};

const NO_GUARDS: ZoneChange['guards'] = { add: [], remove: [] };

/**
 * Returns what a change of the time zone stores. The running day and month go on (see `carryWindows`), unless nothing was counted in
 * them: then the new zone applies at once, such as where the zone is set before the first call.
 *
 * @param at Unix milliseconds
 */
export async function changeZone(
	space: Pick<Space, 'keyv'>,
	place: Pick<Place, 'platform' | 'server'>,
	before: Settings,
	timeZone: string,
	at: number,
): Promise<ZoneChange> {
	if (timeZone === before.timeZone) return { zone: {}, guards: NO_GUARDS };
	const keys = serverCounters(before, place, at);
	const counts = await space.keyv.getMany<number>(keys);
	if (counts.every((count = 0) => count === 0)) {
		// Counters of 0 that a guard creates are removed by the same commit.
		return { zone: {}, guards: { add: keys.map((key) => ({ key, by: 0, atMost: 0 })), remove: keys } };
	}
	return { zone: { carried: carryWindows(before, timeZone, at) }, guards: NO_GUARDS };
}

/** Returns the keys of the counters that every call in a server is counted on. */
function serverCounters(settings: Settings, place: Pick<Place, 'platform' | 'server'>, at: number): string[] {
	const layers = (['pictures', 'chat'] as const).flatMap((what) =>
		serverLayers(settings, { ...place, channel: '' }, { id: '' }, at, what),
	);
	return layers.filter(({ name }) => name === 'server').map(({ key }) => key);
}
