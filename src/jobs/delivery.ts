import { actionButton } from '../bot/declaration/actions.ts';
import { errorMessageOf, refusalReason } from '../bot/messages/error-messages.ts';
import type { SentMessage } from '../bot/moderation/log-entries.ts';
import type { ModerationLog } from '../bot/moderation/moderation-log.ts';
import type { Notices } from '../bot/moderation/notices.ts';
import type { RecentResults } from '../bot/repositories/recent-results.ts';
import type { ResultSearch } from '../bot/search/result-search.ts';
import type { Button, Post, PostOptions, Reply } from '../domain/channel.ts';
import {
	type CallOutcome,
	isClosed,
	isSettled,
	type Job,
	type JobEnd,
	ShutdownError,
	type TokenUsage,
} from '../domain/job.ts';
import { isPersonal, type Place } from '../domain/place.ts';
import type { Platforms } from '../domain/platform.ts';
import { quoted } from '../domain/text.ts';
import { PlatformRefusedError } from '../i18n/sentence-error.ts';
import { type Translate, translatorFor } from '../i18n/translator.ts';
import { type Log, tryAndLog } from '../log.ts';
import { caption, picturesOf, resultButtons } from '../requests/captions.ts';
import type { PictureStore } from '../requests/picture-store.ts';
import type { PictureRequest } from '../requests/requests.ts';
import type { UndeliveredAnswer, UndeliveredResults } from '../requests/undelivered-results.ts';
import type { Capabilities } from '../service/service.ts';
import type { UsageStatus } from '../usage/caps.ts';
import type { LeaseGuard } from '../usage/lease.ts';
import type { Ledger } from '../usage/ledger.ts';
import { isReviewed, isSpoiler, type Settings } from '../usage/settings/settings.ts';
import type { SettingsRepository } from '../usage/settings/settings-repository.ts';
import type { DeferredEndings } from './deferred-endings.ts';
import { countShown, type DeliveryTarget, type Destination, deliveryTargets } from './delivery-targets.ts';
import { smallerIn } from './fit-reply.ts';
import { outcomeOfCrash, settleKnown } from './outcome.ts';
import { postFitted } from './post-fitted.ts';
import type { ReviewGate } from './review/review-gate.ts';

type Parts = {
	platforms: Platforms;
	ledger: Ledger;
	settings: SettingsRepository;
	capabilities: Capabilities;
	pictureStore: PictureStore;
	recentResults: RecentResults;
	resultSearch: ResultSearch;
	undeliveredResults: UndeliveredResults;
	moderationLog: ModerationLog;
	reviewGate: ReviewGate;
	notices: Notices;
	deferredEndings: DeferredEndings;
	log: Log;
};

/** How long after its request a sentence that could not be posted is tried again by sweeps. */
const RETRIED_MS = 3600_000;

/** A finished request. */
export type PictureResult = {
	job: Job;
	/** Settles the call of a job that is only sent, and returns the job as it is then. Never rejects. */
	settle?(): Promise<Job>;
	request: PictureRequest;
	images: readonly Uint8Array[];
	/** As the service counts them, in case the call could not be settled before. */
	tokens?: TokenUsage | undefined;
	/** The settings that allowed the request, in case they cannot be read. */
	settings?: Settings;
	/** The roles of the person who asked, as far as they are known. */
	roles?: readonly string[] | undefined;
	/** A sentence below the caption. */
	note?: string | undefined;
	/** Tells, after the delivery, whether the kept pictures stay, because a sweep has to look after them once more. */
	staysKept?(): Promise<boolean>;
	/** Tells whether a sweep may still post it. After a lapse of its lease, its pictures may be a part of what others have posted. */
	isOurs?: LeaseGuard | undefined;
};

/** Where pictures went: into messages, to `/usage`, or to a review, which may have ended with their rejection. */
export type PicturesEnd = 'posted' | 'offered' | 'held' | 'nowhere';

/** Delivers the answers of jobs, and closes the jobs. Never rejects: a job that stays open is delivered by a later sweep. */
export class Delivery {
	readonly #parts: Parts;

	constructor(parts: Parts) {
		this.#parts = parts;
	}

