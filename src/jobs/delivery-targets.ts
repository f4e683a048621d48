import { directMessagePreface, refusalReason } from '../bot/messages/error-messages.ts';
import type { Channel, ChannelLimits, Post, PostOptions, Reply, Upload } from '../domain/channel.ts';
import type { Job } from '../domain/job.ts';
import type { MessageHandle, Place } from '../domain/place.ts';
import type { Platforms } from '../domain/platform.ts';
import type { Easel } from '../easel.ts';
import { PlatformRefusedError } from '../i18n/sentence-error.ts';
import { translatorFor } from '../i18n/translator.ts';
import { postFitted, type Sent, suffixOf } from './fit-reply.ts';

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
	isOurs?(): boolean;
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
		if (!channel) throw new Error('The further messages of an answer have no channel');
		return channel.post(reply, job.id + suffix, options);
	},
});

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
		if (!reply.pictures?.length && to.isOurs?.() === false) break;
		const isFirst = sent.pictures === 0;
		try {
			await postFitted(t, adapt?.(reply, reason) ?? reply, { limits, place: job.place }, sent, post);
		} catch (error) {
			log.warn({ err: error, job: job.id }, 'An answer could not be posted to one of its targets');
			if (!(reason instanceof PlatformRefusedError)) reason = error;
			continue;
		}
		// Otherwise the status message shows a part of the answer.
		if (isFirst) await finish?.().catch(() => {});
		return { sent };
	}
	return { reason };
}
