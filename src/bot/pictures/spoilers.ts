import type { Place } from '../../domain/place.ts';
import type { Settings } from '../../usage/settings/settings.ts';

/** Tells whether results are posted as spoilers in a channel. They are when the settings could not be read. */
export const isSpoiler = (settings: Settings | undefined, { channel }: Place): boolean =>
	settings?.spoilerChannels.includes(channel) ?? true;