	/**
	 * Delivers the pictures of a finished request. Pictures that cannot be posted anywhere are kept, and `/usage` offers them.
	 *
	 * @returns `nowhere` when neither was possible, or the result is not this process's any more
	 */
	async pictures(result: PictureResult, to: Destination): Promise<PicturesEnd> {
		const { job } = result;
		const settings = (await this.#settingsOf(job.place)) ?? result.settings;
		// Without settings, it is not known whether they have to be reviewed.
		if (!settings || result.isOurs?.() === false) return 'nowhere';
		const { reviewGate, log } = this.#parts;
		const owned = isReviewed(settings, job.place) ? await whenSettled(result) : result;
		const images = await tryAndLog(log, 'Pictures could not be reviewed', () => reviewGate.pass(owned, settings));
		if (images === undefined) return this.#defer(owned, to);
		if (images === 'held') return this.#hold(owned, to);
		return images === 'rejected' ? this.#closeHeld(owned) : this.#deliver({ ...owned, images }, to, settings);
	}

	async #deliver(result: PictureResult, to: Destination, settings: Settings): Promise<PicturesEnd> {
		const { ledger } = this.#parts;
		const { job, request, images, tokens, roles } = result;
		const t = translatorFor(job.person.locale);
		const usage = await ledger
			.usageStatus(job.place, { id: job.person.id, roles }, 'pictures', settings)
			.catch(() => []);
		if (result.isOurs?.() === false) return 'nowhere';
		const reply = this.#replyOf(t, result, usage, settings);
		const posted = await this.#post(t, job, reply, to);
		const sent = posted.sent ?? (await this.#sentBefore(job, reply, to));
		const entry = { job, request, images, sent: sent ?? [], from: to.channel, settings };
		if (sent) {
			this.#parts.moderationLog.record(entry);
			await this.#afterDelivery(result, { sent, smaller: posted.smaller ?? [] }, usage, settings);
			return 'posted';
		}
		const settled = await whenSettled(result);
		if (await this.#keepForCollection(settled)) {
			this.#parts.moderationLog.record({ ...entry, job: settled.job });
			await closeJob(this.#parts, settled.job, {
				...{ state: 'undeliverable', outcome: 'succeeded', pictures: images.length, tokens },
			});
			const offer = t('delivery.kept');
			await to.post?.edit({ text: `${offer} ${refusalReason(t, posted.reason)}`.trim() }).catch(() => {});
			return 'offered';
		}
		return this.#defer(settled, to);
	}

