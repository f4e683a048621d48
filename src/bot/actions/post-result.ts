import type { Channel } from '../../domain/channel.ts';
import type { Person } from '../../domain/person.ts';
import type { MessageHandle } from '../../domain/place.ts';
import type { Reply } from '../../domain/reply.ts';
import { translatorFor } from '../../i18n/translator.ts';
import { tryAndLog } from '../messages/try-and-log.ts';
import { picturesOf, resultButtons } from '../pictures/captions.ts';
import { smallerIn } from '../pictures/fit-reply.ts';
import { postFitted } from '../pictures/post-fitted.ts';
import { isSpoiler } from '../pictures/spoilers.ts';
import type { PictureRequest } from '../repositories/requests.ts';
import type { BotServices } from '../services.ts';

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
 * @returns the first message, and which pictures were posted as smaller copies
 */
export async function postResult(
	{ settings, service, log }: BotServices,
	{ job, request, images, text }: Result,
	{ person, channel, key }: { person: Pick<Person, 'locale'>; channel: Channel; key: string },
): Promise<{ first: MessageHandle | undefined; smaller: number[] }> {
	const t = translatorFor(person.locale);
	const stored = await tryAndLog(log, 'The settings could not be read', () => settings.get(channel.place));
	const prompt = request?.prompt ?? t('results.picture');
	const reply: Reply = {
		text,
		pictures: picturesOf(t, images, prompt, isSpoiler(stored, request?.place ?? channel.place)),
		buttons: resultButtons(t, job, service.capabilities),
		visibility: 'private',
	};
	let first: MessageHandle | undefined;
	const smaller: number[] = [];
	await postFitted(t, reply, channel, async (part) => {
		const { handle } = await channel.post(part.reply, key + part.suffix);
		first ??= handle;
		smaller.push(...smallerIn(part, reply));
	});
	return { first, smaller };
}
