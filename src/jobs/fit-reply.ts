import type { SentMessage } from '../bot/moderation/moderation-log.ts';
import type { ChannelLimits, Picture, Post, Reply } from '../domain/channel.ts';
import { parseActionId } from '../domain/command.ts';
import { UploadTooLargeError } from '../i18n/sentence-error.ts';
import type { Translate } from '../i18n/translator.ts';
import { type Fitting, fitPicture } from '../pictures/fit.ts';
import { readMarks } from '../pictures/marks.ts';
import { buttonsFrom } from '../requests/captions.ts';

/** One of the messages that a result is posted as. */
export type ReplyPart = {
	/** Tells the messages apart: empty for the one with the first picture, `.b` for one that begins with the second. */
	suffix: string;
	reply: Reply;
	/** The index of its first picture in the whole reply. */
	first: number;
	/** How many pictures it has. */
	count: number;
	/** The indexes of those that are smaller copies. */
	smaller: number[];
};

/** Returns the suffix of a message by its first picture, so that a suffix means the same however the pictures are grouped. */
export const suffixOf = (index: number) => (index === 0 ? '' : `.${String.fromCharCode(97 + index)}`);

/**
 * Splits a reply into messages within a channel's limits. Pictures that are too large are packed or scaled, and the text says so. The
 * first message has the whole text and all buttons, the others the buttons that apply to pictures.
 * @param from the index of the first picture that is not posted yet
 */
export async function fitReply(
	t: Translate,
	reply: Reply,
	limits: ChannelLimits,
	place: { direct?: boolean },
	from = 0,
): Promise<ReplyPart[]> {
	const { pictures = [], ...others } = reply;
	const fitted: FittedPicture[] = [];
	for (const [index, picture] of pictures.entries()) {
		if (index < from) continue;
		const { bytes, ...fitting } = await fitPicture(picture.bytes, maxBytes(limits));
		const number = pictures.length > 1 ? index + 1 : 0;
		const note = noteOf(t, fitting, limits, place, number);
		const isUnsigned = note !== undefined && readMarks(picture.bytes).signed;
		fitted.push({
			index,
			// A smaller copy is a PNG, whatever the original was.
			picture: note === undefined ? picture : { ...picture, bytes, name: picture.name.replace(/\.\w+$/, '.png') },
			note: isUnsigned ? `${note} ${t('delivery.unsigned')}` : note,
		});
	}
	const { text, buttons = [] } = others;
	return groupByMessage(fitted, limits).map((group, index) => {
		const first = group[0]?.index ?? from;
		const own = buttonsFrom(buttons, first);
		const title = index === 0 ? text : t('delivery.more', { numbers: numbersOf(first, group.length) });
		return {
			suffix: suffixOf(first),
			reply: {
				...others,
				text: [title, ...group.flatMap(({ note }) => note ?? [])].join('\n'),
				...(reply.pictures && { pictures: group.map(({ picture }) => picture) }),
				buttons: index === 0 ? own : own.filter(({ id }) => parseActionId(id)?.action !== 'again'),
			},
			first,
			count: group.length,
			smaller: group.filter(({ note }) => note !== undefined).map((picture) => picture.index),
		};
	});
}

/** A picture that fits, with its index in the whole reply and the sentence about what was changed. */
type FittedPicture = { index: number; picture: Picture; note: string | undefined };

/** A picture has to fit into a message alone, too. */
const maxBytes = ({ pictureBytes, messageBytes = Number.POSITIVE_INFINITY }: ChannelLimits) =>
	Math.min(pictureBytes, messageBytes);

/** Groups pictures in their order, as many as one message takes. Without pictures there is one empty group. */
function groupByMessage(all: readonly FittedPicture[], limits: ChannelLimits): FittedPicture[][] {
	const { pictures: maxCount, messageBytes = Number.POSITIVE_INFINITY } = limits;
	let last: FittedPicture[] = [];
	const groups = [last];
	let bytesLeft = messageBytes;
	for (const fitted of all) {
		const { length } = fitted.picture.bytes;
		if (last.length > 0 && (last.length === maxCount || length > bytesLeft)) {
			last = [];
			groups.push(last);
			bytesLeft = messageBytes;
		}
		last.push(fitted);
		bytesLeft -= length;
	}
	return groups;
}

/** Returns the numbers of pictures: “3”, or “3–4”. */
const numbersOf = (first: number, count: number) => (count > 1 ? `${first + 1}–${first + count}` : `${first + 1}`);

/** @param number of the picture, from 1; 0 when it is the only one */
function noteOf(
	t: Translate,
	fitting: Fitting,
	limits: ChannelLimits,
	{ direct }: { direct?: boolean },
	number: number,
): string | undefined {
	if (fitting.how === 'unchanged') return undefined;
	if (fitting.how === 'packed') return t('delivery.packed', { number });
	return t('delivery.scaled', {
		number,
		before: sizeOf(fitting.from),
		after: sizeOf(fitting.to),
		where: direct ? 'direct' : 'server',
		megabytes: Math.floor((maxBytes(limits) / 2 ** 20) * 10) / 10,
	});
}

const sizeOf = ({ width, height }: { width: number; height: number }) => `${width} × ${height}`;

/** What is posted of a reply: its messages, the number of their pictures, and the indexes of those that are smaller copies. */
export type Sent = { messages: SentMessage[]; pictures: number; smaller: number[]; first?: Post };

/**
 * Posts what is not posted yet of a reply as messages within a channel's limits, and notes in `sent` what is. When the platform does not
 * take a message because of its size, the pictures from there on are made smaller and posted once more.
 */
export async function postFitted(
	t: Translate,
	reply: Reply,
	{ limits, place }: { limits: ChannelLimits; place: { direct?: boolean } },
	sent: Sent,
	post: (reply: Reply, suffix: string) => Promise<Post>,
): Promise<void> {
	let current: ReplyPart | undefined;
	const postWithin = async (bounds: ChannelLimits) => {
		for (const part of await fitReply(t, reply, bounds, place, sent.pictures)) {
			current = part;
			const { text, buttons = [] } = part.reply;
			const posted = await post(part.reply, part.suffix);
			sent.first ??= posted;
			sent.messages.push({ handle: posted.handle, text, buttons, count: part.count, link: posted.link });
			sent.smaller.push(...part.smaller);
			sent.pictures = part.first + part.count;
		}
	};
	try {
		await postWithin(limits);
	} catch (error) {
		if (!current || !(error instanceof UploadTooLargeError)) throw error;
		await postWithin({ ...limits, ...(error.limits ?? halfOf(current)) });
	}
}

/** The platform takes less than it has announced. */
function halfOf({ reply: { pictures = [] } }: ReplyPart): { pictureBytes: number; messageBytes?: number } {
	const bytes = Math.floor(pictures.reduce((sum, picture) => sum + picture.bytes.length, 0) / 2);
	return { pictureBytes: bytes, messageBytes: bytes };
}
