import type { Place } from './place.ts';

/** The operator's lists of Discord servers, and of Slack workspaces and organizations, by their ids. */
export type ServerLists = {
	/** Empty: all are served. */
	allowed: readonly string[];
	/** Never served. */
	denied: readonly string[];
};

/** Tells whether a place is served: by its server, or for direct messages by the server whose caps apply there. */
export type ServesPlace = (place: Pick<Place, 'platform' | 'server'>) => boolean;

/**
 * Returns the check of the operator's lists. Who uses the bot in direct messages, and has used it in no server, belongs to no server:
 * they are served where no list says which servers are. The sandbox runs on the operator's own machine and is always served.
 */
export function servesPlaceOf({ allowed, denied }: ServerLists): ServesPlace {
	const [allows, denies] = [new Set(allowed), new Set(denied)];
	return ({ platform, server }) =>
		platform === 'sandbox' || ((allows.size === 0 || allows.has(server)) && !denies.has(server));
}
