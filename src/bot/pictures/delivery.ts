import type { Channel, ChannelLimits, Post } from '../../domain/channel.ts';
import { isSettled, type Job } from '../../domain/job.ts';
import type { Place } from '../../domain/place.ts';
import type { CallOutcome } from '../../domain/receipt.ts';
import type { Reply } from '../../domain/reply.ts';
import { type Translate, translatorFor } from '../../i18n/translator.ts';
import { actionButton } from '../declaration/actions.ts';
import { refusedWords, whereAsked } from '../messages/direct-message-fallback.ts';
import { errorMessageOf } from '../messages/error-messages.ts';
import { PlatformRefusedError } from '../messages/refused-error.ts';
import type { SentMessage } from '../moderation/log-entries.ts';
import type { PictureRequest } from '../repositories/requests.ts';
import type { BotServices } from '../services.ts';
import { caption, picturesOf, resultButtons } from './captions.ts';
import { fitReply } from './fit-reply.ts';

/** Where an answer can go: the message that waits for it, a new one in its channel, else a direct message. */
export type DeliveryTargets = {
	post?: Post | undefined;
	/** For what one person may see: only a channel that can keep it from others, as the one that they ask from can. */
	channel?: Channel | undefined;
	/** Of where the message is that waits, when no channel says so. */
	limits?: ChannelLimits | undefined;
	roles?: readonly string[] | undefined;
	/** What else is said under the pictures. */
	note?: string | undefined;
};

/** What is added to the answer's key where a message is begun afresh: as a direct message, and in the channel. */
export const FALLBACK_SUFFIXES = ['.direct', '.2'] as const;
const [DIRECT, SECOND] = FALLBACK_SUFFIXES;

/** Ends a request in its pictures. What can't be posted anywhere is kept and offered under /usage. */
export async function deliverPictures(
	services: BotServices,
	job: Job,
	request: PictureRequest,
	images: Uint8Array[],
	ways: DeliveryTargets,
) {
	const standing = await services.ledger
		.usageStatus(job.place, { id: job.person.id, roles: ways.roles })
		.catch(() => []);
	const t = translatorFor(job.person.locale);
	const reply: Reply = {
		text: [caption(t, request, images, standing), ...(ways.note === undefined ? [] : [ways.note])].join('\n'),
		pictures: picturesOf(t, images, request.prompt, await isCovered(services, job.place)),
		buttons: resultButtons(t, job.id, services.service.capabilities),
		visibility: request.private ? 'private' : 'public',
	};
	const { sent, why } = await answer(t, services, job, reply, ways);
	/** What nobody gets, the log does not show. */
	const log = () => services.moderationLog({ job, request, images, sent: sent ?? [], from: ways.channel });
	if (sent) {
		log();
		// As long as the job is open, a sweep may have to post them once more.
		if (await close(services, job, 'delivered')) await services.pictureStore.drop(job.id).catch(() => {});
		await services.recentResults
			.add(job.place, job.person, job.id, { handle: sent[0]?.handle ?? job.answer, prompt: request.prompt, at: job.at })
			.catch((error: unknown) =>
				services.log.warn({ err: error, job: job.id }, 'A result is not among the recent ones'),
			);
		await services
			.notices(job.place, standing)
			.catch((error: unknown) => services.log.warn({ err: error }, 'A notice failed'));
		return;
	}
	try {
		// They were kept when they came, unless the store failed just then; what is offered has to be there.
		await services.pictureStore.keep(job.id, images);
		await services.undeliveredResults.add(job.place, job.person, job.id);
	} catch (error) {
		services.log.error({ err: error, job: job.id }, 'Pictures that could not be posted wait for the next sweep');
		await ways.post
			?.edit({ text: t('The picture is finished but could not be posted. The call stays counted.') })
			.catch(() => {});
		return;
	}
	log();
	await close(services, job, 'undeliverable');
	const offer = t('The picture is finished but could not be posted here: /usage offers it.');
	await ways.post?.edit({ text: `${offer} ${refusedWords(t, why)}`.trim() }).catch(() => {});
}

/** Whether results are posted covered there. Where nobody knows, they are. */
export async function isCovered({ settings, log }: BotServices, { channel, ...place }: Place): Promise<boolean> {
	try {
		return (await settings.get(place)).spoilerChannels.includes(channel);
	} catch (error) {
		log.warn({ err: error }, 'The settings could not be read, so a result is covered');
		return true;
	}
}

/** Ends a request in a sentence. */
export async function deliverError(
	services: BotServices,
	job: Job,
	error: unknown,
	outcome: CallOutcome,
	ways: DeliveryTargets,
) {
	const t = translatorFor(job.person.locale);
	const { text, again } = errorMessageOf(t, error, outcome, services.log);
	const { sent } = await answer(
		t,
		services,
		job,
		{ text, buttons: again ? [actionButton(t, 'again', job.id)] : [], visibility: 'private' },
		ways,
	);
	await close(services, job, sent ? 'delivered' : 'undeliverable');
}

/**
 * The person has the answer already; a store that fails now, or could not settle the call, only leaves the job for the next
 * start to look at. Says whether the job is closed.
 */
async function close({ ledger, log }: BotServices, job: Job, state: 'delivered' | 'undeliverable'): Promise<boolean> {
	if (!isSettled(job)) return false;
	try {
		await ledger.close(job, state);
		return true;
	} catch (error) {
		log.error({ err: error, job: job.id }, 'A job stays open');
		return false;
	}
}

