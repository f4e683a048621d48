import { actionButton } from '../bot/declaration/actions.ts';
import { errorMessageOf, refusalReason } from '../bot/messages/error-messages.ts';
import { notifyOfUsage } from '../bot/messages/usage-messages.ts';
import type { DeliveredResult, SentMessage } from '../bot/moderation/moderation-log.ts';
import { type Channel, isPersonal, type Post, type PostOptions, type Reply } from '../domain/channel.ts';
import { type Answer, type Job, ShutdownError } from '../domain/job.ts';
import { quoted } from '../domain/text.ts';
import type { Easel } from '../easel.ts';
import { PlatformRefusedError, type Translate, translatorFor } from '../i18n/translator.ts';
import { type Log, tryAndLog } from '../log.ts';
import {
	caption,
	isCovered,
	offer,
	type PictureRequest,
	picturesOf,
	resultButtons,
	storedOf,
	withdraw,
} from '../requests/requests.ts';
import { type Change, joinChanges } from '../store/store.ts';
import { type UsageStatus, usageStatus } from '../usage/caps.ts';
import { withResult } from '../usage/jobs.ts';
import type { LeaseGuard } from '../usage/lease.ts';
import type { Settings } from '../usage/settings.ts';
import { outcomeOfCrash } from './outcome.ts';
import { type Destination, destinationOf, isPassing, postToTargets, shownPictures } from './posting.ts';

/** What the process knows that runs a request. */
export type Live = {
	request: PictureRequest;
	channel: Channel;
	/** The settings that allowed the request, and those in force once its answer is stored. */
	settings: Settings;
	/** The roles of the person who asked. */
	roles?: readonly string[];
	/** Tells whether the job is still this process's own. After a lapse of its lease, another one may have taken it. */
	hasLease: LeaseGuard;
	/** The status message. */
	post?: Post;
	/** The status message shows a preview of the picture. */
	hasPreview?: boolean;
	/** Resolves once the status message is not edited any more. */
	ready?: Promise<void>;
};

/** Where an answer is awaited. Once `hasLease` returns false, another process may have posted it, and no sentence may replace it. */
type OwnDestination = Destination & Pick<Live, 'hasLease'>;

/** A result that was posted. */
type Delivered = DeliveredResult & { job: Job; usage: readonly UsageStatus[] };

/** What became of an answer: it is posted, `/usage` offers it, or a sweep has to try once more. */
export type Whereabouts = 'posted' | 'offered' | 'nowhere';

/**
 * @property also what is stored about the result with its job, besides the message and what has become known of the request
 * @property isInMemory the pictures are neither posted nor kept
 */
export type Posted = { where: Whereabouts; also?: Change; isInMemory?: true } & Pick<Job, 'request' | 'shown'>;
const POSTED: Posted = { where: 'posted' };
const OFFERED: Posted = { where: 'offered' };
export const NOWHERE: Posted = { where: 'nowhere' };

/** How often a process that is suspended meanwhile begins anew to post the answer of another one again. */
const MAX_REPEATS = 3;

/** Posts the stored answers of jobs. A job that stays open is delivered by a later sweep, of any process. */
export class Delivery {
	readonly #easel: Easel;

	constructor(easel: Easel) {
		this.#easel = easel;
	}

	/** Posts the answer of a job, and ends it; safe to repeat. @param images those in hand; read when they are missing */
	async deliver(job: Job, live?: Live, images?: readonly Uint8Array[]): Promise<Whereabouts> {
		const { log } = this.#easel;
		const posted = await tryAndLog(log, 'An answer could not be posted', () => this.post(job, live, images));
		const { where, also, isInMemory } = posted ?? NOWHERE;
		if (isInMemory) this.#easel.ownJobs.defer(job.id, async () => void (await this.deliver(job, live, images)));
		if (where === 'nowhere') return where;
		const record = () => this.#record(withResult(job, posted ?? {}), where, images, also);
		try {
			await record();
		} catch (error) {
			log.error({ err: error, job: job.id }, 'A job stays open');
			this.#easel.ownJobs.defer(job.id, record);
		}
		return where;
	}

