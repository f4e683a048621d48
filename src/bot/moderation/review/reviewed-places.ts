import type { Place } from '../../../domain/place.ts';
import type { Settings } from '../../../usage/settings/settings.ts';

/** Tells whether pictures that are made in a place are reviewed. Direct messages are not: nobody else sees them. */
export const isReviewed = ({ reviewChannels }: Pick<Settings, 'reviewChannels'>, { channel, direct }: Place): boolean =>
	!direct && reviewChannels.includes(channel);
