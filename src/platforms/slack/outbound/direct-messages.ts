import type { Place } from '../../../domain/place.ts';

/** Returns the place of one person's direct messages with the bot, in the workspace of another place. */
export const directPlace = ({ platform, server }: Pick<Place, 'platform' | 'server'>, channel: string): Place => ({
	platform,
	server,
	channel,
	direct: true,
});
