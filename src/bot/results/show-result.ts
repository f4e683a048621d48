import type { Channel, Reply, Upload } from '../../domain/channel.ts';
import { isPersonal, isSameServer, type Person } from '../../domain/place.ts';
import type { Origin } from '../../domain/platform.ts';
import type { Easel } from '../../easel.ts';
import { translatorFor } from '../../i18n/translator.ts';
import { shownPictures } from '../../jobs/delivery-targets.ts';
import { postFitted, type Sent } from '../../jobs/fit-reply.ts';
import { tryAndLog } from '../../log.ts';
import { picturesOf, resultButtons } from '../../requests/captions.ts';
import { isCovered, type PictureRequest } from '../../requests/requests.ts';

/**
 * Tells whether a person may see a result: whoever asked, moderators of that server, and everybody for what is public in this channel,
 * or in one that every member sees.
 */
export async function maySee(
	{ platforms }: Easel,
	{ person, channel }: Origin,
	request: PictureRequest,
): Promise<boolean> {
	const { place } = request;
	if (!isSameServer(place, channel.place)) return false;
	if (request.person.id === person.id || (person.moderator && !isPersonal(place))) return true;
	if (request.private || place.direct) return false;
	if (place.channel === channel.place.channel)
		return place.thread === undefined || place.thread === channel.place.thread;
	const other = await platforms.open(place).catch(() => undefined);
	return (await other?.isVisibleToEveryone?.()) === true;
}

/** Returns the pictures of a result as its messages show them; none when they are gone. */
export async function picturesShown(
	{ ledger, platforms }: Easel,
	id: string,
	{ place }: PictureRequest,
): Promise<Upload[]> {
	const { shown } = (await ledger.find(id)) ?? {};
	return shownPictures(platforms.find, { id, place }, shown && (await platforms.find(shown)));
}

type ShownResult = {
	job: string;
	/** Undefined when it is no longer stored. */
	request: PictureRequest | undefined;
	images: readonly Uint8Array[];
	/** The text above the pictures. */
	text: string;
};

/**
 * Posts the pictures of a result with its buttons, to one person alone.
 * @param to.key the key of the first message
 */
export async function postResult(
	easel: Easel,
	{ job, request, images, text }: ShownResult,
	{ person, channel, key }: { person: Person; channel: Channel; key: string },
): Promise<Sent> {
	const { settings, log } = easel;
	const t = translatorFor(person.locale);
	const stored = await tryAndLog(log, 'The settings could not be read', () => settings.get(channel.place));
	const prompt = request?.prompt ?? t('results.picture');
	const reply: Reply = {
		text,
		pictures: picturesOf(t, images, prompt, isCovered(request, stored, request?.place ?? channel.place), request?.alts),
		buttons: resultButtons(t, job, easel),
		visibility: 'private',
	};
	const sent: Sent = { messages: [], pictures: 0, smaller: [] };
	await postFitted(t, reply, channel, sent, (part, suffix) => channel.post(part, key + suffix));
	return sent;
}