	/** Says in the person's message that the pictures wait for a review, then shows them to the moderators. */
	async #hold(result: PictureResult, to: Destination): Promise<PicturesEnd> {
		const { job, request, images } = result;
		const t = translatorFor(job.person.locale);
		const text = t('review.waiting', { prompt: quoted(request.prompt), count: images.length });
		const visibility = request.private ? 'private' : 'public';
		const { reviewGate, log } = this.#parts;
		const isDecided = await tryAndLog(log, 'A review could not be read', () => reviewGate.isDecided(job.id));
		if (!isDecided) await this.#post(t, job, { text, buttons: [], visibility }, to);
		await this.#closeHeld(result);
		await reviewGate.present(job.id, true);
		return 'held';
	}

	async #closeHeld({ job, images, tokens }: PictureResult): Promise<PicturesEnd> {
		const { reviewGate, log } = this.#parts;
		await closeJob(this.#parts, job, { state: 'held', outcome: 'succeeded', pictures: images.length, tokens });
		await tryAndLog(log, 'A decision could not be repeated', () => reviewGate.repeatDecision(job, images));
		return 'held';
	}

	/** Leaves pictures that could be neither posted nor kept to a sweep of this process. */
	async #defer(result: PictureResult, to: Destination): Promise<PicturesEnd> {
		const { ledger, deferredEndings } = this.#parts;
		const { job, images, tokens } = result;
		const text = translatorFor(job.person.locale)('delivery.failed');
		await to.post?.edit({ text }).catch(() => {});
		deferredEndings.defer(job.id, async () => {
			const settled = isSettled(job) ? job : await settleKnown(ledger, job, 'succeeded', images.length, tokens);
			await this.pictures({ ...result, job: settled }, to);
		});
		return 'nowhere';
	}

	/**
	 * Ends a request with a sentence about its error, which `/usage` offers when it cannot be posted. A job that is not settled stays open.
	 *
	 * @param buttons below the sentence, besides Again
	 * @returns whether the sentence could be posted
	 */
	async error(
		job: Job,
		error: unknown,
		outcome: CallOutcome,
		to: Destination,
		buttons: readonly Button[] = [],
	): Promise<boolean> {
		const t = translatorFor(job.person.locale);
		const { log } = this.#parts;
		const { text, again } = errorMessageOf(t, error, outcome, log);
		const reply = errorReply(t, job, { text, again }, buttons);
		const { sent, reason } = await this.#post(t, job, reply, to, { withoutStore: true });
		if (!isSettled(job)) return sent !== undefined;
		// The platform may only be out of reach. The next sweep tries again.
		const isRetried = reason !== undefined && !(reason instanceof PlatformRefusedError);
		if (isRetried && Date.now() < job.at + RETRIED_MS) return false;
		if (sent) await closeJob(this.#parts, job, { state: 'delivered', outcome, pictures: 0 });
		else await tryAndLog(log, 'A job stays open', () => this.#offerAnswer(job, { text, again }));
		return sent !== undefined;
	}

	/**
	 * Posts a sentence in place of the pictures of a closed job. `/usage` offers it when it cannot be posted.
	 *
	 * @returns false when the platform is out of reach
	 */
	async sentence(job: Job, text: string, to: Destination): Promise<boolean> {
		const t = translatorFor(job.person.locale);
		const { sent, reason } = await this.#post(t, job, { text, buttons: [], visibility: 'private' }, to);
		if (sent) return true;
		if (reason !== undefined && !(reason instanceof PlatformRefusedError)) return false;
		await this.#parts.undeliveredResults.add(job.place, job.person, job.id, { text, again: false });
		return true;
	}

	/**
	 * Repeats the sentence that the process that claimed a job has ended it with, in case a status took effect after it. It is never
	 * posted anywhere else. Rejects when the platform is out of reach.
	 */
	async repeatError(job: Job, post: Post | undefined): Promise<void> {
		const t = translatorFor(job.person.locale);
		const answer = errorMessageOf(t, new ShutdownError(), outcomeOfCrash(job), this.#parts.log);
		try {
			await post?.edit(errorReply(t, job, answer));
		} catch (error) {
			if (!(error instanceof PlatformRefusedError)) throw error;
		}
	}

	#settingsOf(place: Place): Promise<Settings | undefined> {
		return tryAndLog(this.#parts.log, 'The settings could not be read', () => this.#parts.settings.get(place));
	}

	#replyOf(
		t: Translate,
		{ job, request, images, note }: PictureResult,
		usage: readonly UsageStatus[],
		settings: Settings | undefined,
	): Reply {
		const count = images.length;
		const { count: unfetched = 0, again = false } = request.unfetched ?? {};
		const missing = request.count - count - unfetched;
		const lines = [
			caption(t, request, images, usage),
			...(missing > 0 ? [t('delivery.missing', { count: count + unfetched, wanted: request.count, missing })] : []),
			...(unfetched > 0 ? [t(again ? 'delivery.unfetchedYet' : 'delivery.unfetched', { count: unfetched })] : []),
			...(note === undefined ? [] : [note]),
			...(request.private && !isPersonal(job.place) ? [t('results.moderators')] : []),
		];
		return {
			text: lines.join('\n'),
			pictures: picturesOf(t, images, request.prompt, isSpoiler(settings, job.place)),
			buttons: resultButtons(t, job.id, this.#parts.capabilities),
			visibility: request.private ? 'private' : 'public',
		};
	}

	#post(t: Translate, job: Job, reply: Reply, to: Destination, options: PostOptions = {}): Promise<Posted> {
		const targets = deliveryTargets(this.#parts.platforms, job, to, options);
		const replaced = to.hasPreview ? { pictures: [], ...reply } : reply;
		return postToTargets(t, this.#parts.log, job, replaced, targets);
	}

	/** Returns the first message of an earlier attempt whose messages show all pictures, if there is one. */
	async #sentBefore(job: Job, reply: Reply, { post }: Destination): Promise<SentMessage[] | undefined> {
		const { text, pictures: { length: count } = [], buttons = [] } = reply;
		const shown = await countShown(this.#parts.platforms.find, job, post).catch(() => 0);
		return post && shown === count ? [{ handle: post.handle, text, buttons, count, link: post.link }] : undefined;
	}

	async #afterDelivery(
		{ job, request, images, tokens, staysKept }: PictureResult,
		{ sent, smaller }: { sent: readonly SentMessage[]; smaller: readonly number[] },
		usage: readonly UsageStatus[],
		settings: Settings,
	): Promise<void> {
		const { pictureStore, recentResults, resultSearch, undeliveredResults, notices, log } = this.#parts;
		const closing = closeJob(this.#parts, job, {
			state: 'delivered',
			outcome: 'succeeded',
			pictures: images.length,
			tokens,
			// As long as the job is open, another process may have to post the pictures again.
			afterwards: async () => {
				if (!(await staysKept?.())) await pictureStore.drop(job.id, images.length);
				// The process that the job was claimed from may have offered them.
				if (job.claims > 0) await undeliveredResults.remove(job.place, job.person, job.id);
			},
		});
		const recent = { handle: sent[0]?.handle ?? job.answer, prompt: request.prompt, at: job.at };
		const warn = (message: string) => (error: unknown) => log.warn({ err: error, job: job.id }, message);
		// At the same time, so that they share one write to the disk.
		await Promise.all([
			closing,
			recentResults.add(job.place, job.person, job.id, recent).catch(warn('A result is not among the recent ones')),
			resultSearch.add(job.id, request).catch(warn('A result cannot be found by words')),
			pictureStore.keepOriginals(job.id, images, smaller).catch(warn('An original could not be kept')),
			pictureStore.remember(job.id, images).catch(warn('A result cannot be found by its bytes')),
		]);
		await notices.notify(job.place, usage, settings).catch(warn('A notice failed'));
	}

	async #offerAnswer(job: Job, answer: UndeliveredAnswer): Promise<void> {
		const { ledger, undeliveredResults } = this.#parts;
		// The process that has closed it has posted or offered an answer.
		if (!isClosed(job)) await undeliveredResults.add(job.place, job.person, job.id, answer);
		await ledger.close(job, 'undeliverable');
	}

	/** Returns whether `/usage` can offer the pictures. They were kept when they came, unless the store failed then. */
	async #keepForCollection({ job, images }: PictureResult): Promise<boolean> {
		try {
			await this.#parts.pictureStore.keep(job.id, images);
			await this.#parts.undeliveredResults.add(job.place, job.person, job.id);
			return true;
		} catch (error) {
			this.#parts.log.error({ err: error, job: job.id }, 'Pictures that could not be posted wait for the next sweep');
			return false;
		}
	}
}

