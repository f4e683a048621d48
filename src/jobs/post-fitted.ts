import type { ChannelLimits, Reply } from '../domain/channel.ts';
import type { Place } from '../domain/place.ts';
import { UploadTooLargeError } from '../i18n/sentence-error.ts';
import type { Translate } from '../i18n/translator.ts';
import { fitReply, type ReplyPart } from './fit-reply.ts';

type Target = {
	limits: ChannelLimits;
	place: Pick<Place, 'direct'>;
	/** The index of the first picture that is not posted yet. */
	from?: number;
};

/**
 * Posts a reply as messages within a channel's limits. When the platform does not take one of them because of its size, the pictures
 * from there on are made smaller and posted once more.
 */
export async function postFitted(
	t: Translate,
	reply: Reply,
	{ limits, place, from = 0 }: Target,
	post: (part: ReplyPart) => Promise<void>,
): Promise<void> {
	let current: ReplyPart | undefined;
	try {
		for (const part of await fitReply(t, reply, limits, place, from)) {
			current = part;
			await post(part);
		}
	} catch (error) {
		if (!current || !(error instanceof UploadTooLargeError)) throw error;
		const smaller = { ...limits, ...(error.limits ?? halfOf(current)) };
		for (const part of await fitReply(t, reply, smaller, place, current.first)) await post(part);
	}
}

/** The platform takes less than it has announced. */
function halfOf({ reply: { pictures = [] } }: ReplyPart): Pick<ChannelLimits, 'pictureBytes' | 'messageBytes'> {
	const bytes = Math.floor(pictures.reduce((sum, picture) => sum + picture.bytes.length, 0) / 2);
	return { pictureBytes: bytes, messageBytes: bytes };
}
