import type { Channel } from '../../domain/channel.ts';
import type { Person } from '../../domain/person.ts';
import type { Place } from '../../domain/place.ts';
import type { Platforms } from '../../domain/platform.ts';
import type { Translate } from '../../i18n/translator.ts';
import { PlatformRefusedError } from './refused-error.ts';

/** Returns the channel for direct messages to a person; undefined when there is none, or when the request came from it. */
export async function directChannel(
	platforms: Platforms,
	place: Place,
	person: Pick<Person, 'id'>,
): Promise<Channel | undefined> {
	const direct = await platforms.direct(place, person).catch(() => undefined);
	return direct?.place.channel === place.channel ? undefined : direct;
}

/**
 * Returns the first line of an answer that comes as a direct message: where the request was made.
 * @param why a sentence about the reason; empty when it is not known
 */
export function directMessagePreface(
	t: Translate,
	{ thread, channel }: Place,
	direct: Pick<Channel, 'refer'>,
	why: string,
) {
	const where = direct.refer('channel', thread ?? channel);
	return t('delivery.direct', { where, why: why && ` ${why}` });
}

/** Returns the sentence of a platform that refused a message; empty for any other error. */
export const refusalReason = (t: Translate, reason: unknown) =>
	reason instanceof PlatformRefusedError ? reason.messageIn(t) : '';
