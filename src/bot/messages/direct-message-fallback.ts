import type { Channel } from '../../domain/channel.ts';
import type { Person } from '../../domain/person.ts';
import type { Place } from '../../domain/place.ts';
import type { Translate } from '../../i18n/translator.ts';
import type { BotServices } from '../services.ts';
import { PlatformRefusedError } from './refused-error.ts';

/** Where who asked can be written to alone; undefined where nobody can, or where they asked in that very conversation. */
export async function directChannel(
	services: Pick<BotServices, 'direct'>,
	place: Place,
	person: Pick<Person, 'id'>,
): Promise<Channel | undefined> {
	const direct = await services.direct(place, person).catch(() => undefined);
	return direct?.place.channel === place.channel ? undefined : direct;
}

/**
 * What an answer begins with that comes as a direct message: where it was asked for.
 * @param why a sentence: what kept it from being posted there, or what it is about; empty where nobody knows
 */
export function whereAsked(t: Translate, { thread, channel }: Place, direct: Pick<Channel, 'refer'>, why: string) {
	const where = direct.refer('channel', thread ?? channel);
	return t('delivery.direct', { where, why: why && ` ${why}` });
}

/** What a platform does not let us do, as a sentence; empty for any other failure. */
export const refusedWords = (t: Translate, reason: unknown) =>
	reason instanceof PlatformRefusedError ? reason.said(t) : '';
