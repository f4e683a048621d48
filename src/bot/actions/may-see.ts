import { isPersonal, type Place } from '../../domain/place.ts';
import type { ButtonPress } from '../../domain/requests.ts';
import type { PictureRequest } from '../repositories/requests.ts';
import type { BotServices } from '../services.ts';

/**
 * Tells whether a person may see a result: whoever asked, moderators of that server, and everybody for what is public in this channel,
 * or in one that every member sees.
 */
export async function maySee(
	{ open }: BotServices,
	{ person, channel }: Pick<ButtonPress, 'person' | 'channel'>,
	request: PictureRequest,
): Promise<boolean> {
	const { place } = request;
	if (!isSameServer(place, channel.place)) return false;
	if (request.person.id === person.id || (person.moderator && !isPersonal(place))) return true;
	if (request.private || place.direct) return false;
	if (place.channel === channel.place.channel)
		return place.thread === undefined || place.thread === channel.place.thread;
	const other = await open(place).catch(() => undefined);
	return (await other?.isVisibleToEveryone?.()) === true;
}

const isSameServer = (one: Place, other: Place) => one.platform === other.platform && one.server === other.server;