async function whenSettled(result: PictureResult): Promise<PictureResult> {
	const { job, settle } = result;
	return isSettled(job) || !settle ? result : { ...result, job: await settle() };
}

const errorReply = (
	t: Translate,
	job: Job,
	{ text, again }: UndeliveredAnswer,
	buttons: readonly Button[] = [],
): Reply => ({
	text,
	buttons: [...(again ? [actionButton(t, 'again', job.id)] : []), ...buttons],
	visibility: 'private',
});

/** The end of a request, as the person has it. */
type End = {
	state: JobEnd;
	outcome: CallOutcome;
	/** How many pictures the call made. */
	pictures: number;
	tokens?: TokenUsage | undefined;
	/** Runs once the job is closed. Its failure is ignored. */
	afterwards?: () => Promise<void>;
};

/**
 * Closes a job whose person has an answer, and settles its call where that was not done before. When the store fails, a sweep of this
 * process does it later, and the answer stays as it is. Never rejects.
 */
async function closeJob({ ledger, deferredEndings, log }: Parts, job: Job, end: End): Promise<void> {
	const { state, outcome, pictures, tokens, afterwards } = end;
	const record = async () => {
		const isFirst = job.state === 'sent' && outcome === 'succeeded';
		if (!isFirst || !(await ledger.settleAndClose(job, state, pictures, tokens)))
			await ledger.close(isSettled(job) ? job : await settleKnown(ledger, job, outcome, pictures, tokens), state);
		await afterwards?.().catch(() => {});
	};
	try {
		await record();
	} catch (error) {
		log.error({ err: error, job: job.id }, 'A job stays open');
		deferredEndings.defer(job.id, record);
	}
}

/** The messages that a reply was posted as, and which of its pictures as smaller copies; or why it could not be posted to any target. */
export type Posted =
	| { sent: SentMessage[]; smaller: number[]; reason?: never }
	| { sent?: never; smaller?: never; reason: unknown };

/** Posts a reply to the first target that takes all of it. Messages that one target has taken are not posted to the next ones. */
async function postToTargets(
	t: Translate,
	log: Log,
	job: Job,
	reply: Reply,
	targets: AsyncIterable<DeliveryTarget>,
): Promise<Posted> {
	const sent: SentMessage[] = [];
	const smaller: number[] = [];
	let pictures = 0;
	let reason: unknown;
	for await (const target of targets) {
		const isFirst = pictures === 0;
		try {
			const adapted = target.adapt?.(reply, reason) ?? reply;
			const to = { limits: target.limits, place: job.place, from: pictures };
			await postFitted(t, adapted, to, async (part) => {
				const { handle, link } = await target.post(part.reply, part.suffix);
				const { text, buttons = [] } = part.reply;
				sent.push({ handle, text, buttons, count: part.count, link });
				smaller.push(...smallerIn(part, adapted));
				pictures = part.first + part.count;
			});
		} catch (error) {
			log.warn({ err: error, job: job.id }, 'An answer could not be posted to one of its targets');
			if (!(reason instanceof PlatformRefusedError)) reason = error;
			continue;
		}
		// Otherwise the status message shows a part of the answer.
		if (isFirst) await target.finish?.().catch(() => {});
		return { sent, smaller };
	}
	return { reason };
}