	/** Ends a job whose answer is posted already. */
	end(job: Job): Promise<void> {
		return this.#record(job, 'posted');
	}

	/** Posts the answer of another process again: a message of this one may have come after it. Its own answer comes after all of its edits. */
	async repeat(id: string, post?: Post, tries = MAX_REPEATS): Promise<void> {
		const { ledger, lease, requests } = this.#easel;
		const hasLease = await lease.guard();
		const job = await ledger.find(id);
		if (job?.state !== 'answered' || !job.answer || job.process === lease.processId) return;
		// This process may have been suspended once more, and the other one may have posted a newer answer.
		if (!hasLease()) return tries > 0 ? this.repeat(id, post, tries - 1) : undefined;
		const { kind } = job.answer;
		if (kind === 'sentence') await editAgain(post, this.#sentenceReply(job, job.answer, requests.of(job)));
		else if (kind === 'pictures') await this.post(job);
	}

	/** Ends a job whose answer is posted or offered, unless it has to stay open. */
	async #record(job: Job, where: 'posted' | 'offered', images?: readonly Uint8Array[], also?: Change): Promise<void> {
		const { ledger, pictureStore } = this.#easel;
		const staysOpen = job.refetch !== undefined || job.takenFrom !== undefined;
		const recorded = await (staysOpen ? ledger.post(job, also) : ledger.deliver(job, also, where === 'offered'));
		if (!recorded) return this.#repeatNewest(job, images);
		const { kind } = job.answer ?? {};
		if (kind === 'review' && !job.isPosted) await this.#easel.reviews.present(job.id, true);
		if (staysOpen) return;
		const isKept = kind === 'review' || (kind === 'pictures' && where === 'offered');
		if (!isKept) await pictureStore.drop(job.id, images?.length).catch(() => {});
		// The process that the job was taken from may have offered it.
		if (where === 'posted' && job.claims > 0) await withdraw(this.#easel, job).catch(() => {});
	}

	/** Another process has stored a newer answer, below which the message of this one may have come. */
	async #repeatNewest(job: Job, images?: readonly Uint8Array[]): Promise<void> {
		const newest = await this.#easel.ledger.find(job.id);
		if (newest?.state === 'answered' && newest.answer) await this.post(newest);
		else if (job.answer?.kind === 'review') await this.#easel.reviews.repeat(job, images);
	}