/** One way for an answer: what of it is still to be said, in messages that are found again by their keys. */
type Way = {
	limits: ChannelLimits | undefined;
	reply: Reply;
	say(reply: Reply, suffix: string): Promise<Post>;
	/** What becomes of the message that waited, when all of the answer went this way. */
	after?: () => Promise<unknown> | undefined;
};

/** What became of an answer: its messages when all of it was posted, else why it could not be. */
type Answered = { sent: SentMessage[]; why?: never } | { sent?: never; why: unknown };

async function answer(
	t: Translate,
	services: BotServices,
	job: Job,
	reply: Reply,
	ways: DeliveryTargets,
): Promise<Answered> {
	const sent: SentMessage[] = [];
	let done = 0;
	let reason: unknown;

	/** Each message is posted once, whichever way it went, and however often this is tried: its key is that of its first picture. */
	async function go(way: Way): Promise<boolean> {
		const isFirst = done === 0;
		try {
			const limits = way.limits ?? UNKNOWN;
			for (const part of await fitReply(t, way.reply, limits, job.place, done)) {
				const { handle, link } = await way.say(part.reply, part.suffix);
				const { text, buttons = [] } = part.reply;
				sent.push({ handle, text, buttons, count: part.count, link });
				done = part.first + part.count;
			}
		} catch (error) {
			services.log.warn({ err: error, job: job.id }, 'An answer could not be posted one way');
			if (!(reason instanceof PlatformRefusedError)) reason = error;
			return false;
		}
		if (isFirst) await way.after?.()?.catch(() => {});
		return true;
	}

	const { post } = ways;
	// What was begun directly before a crash goes on directly: otherwise some of it would be in both places.
	const isDirect = post?.handle.key === job.id + DIRECT;
	const channel = isDirect ? undefined : ways.channel;
	if (post && !isDirect && (await go(byPost(services, job, reply, post, ways)))) return { sent };
	if (channel && (await go(await byChannel(services, job, reply, post, channel)))) return { sent };
	// Who asked may bring more than the bot alone: what it can post by itself is asked of the place.
	const open =
		channel && reply.visibility !== 'private' ? await services.open(job.place).catch(() => undefined) : undefined;
	if (open && channel && open.limits.pictureBytes < channel.limits.pictureBytes)
		if (await go(await byChannel(services, job, reply, post, open))) return { sent };
	const direct = await services.direct(job.place, job.person).catch(() => undefined);
	// It may be where all this has failed already.
	const elsewhere = direct?.place.channel !== job.place.channel;
	const isSent =
		(direct && elsewhere && (await go(byDirect(t, job, reply, post, direct, reason)))) ||
		(post && isDirect && (await go(byPost(services, job, reply, post, { limits: direct?.limits }))));
	return isSent ? { sent } : { why: reason };
}

/** Nothing is known of what the place takes: then it is for the platform to say. */
const UNKNOWN: ChannelLimits = {
	text: Number.POSITIVE_INFINITY,
	pictures: Number.POSITIVE_INFINITY,
	pictureBytes: Number.POSITIVE_INFINITY,
	edits: { count: 1, perMs: 1000 },
};

function byPost(services: BotServices, job: Job, reply: Reply, post: Post, { channel, limits }: DeliveryTargets): Way {
	return {
		limits: channel?.limits ?? limits,
		reply,
		async say(part, suffix) {
			if (suffix === '') return edited(post, part);
			// Also one that went to the person directly, before a crash.
			for (const way of ['', DIRECT]) {
				const more = await services.find({ place: job.place, key: job.id + way + suffix });
				if (more) return edited(more, part);
			}
			if (!channel) throw new Error('There is no channel for the other pictures');
			return channel.post(part, job.id + suffix);
		},
	};
}

async function edited(post: Post, reply: Reply): Promise<Post> {
	await post.edit(reply);
	return post;
}

async function byChannel(
	services: BotServices,
	job: Job,
	reply: Reply,
	post: Post | undefined,
	channel: Channel,
): Promise<Way> {
	const second = job.id + SECOND;
	// Where no message is known, there may be one all the same, if only the platform's answer to it was lost.
	const has = post ?? (await services.find({ place: job.place, key: second }).catch(() => undefined));
	const first = has ? second : job.answer.key;
	return {
		limits: channel.limits,
		reply,
		say: (part, suffix) => channel.post(part, suffix === '' ? first : job.id + suffix),
		// After a crash the one that waits may be the very one that was begun this way.
		after: () => (post?.handle.key === first ? undefined : post?.delete()),
	};
}

/** Says where it was asked, and why it comes this way. */
function byDirect(t: Translate, job: Job, reply: Reply, post: Post | undefined, direct: Channel, reason: unknown): Way {
	const preface = whereAsked(t, job.place, direct, refusedWords(t, reason));
	return {
		limits: direct.limits,
		// Nobody else sees it there.
		reply: { ...reply, text: `${preface}\n\n${reply.text}`, visibility: 'public' },
		say: (part, suffix) => direct.post(part, job.id + DIRECT + suffix),
		after: () =>
			post?.handle.key === job.id + DIRECT
				? undefined
				: post?.edit({ text: t('This could not be posted here; it went to who asked, as a direct message.') }),
	};
}
