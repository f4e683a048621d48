import type { Channel, Reply } from '../../domain/channel.ts';
import { isPersonal, isSameServer, type Person } from '../../domain/place.ts';
import type { Origin, Request } from '../../domain/platform.ts';
import type { Easel } from '../../easel.ts';
import { translatorFor } from '../../i18n/translator.ts';
import { postFitted, type Sent } from '../../jobs/fit-reply.ts';
import { tryAndLog } from '../../log.ts';
import { fileMemory } from '../../pictures/decoding.ts';
import { endingOf, picturesOf, resultButtons } from '../../requests/captions.ts';
import { isCovered, type PictureRequest } from '../../requests/requests.ts';
import { IMAGE_LIMITS } from '../../service/picture-answer.ts';
import { type ActionHandler, say } from '../declaration/actions.ts';
import { onePictureAction } from './forms.ts';

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

type Result = {
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
	{ job, request, images, text }: Result,
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

/**
 * Says where a picture of a result can be downloaded as it was posted, or posts its original when that was a smaller copy.
 */
export const downloadAction = (easel: Easel): ActionHandler =>
	onePictureAction(easel, { command: 'download', title: 'buttons.download' }, async (asking, chosen) => {
		const { job, first, number, picture } = chosen;
		const t = translatorFor(asking.person.locale);
		const index = number > 0 ? number - 1 : first;
		const request = await easel.requests.find(job);
		const isAllowed =
			request && (await maySee(easel, asking, request)) && (await easel.policy.check('look', asking)) === undefined;
		const isPosted =
			isAllowed &&
			(await fileMemory.use(IMAGE_LIMITS.pictureBytes, easel.stopping, async () => {
				const original = await easel.pictureStore.original(job, index);
				return original && postOriginal(asking, original, index);
			}));
		if (isPosted) return 'answered';
		const link = await picture?.link?.();
		return say(link === undefined ? t('forms.noPicture') : t('results.download', { number, link }));
	});

/** Posts an original to one person. It did not fit into a message here, so it may take several, each with a part of the file. */
async function postOriginal({ id, person, channel }: Request, original: Uint8Array, index: number): Promise<true> {
	const { pictureBytes, messageBytes = pictureBytes } = channel.limits;
	const most = Math.max(1, Math.min(pictureBytes, messageBytes));
	const count = Math.ceil(original.length / most);
	const name = `original-${index + 1}.${endingOf(original)}`;
	const t = translatorFor(person.locale);
	for (let part = 1; part <= count; part++) {
		const bytes = original.subarray((part - 1) * most, part * most);
		const file = { name: count > 1 ? `${name}.${String(part).padStart(3, '0')}` : name, bytes };
		const text = count > 1 ? t('results.originalPart', { part, count, name }) : t('results.original');
		await channel.post({ text, files: [file], visibility: 'private' }, part > 1 ? `${id}.${part}` : id);
	}
	return true;
}