	/** Posts the answer of a job, without ending it. @param isUnsettled the store fails */
	async post(job: Job, live?: Live, images?: readonly Uint8Array[], isUnsettled = false): Promise<Posted> {
		const { answer } = job;
		if (answer?.kind === 'pictures') return this.#postPictures(job, answer.count, live, images);
		const { request, to } = await this.#requestOf(job, live);
		const { hasLease } = to;
		if (answer?.kind === 'review') {
			const text = this.#t(job)('review.waiting', { prompt: quoted(request.prompt), count: answer.count });
			if (!(await this.#easel.reviews.isDecided(job.id)))
				await this.#postReply(job, { text, buttons: [], visibility: request.private ? 'private' : 'public' }, to);
			return hasLease() ? POSTED : NOWHERE;
		}
		if (!answer) return NOWHERE;
		const reply = this.#sentenceReply(job, answer, request, live !== undefined);
		if (job.isPosted) return hasLease() ? editAgain(to.post, reply) : NOWHERE;
		const { isPrivate } = answer;
		const { sent, reason } = await this.#postReply(job, reply, { ...to, isPrivate }, { withoutStore: true });
		if (sent) return POSTED;
		if (!this.#mayExplain(job, to)) return NOWHERE;
		if (isUnsettled || isPassing(job, reason, this.#easel.now())) return NOWHERE;
		await offer(this.#easel, job);
		await this.#tellInChannel(job);
		return OFFERED;
	}

	/** Tells whether this process may say what became of an answer that it could not post. Another one may have posted it. */
	#mayExplain({ process }: Job, { hasLease }: OwnDestination): boolean {
		return process === this.#easel.lease.processId && hasLease();
	}

	/** Tells the person that `/usage` has an answer, where everybody may read it: so it says nothing of the request. */
	async #tellInChannel(job: Job): Promise<void> {
		const { platforms, log } = this.#easel;
		await tryAndLog(log, 'A person could not be told that an answer is kept', async () => {
			const channel = await platforms.open(job.place);
			const member = channel?.refer('person', job.person.id) ?? '';
			await channel?.post({ text: this.#t(job)('delivery.keptFor', { member }) }, `${job.id}.kept`);
		});
	}

	/**
	 * Says first which request it is about: in a busy channel, sentences could not be told apart. Without the interaction, a new message about
	 * a private request would be public, so it says nothing of that.
	 */
	#sentenceReply(
		job: Job,
		{ text: sentence, again, buttons = [] }: Extract<Answer, { kind: 'sentence' }>,
		request: PictureRequest | undefined,
		isLive = false,
	): Reply {
		const isKnown = request && request.prompt !== request.command && (isLive || !request.private);
		const text = isKnown ? `**${quoted(request.prompt)}**\n${sentence}` : sentence;
		const againButton = again ? [actionButton(this.#t(job), 'again', job.id)] : [];
		return { text, buttons: [...againButton, ...buttons], visibility: 'private' };
	}

	async #postPictures(
		job: Job,
		count: number,
		live: Live | undefined,
		inHand: readonly Uint8Array[] | undefined,
	): Promise<Posted> {
		const { pictureStore } = this.#easel;
		const images = (inHand ?? (await pictureStore.kept(job.id))).slice(0, count);
		const { request, to } = await this.#requestOf(job, live);
		if (images.length === 0) return this.#explainLoss(job, request, to);
		const settings = live?.settings ?? (await this.settingsOf(job));
		if (!settings) return NOWHERE;
		const { place, person } = job;
		if (live && !request.alts) await this.#describe(job, request, settings, images);
		const member = { id: person.id, roles: live?.roles };
		const usage = await usageStatus(this.#easel, settings, place, member).catch(() => []);
		const reply = this.#resultReply(job, request, images, usage, settings);
		const posted = await this.#postReply(job, reply, to);
		const sent = posted.sent?.messages ?? (await this.#sentBefore(job, reply, to));
		const delivered = { job, request, images, sent: sent ?? [], from: to.channel, settings, usage };
		if (sent) {
			const also = job.isPosted ? undefined : await this.#afterDelivery(delivered, posted.sent?.smaller ?? []);
			const shown = job.shown ?? sent[0]?.handle ?? job.message;
			return { where: 'posted', also, shown, request: storedOf(request) };
		}
		if (!this.#mayExplain(job, to)) return NOWHERE;
		const isLater = isPassing(job, posted.reason, this.#easel.now());
		const isKept = await this.#keep(job, images, !isLater);
		if (isLater || !isKept) {
			if (to.hasLease()) await to.post?.edit({ text: this.#t(job)('delivery.failed') }).catch(() => {});
			return isKept ? NOWHERE : { ...NOWHERE, isInMemory: true };
		}
		this.#easel.moderationLog.record(delivered);
		const why = refusalReason(this.#t(job), posted.reason);
		const part = partlySaved(this.#t(job), request, images.length) ?? '';
		const status = { text: `${this.#t(job)('delivery.kept')} ${why}\n${part}`.trim() };
		const isTold =
			to.post &&
			to.hasLease() &&
			(await to.post.edit(status).then(
				() => true,
				() => false,
			));
		if (!isTold) await this.#tellInChannel(job);
		return OFFERED;
	}

	/** Describes pictures for those who cannot see them, where the operator wants it. */
	async #describe(job: Job, request: PictureRequest, settings: Settings, images: readonly Uint8Array[]): Promise<void> {
		const described = (await this.#easel.altTexts?.describe(job, settings, images)) ?? [];
		if (described.some(Boolean)) request.alts = described.map((text) => text ?? null);
	}

	#resultReply(
		job: Job,
		request: PictureRequest,
		images: readonly Uint8Array[],
		usage: readonly UsageStatus[],
		settings: Settings,
	): Reply {
		const t = this.#t(job);
		const { count: unfetched = 0, again = false } = request.unfetched ?? {};
		const { count: wanted, missing = 0, made } = request;
		const said = made?.lacks ? ` (${quoted(made.lacks)})` : '';
		const lines = [
			caption(t, request, images, usage),
			missing > 0 && t('delivery.missing', { count: wanted - missing, wanted, missing, said }),
			unfetched > 0 && t(again ? 'delivery.unfetchedYet' : 'delivery.unfetched', { count: unfetched }),
			partlySaved(t, request, images.length),
			request.private && !isPersonal(job.place) && t('results.moderators'),
		];
		return {
			text: lines.filter(Boolean).join('\n'),
			pictures: picturesOf(t, images, request.prompt, isCovered(request, settings, job.place), request.alts),
			buttons: resultButtons(t, job.id, this.#easel),
			visibility: request.private ? 'private' : 'public',
		};
	}

	/** Says in the message of a result which of its pictures are lost, because their process ended while it posted them. */
	async #explainLoss(job: Job, request: PictureRequest, to: OwnDestination): Promise<Posted> {
		const { platforms } = this.#easel;
		const t = this.#t(job);
		const { length: shown } = await shownPictures(platforms.find, job, to.post);
		if (shown >= request.count - (request.missing ?? 0)) return POSTED;
		if (!this.#mayExplain(job, to)) return NOWHERE;
		if (shown === 0) return this.post({ ...job, answer: stoppedAnswer(job, this.#easel.log) });
		const text = `${caption(t, request, [], [])}\n${t('errors.stoppedPartly', { kept: shown, asked: request.count })}`;
		return editAgain(to.post, { text, buttons: resultButtons(t, job.id, this.#easel) });
	}

	#t({ person }: Job): Translate {
		return translatorFor(person.locale);
	}

	/** Returns the settings in force; undefined where they cannot be read. */
	settingsOf({ place }: Job): Promise<Settings | undefined> {
		return tryAndLog(this.#easel.log, 'The settings could not be read', () => this.#easel.settings.get(place));
	}

	/** Returns the request of a job, and where its answer is awaited. */
	async #requestOf(job: Job, live: Live | undefined): Promise<{ request: PictureRequest; to: OwnDestination }> {
		if (live) {
			await live.ready;
			return { request: live.request, to: live };
		}
		const { ledger, lease, requests, platforms } = this.#easel;
		const hasLease = await lease.guard();
		const request = requests.of(job) ?? unknownRequest(job);
		const { post, channel } = await destinationOf(platforms, job);
		// This process may have been suspended. Another one may have posted more by now.
		if ((await ledger.find(job.id))?.step !== job.step) throw new Error('Another process goes on with the job');
		// Without the interaction, a new message in the channel would be public.
		const isHidden = request.private && job.answer?.kind !== 'sentence';
		return { request, to: isHidden ? { post, limits: channel?.limits, hasLease } : { post, channel, hasLease } };
	}

	async #postReply(job: Job, reply: Reply, to: OwnDestination, options: PostOptions = {}) {
		const replaced = to.hasPreview ? { pictures: [], ...reply } : reply;
		const posted = await postToTargets(this.#easel, job, replaced, to, options);
		// Another attempt edits the answer where it is now.
		to.post = posted.sent?.first ?? to.post;
		return posted;
	}

	/** Returns the first message of an earlier attempt whose messages show all pictures, if there is one. */
	async #sentBefore(job: Job, reply: Reply, { post }: Destination): Promise<SentMessage[] | undefined> {
		const { text, pictures: { length: count } = [], buttons = [] } = reply;
		const shown = await shownPictures(this.#easel.platforms.find, job, post).catch(() => []);
		return post && shown.length === count
			? [{ handle: post.handle, text, buttons, count, link: post.link }]
			: undefined;
	}

	/** Returns what is stored about a result, by which it is found. */
	async #afterDelivery(delivered: Delivered, smaller: readonly number[]): Promise<Change> {
		const { pictureStore, moderationLog, resultSearch, consent, log } = this.#easel;
		const { job, request, images, settings, usage } = delivered;
		const { place, id } = job;
		moderationLog.record(delivered);
		const attempt = <Result>(message: string, work: () => Promise<Result>) => tryAndLog(log, message, work);
		await Promise.all([
			attempt('An original could not be kept', () => pictureStore.keepOriginals(id, images, smaller)),
			attempt('A result is not known again', () => consent.remember(job, images, settings)),
			attempt('A notice failed', () => notifyOfUsage(this.#easel, place, usage, settings)),
			attempt('A person could not be told of a picture', () => this.#announce(delivered)),
		]);
		return joinChanges(resultSearch.adding(id, request), pictureStore.remembering(id, images));
	}

	/** Mentions the requester in a message of its own, where their pictures took longer than the server's settings say: edits notify nobody. */
	async #announce({ job, request, sent, from, settings }: Delivered): Promise<void> {
		const { place, person, id, at } = job;
		const tookMs = this.#easel.now() - at;
		const isPrivate = request.private || place.direct || sent.some(({ handle }) => handle.place.direct);
		if (settings.noticeSeconds === 0 || isPrivate || tookMs <= settings.noticeSeconds * 1000) return;
		const text = this.#t(job)('delivery.announced', { count: request.count });
		await from?.post({ text, notify: person.id }, `${id}.done`, { ifAbsent: true });
	}

	/** Returns whether the pictures are kept, and offered under `/usage` if so wanted. They were kept when they came, unless the store failed then. */
	async #keep(job: Job, images: readonly Uint8Array[], isOffered: boolean): Promise<boolean> {
		try {
			await this.#easel.pictureStore.keep(job.id, images);
			if (isOffered) await offer(this.#easel, job);
			return true;
		} catch (error) {
			this.#easel.log.error({ err: error, job: job.id }, 'Pictures that could not be posted wait for the next sweep');
			return false;
		}
	}
}

/** Returns the sentence for a call whose process has ended without a result. */
export function stoppedAnswer(job: Job, log: Log): Answer {
	const t = translatorFor(job.person.locale);
	return { kind: 'sentence', ...errorMessageOf(t, new ShutdownError(), outcomeOfCrash(job), log) };
}

/** Returns the sentence that pictures were lost with the process that had made the call; undefined when all are there that it got. */
export function partlySaved(
	t: Translate,
	{ count, missing = 0, unfetched }: PictureRequest,
	kept: number,
): string | undefined {
	return unfetched || kept >= count - missing ? undefined : t('errors.stoppedPartly', { kept, asked: count });
}

/** Edits a message that shows an answer already. Rejects when the platform is out of reach, so that the next sweep tries again. */
async function editAgain(post: Post | undefined, reply: Reply): Promise<Posted> {
	try {
		await post?.edit(reply);
	} catch (error) {
		if (!(error instanceof PlatformRefusedError)) throw error;
	}
	return POSTED;
}

/** Stands in for a request that was never stored. */
const unknownRequest = ({ command, person, place }: Job): PictureRequest => ({
	...{ prompt: command, private: false, count: 1, command, options: {}, inputs: {}, person, place },
});
