import { directMessagePreface, refusalReason } from '../bot/messages/error-messages.ts';
import type { SentMessage } from '../bot/moderation/moderation-log.ts';
import {
	type Channel,
	type ChannelLimits,
	type MessageHandle,
	type Picture,
	type Place,
	type Post,
	type PostOptions,
	parseActionId,
	type Reply,
	type Upload,
} from '../domain/channel.ts';
import type { Job } from '../domain/job.ts';
import type { Platforms } from '../domain/platform.ts';
import type { Easel } from '../easel.ts';
import { PlatformRefusedError, type Translate, translatorFor, UploadTooLargeError } from '../i18n/translator.ts';
import { type Fitting, fitPicture } from '../pictures/fit.ts';
import { readMarks } from '../pictures/marks.ts';
import { buttonsFrom } from '../requests/requests.ts';

/** How long after its request an answer is tried again by sweeps while the platform is out of reach. */
const RETRIED_MS = 3600_000;

/** Tells whether sweeps try to post an answer again: the platform has not refused it, and may only be out of reach. */
export const isPassing = ({ at }: Job, reason: unknown, now: number): boolean =>
	reason !== undefined && !(reason instanceof PlatformRefusedError) && now < at + RETRIED_MS;

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

/** A place for an answer. The keys of its messages derive from the job, so that a second attempt edits what the first has posted. */
export type DeliveryTarget = {
	limits: ChannelLimits;
	/**
	 * Changes the reply for this target.
	 * @param reason why the targets before this one failed
	 */
	adapt?(reply: Reply, reason: unknown): Reply;
	/** @param suffix tells the messages of one answer apart; empty for the first */
	post(reply: Reply, suffix: string): Promise<Post>;
	/** Updates the status message once the whole answer is posted here. */
	finish?(): Promise<void>;
};

/** The message and the channel in which an answer is awaited, as far as they are known. */
export type Destination = {
	/** The status message. */
	post?: Post | undefined;
	/** For a private result: a channel that can keep it private, such as the one of the interaction. */
	channel?: Channel | undefined;
	/** The limits of the channel that `post` is in, when `channel` is not known. */
	limits?: ChannelLimits | undefined;
	/** The answer is for the person alone, and the status message is not: it takes the answer only when nothing else does. */
	isPrivate?: boolean | undefined;
	/** The status message shows a preview of the picture, which an answer without pictures removes. */
	hasPreview?: boolean | undefined;
	/** Returns false once another process may have posted the answer. From then on no sentence is posted, but pictures are. */
	hasLease?(): boolean;
};

/** Appended to the key of an answer when its first message is a direct message, or a new one in the channel. */
const DIRECT = '.direct';
const SECOND = '.2';

/** Returns the first message of an answer that a fallback has posted. */
export async function findFallback(find: Platforms['find'], { place, key }: MessageHandle): Promise<Post | undefined> {
	for (const suffix of [DIRECT, SECOND]) {
		const post = await find({ place, key: key + suffix });
		if (post) return post;
	}
	return undefined;
}

/** Returns the pictures that an answer shows in all its messages, the first of which was found. */
export async function shownPictures(
	find: Platforms['find'],
	job: { id: string; place: Place },
	first: Post | undefined,
): Promise<Upload[]> {
	const all: Upload[] = [...((await first?.pictures?.()) ?? [])];
	for (let added = all.length; added > 0; ) {
		const further = (await (await findFurther(find, job, suffixOf(all.length)))?.pictures?.()) ?? [];
		all.push(...further);
		added = further.length;
	}
	return all;
}

/** Returns a further message of an answer, which may be a direct message; undefined when it was not posted. */
async function findFurther(
	find: Platforms['find'],
	{ id, place }: { id: string; place: Place },
	suffix: string,
): Promise<Post | undefined> {
	return (await find({ place, key: id + suffix })) ?? find({ place, key: id + DIRECT + suffix });
}

/**
 * Yields the places for the answer of a job, in order: the status message, a new message in the channel, a direct message.
 *
 * @param options of the messages that are posted
 */
export async function* deliveryTargets(
	platforms: Platforms,
	job: Job,
	to: Destination,
	options: PostOptions = {},
): AsyncGenerator<DeliveryTarget, void> {
	const { post } = to;
	// An answer that began as a direct message continues as one; otherwise it would be in two places.
	const isDirect = post?.handle.key === job.id + DIRECT;
	const isInPlace = !isDirect && !to.isPrivate;
	if (post && isInPlace) yield toStatusMessage(platforms, job, post, to, options);
	if (to.channel && !isDirect) yield await toNewMessage(platforms, job, post, to.channel, options);
	const direct = await platforms.direct(job.place, job.person).catch(() => undefined);
	// The request may have come from that very channel, where all targets have failed by now.
	if (direct && direct.place.channel !== job.place.channel) yield toDirectMessage(job, post, direct, options);
	if (post && isDirect) yield toStatusMessage(platforms, job, post, { limits: direct?.limits }, options);
	else if (post && !isInPlace) yield toStatusMessage(platforms, job, post, to, options);
}

