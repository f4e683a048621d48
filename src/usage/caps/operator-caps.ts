import { isPersonal, type Place } from '../../domain/place.ts';
import { type Windows, windowsAt } from '../windows/windows.ts';
import type { Layer, OperatorCaps } from './layers.ts';

/** Returns the layers of the operator's caps for a call, widest first. Only what has a cap is counted. */
export function operatorLayers(caps: OperatorCaps | undefined, place: Place, personId: string, at: number): Layer[] {
	if (!caps) return [];
	const windows = windowsAt(at, 'UTC');
	const layer = (name: Layer['name'], key: string, period: keyof Windows, limit: number | undefined): Layer[] =>
		limit === undefined
			? []
			: [{ name, key: `count:operator:${key}:${windows[period].id}`, period, limit, window: windows[period] }];
	const server = `server:${place.platform}:${place.server}`;
	return [
		...(isPersonal(place)
			? []
			: [
					...layer('operatorServer', server, 'day', caps.serverPerDay),
					...layer('operatorServer', server, 'month', caps.serverPerMonth),
				]),
		...layer('operatorMember', `member:${place.platform}:${personId}`, 'day', caps.memberPerDay),
	];
}
