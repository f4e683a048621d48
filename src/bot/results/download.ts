import type { Button } from '../../domain/channel.ts';
import type { Origin, Request } from '../../domain/platform.ts';
import type { Easel } from '../../easel.ts';
import { SentenceError, translatorFor } from '../../i18n/translator.ts';
import { tryAndLog } from '../../log.ts';
import { fileMemory } from '../../pictures/decoding.ts';
import { makeSticker } from '../../pictures/fit.ts';
import {
	buttonsFrom,
	endingOf,
	isCovered,
	type PictureRequest,
	parseResultSubject,
	picturesOf,
} from '../../requests/requests.ts';
import { withPosted } from '../../requests/uploads.ts';
import { IMAGE_LIMITS } from '../../service/picture-answer.ts';
import { type ActionHandlers, type ActionResult, actionButton } from '../declaration/actions.ts';
import { privately } from '../declaration/command.ts';
import { onePictureAction } from './forms.ts';
import { maySee, picturesShown } from './lists.ts';

/** What people get a picture of a result as, besides its message: the file as it was made, and a sticker of it. */
export const downloadActions: ActionHandlers<'download' | 'sticker'> = {
	/** Says where a picture can be downloaded as it was posted, or posts its original when that was a smaller copy. */
	download: onePictureAction(
		{ command: 'download', title: 'buttons.download' },
		async (asking, { job, first, number, picture }, { easel, t }) => {
			const index = number > 0 ? number - 1 : first;
			const request = await visibleRequest(easel, asking, job);
			const buttons = request ? buttonsFrom([actionButton(t, 'sticker', job)], index) : [];
			const isPosted =
				request && (await withOriginal(easel, job, index, (file) => postOriginal(asking, file, index, buttons)));
			if (isPosted) return 'answered';
			const link = await picture?.link?.();
			if (link === undefined) return new SentenceError('forms.noPicture');
			return { reply: { ...privately(t('results.download', { number, link })), buttons } };
		},
	),
	sticker: {
		async press(press, subject, { easel }) {
			const { person, channel } = press;
			const { job, first: index } = parseResultSubject(subject);
			const request = await visibleRequest(easel, press, job);
			if (!request) return new SentenceError('errors.expired.request');
			const post = (picture: Uint8Array) => postSticker(easel, press, request, picture, index);
			const posted = await withOriginal(easel, job, index, post);
			if (posted) return posted;
			const shown = (await picturesShown(easel, job, request))[index];
			if (!shown) return new SentenceError('forms.noPicture');
			return withPosted(easel, { place: channel.place, person }, [shown], ([bytes = new Uint8Array()]) => post(bytes));
		},
	},
};

/** Returns the request of a result that a person may see; undefined as well where they look at too many. */
async function visibleRequest(easel: Easel, asking: Origin, job: string): Promise<PictureRequest | undefined> {
	const request = await easel.requests.find(job);
	if (!request || !(await maySee(easel, asking, request))) return undefined;
	return (await easel.policy.check('look', asking)) === undefined ? request : undefined;
}

/** Does work with the original of a picture that was posted as a smaller copy; undefined where there is none. */
const withOriginal = <Result>(easel: Easel, job: string, index: number, work: (file: Uint8Array) => Promise<Result>) =>
	fileMemory.use(IMAGE_LIMITS.pictureBytes, easel.stopping, async () => {
		const original = await easel.pictureStore.original(job, index);
		return original && work(original);
	});

/** Posts a sticker of a picture to one person. Of an opaque picture it keeps the background, and says how to get one without. */
async function postSticker(
	{ settings, log, stopping }: Easel,
	{ id, person, channel }: Request,
	request: PictureRequest,
	picture: Uint8Array,
	index: number,
): Promise<ActionResult> {
	const t = translatorFor(person.locale);
	const sticker = await tryAndLog(log, 'A sticker could not be made', () => makeSticker(picture, stopping));
	if (!sticker) return new SentenceError('results.noSticker');
	const { bytes, width, height, isOpaque } = sticker;
	const text = t('results.sticker', {
		width,
		height,
		kilobytes: Math.ceil(bytes.length / 1024),
		opaque: String(isOpaque),
	});
	const spoiler = isCovered(request, await settings.get(channel.place), request.place);
	const pictures = picturesOf(t, [bytes], request.prompt, spoiler, [request.alts?.[index]]);
	await channel.post({ ...privately(text), pictures }, id);
	return 'answered';
}

/** Posts an original to one person. It did not fit into a message here, so it may take several, each with a part of the file. */
async function postOriginal(
	{ id, person, channel }: Request,
	original: Uint8Array,
	index: number,
	buttons: readonly Button[],
): Promise<true> {
	const { pictureBytes, messageBytes = pictureBytes } = channel.limits;
	const most = Math.max(1, Math.min(pictureBytes, messageBytes));
	const count = Math.ceil(original.length / most);
	const name = `original-${index + 1}.${endingOf(original)}`;
	const t = translatorFor(person.locale);
	for (let part = 1; part <= count; part++) {
		const bytes = original.subarray((part - 1) * most, part * most);
		const file = { name: count > 1 ? `${name}.${String(part).padStart(3, '0')}` : name, bytes };
		const text = count > 1 ? t('results.originalPart', { part, count, name }) : t('results.original');
		const reply = { ...privately(text), files: [file], ...(part === count && { buttons }) };
		await channel.post(reply, part > 1 ? `${id}.${part}` : id);
	}
	return true;
}