/** Applies when nothing is known of a channel; the platform itself refuses what is too much then. */
const UNKNOWN_LIMITS: ChannelLimits = {
	text: Number.POSITIVE_INFINITY,
	pictures: Number.POSITIVE_INFINITY,
	pictureBytes: Number.POSITIVE_INFINITY,
	edits: { count: 1, perMs: 1000 },
};

/** The status message becomes the answer; further messages follow in its channel. */
const toStatusMessage = (
	{ find }: Platforms,
	job: Job,
	first: Post,
	{ channel, limits = UNKNOWN_LIMITS }: Destination,
	options: PostOptions,
): DeliveryTarget => ({
	limits: channel?.limits ?? limits,
	async post(reply, suffix) {
		if (suffix === '') return edit(first, reply);
		// A further message may be there already from before a crash.
		const further = await findFurther(find, job, suffix);
		if (further) return edit(further, reply);
		if (!channel) throw new NoChannelError('The further messages of an answer have no channel');
		return channel.post(reply, job.id + suffix, options);
	},
});

/** Thrown where a private answer of several messages continues after a restart, without the interaction. Another try changes nothing. */
class NoChannelError extends Error {}

async function edit(post: Post, reply: Reply): Promise<Post> {
	await post.edit(reply);
	return post;
}

/** The answer is posted in the channel; the status message is deleted. */
async function toNewMessage(
	{ find }: Platforms,
	job: Job,
	status: Post | undefined,
	channel: Channel,
	options: PostOptions,
): Promise<DeliveryTarget> {
	const second = job.id + SECOND;
	// When no status message is known, the answer takes its key: posting edits one whose response from the platform was lost.
	const begun = status ?? (await find({ place: job.place, key: second }).catch(() => undefined));
	const key = begun ? second : job.message.key;
	return {
		limits: channel.limits,
		post: (reply, suffix) => channel.post(reply, suffix === '' ? key : job.id + suffix, options),
		async finish() {
			// After a crash the status message may be the one that this target has begun.
			if (status?.handle.key !== key) await status?.delete();
		},
	};
}

/** The person gets the answer as a direct message, which says why. */
function toDirectMessage(job: Job, status: Post | undefined, direct: Channel, options: PostOptions): DeliveryTarget {
	const t = translatorFor(job.person.locale);
	return {
		limits: direct.limits,
		adapt(reply, reason) {
			const why = refusalReason(t, reason);
			// The answer may be that very sentence.
			const preface = directMessagePreface(t, job.place, direct, reply.text.includes(why) ? '' : why);
			return { ...reply, text: `${preface}\n\n${reply.text}`, visibility: 'public' };
		},
		post: (reply, suffix) => direct.post(reply, job.id + DIRECT + suffix, options),
		async finish() {
			if (status?.handle.key !== job.id + DIRECT) await status?.edit({ text: t('delivery.sentDirect') });
		},
	};
}

/** Returns where the answer of a job continues: the message that a fallback has begun, else the status message. */
export async function destinationOf({ find, open }: Platforms, { place, message }: Job): Promise<Destination> {
	const [begun, status, channel] = await Promise.all([findFallback(find, message), find(message), open(place)]);
	if (begun) await status?.delete().catch(() => {});
	return { post: begun ?? status, channel };
}

/** Posts a reply to the first target that takes all of it. Messages that one target has taken are not posted to the next ones. */
export async function postToTargets(
	{ platforms, log }: Easel,
	job: Job,
	reply: Reply,
	to: Destination,
	options: PostOptions,
): Promise<{ sent?: Sent; reason?: unknown }> {
	const t = translatorFor(job.person.locale);
	const sent: Sent = { messages: [], pictures: 0, smaller: [] };
	let reason: unknown;
	for await (const { limits, adapt, post, finish } of deliveryTargets(platforms, job, to, options)) {
		if (!reply.pictures?.length && to.hasLease?.() === false) break;
		const isFirst = sent.pictures === 0;
		try {
			await postFitted(t, adapt?.(reply, reason) ?? reply, { limits, place: job.place }, sent, post);
		} catch (error) {
			log.warn({ err: error, job: job.id }, 'An answer could not be posted to one of its targets');
			if (!(reason instanceof PlatformRefusedError) && !(error instanceof NoChannelError)) reason = error;
			continue;
		}
		// Otherwise the status message shows a part of the answer.
		if (isFirst) await finish?.().catch(() => {});
		return { sent };
	}
	return { reason };
}
