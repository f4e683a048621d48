import type { Place } from '../../domain/place.ts';
import type { Settings } from '../../usage/settings.ts';

/** Returns whether results are posted covered in a channel. They are when the settings could not be read. */
export const isCovered = (settings: Settings | undefined, { channel }: Place): boolean =>
	settings?.spoilerChannels.includes(channel) ?? true;
