import { parseActionId } from '../../domain/action-id.ts';
import type { ChannelLimits } from '../../domain/channel.ts';
import type { Place } from '../../domain/place.ts';
import type { Picture, Reply } from '../../domain/reply.ts';
import type { Translate } from '../../i18n/translator.ts';
import { type Fitting, fitPicture } from '../../pictures/fit.ts';

/** One of the messages that a result is posted as. */
export type ReplyPart = {
	/** Names it beside the others: nothing for the one with the first picture, `.b` for one that begins with the second. */
	suffix: string;
	reply: Reply;
	/** Where its pictures are among those of the whole. */
	first: number;
	count: number;
};

/** Pictures that begin a message of their own have names of their own: however many there were before, a name means the same. */
export const suffixOf = (index: number) => (index === 0 ? '' : `.${String.fromCharCode(97 + index)}`);

/**
 * A result as messages that a place takes: its pictures as they are wherever they fit, else made to fit, which the text then
 * says; over several messages where they are too much for one. The first has the whole text and all buttons, the others the
 * buttons that are about pictures.
 * @param from the first picture that is still to be posted
 */
export async function fitReply(
	t: Translate,
	reply: Reply,
	limits: ChannelLimits,
	place: Pick<Place, 'direct'>,
	from = 0,
): Promise<ReplyPart[]> {
	const { pictures = [], ...words } = reply;
	const fitted: Ready[] = [];
	for (const [index, picture] of pictures.entries()) {
		if (index < from) continue;
		const { bytes, ...fitting } = await fitPicture(picture.bytes, mostOf(limits));
		const number = pictures.length > 1 ? index + 1 : 0;
		fitted.push({ index, picture: { ...picture, bytes }, note: noteOf(t, fitting, limits, place, number) });
	}
	const { text, buttons = [] } = words;
	return grouped(fitted, limits).map((group, index) => {
		const first = group[0]?.index ?? from;
		const title = index === 0 ? text : t('delivery.more');
		return {
			suffix: suffixOf(first),
			reply: {
				...words,
				text: [title, ...group.flatMap(({ note }) => note ?? [])].join('\n'),
				...(reply.pictures && { pictures: group.map(({ picture }) => picture) }),
				buttons: index === 0 ? buttons : buttons.filter(({ id }) => parseActionId(id)?.action !== 'again'),
			},
			first,
			count: group.length,
		};
	});
}

/** A picture that fits, where it is among those of the whole, and what is to be said of it. */
type Ready = { index: number; picture: Picture; note: string | undefined };

/** A picture alone has to fit into a message, too. */
const mostOf = ({ pictureBytes, messageBytes = Number.POSITIVE_INFINITY }: ChannelLimits) =>
	Math.min(pictureBytes, messageBytes);

/** In their order, as many together as one message takes; one empty message where there are none. */
function grouped(all: readonly Ready[], limits: ChannelLimits): Ready[][] {
	const { pictures: most, messageBytes = Number.POSITIVE_INFINITY } = limits;
	let last: Ready[] = [];
	const groups = [last];
	let room = messageBytes;
	for (const one of all) {
		const { length } = one.picture.bytes;
		if (last.length > 0 && (last.length === most || length > room)) {
			last = [];
			groups.push(last);
			room = messageBytes;
		}
		last.push(one);
		room -= length;
	}
	return groups;
}

function noteOf(
	t: Translate,
	fitting: Fitting,
	limits: ChannelLimits,
	{ direct }: Pick<Place, 'direct'>,
	number: number,
): string | undefined {
	if (fitting.how === 'unchanged') return undefined;
	if (fitting.how === 'packed')
		return t('delivery.packed', {
			number,
		});
	return t('delivery.scaled', {
		number,
		before: sizeOf(fitting.from),
		after: sizeOf(fitting.to),
		where: direct ? 'direct' : 'server',
		megabytes: Math.floor((mostOf(limits) / 2 ** 20) * 10) / 10,
	});
}

const sizeOf = ({ width, height }: { width: number; height: number }) => `${width} × ${height}`;
