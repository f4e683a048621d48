import { type ActionContext, type ActionHandlers, type ActionResult, reply } from '../bot/declaration/actions.ts';
import { logEntries } from '../bot/moderation/moderation-log.ts';
import { isSameServer, type Place } from '../domain/channel.ts';
import type { Answer, Decision, Job, Review } from '../domain/job.ts';
import type { ButtonPress, Origin } from '../domain/platform.ts';
import { quoted } from '../domain/text.ts';
import type { Easel } from '../easel.ts';
import { type Translate, translatorFor } from '../i18n/translator.ts';
import { tryAndLog } from '../log.ts';
import { createClaim, HOUR_MS, idOfMember, membersOf, type Space, timeKey } from '../store/store.ts';
import { changeJob, REVIEWS } from '../usage/jobs.ts';
import { isReviewed, type Settings } from '../usage/settings.ts';

/** How often it is checked that the channel is still there in which moderators can decide. */
const CHECK_EVERY_MS = 600_000;

/** How often posting to a log channel is tried again that could not be posted to. */
const RETRY_EVERY_MS = 60_000;

/** The longest reason that a person is shown, in UTF-16 units. */
const MAX_REASON = 500;

type Reviewed = Job & { review: Review };

/**
 * The reviews of pictures from reviewed channels: they are shown to the moderators, whose decision is stored once and then carried out.
 * Approved pictures appear, and the person reads why others do not.
 */
export class Reviews {
	readonly #easel: Easel;

	constructor(easel: Easel) {
		this.#easel = easel;
	}

	/**
	 * Returns the answer of a job whose pictures are kept: the pictures where nothing is reviewed, else what a moderator has decided about
	 * them. Without a decision, storing the answer begins their review.
	 *
	 * @param count how many pictures are kept
	 */
	async answerOf({ id, place, person }: Job, count: number, settings: Settings): Promise<Answer> {
		if (!isReviewed(settings, place)) return { kind: 'pictures', count };
		const { ledger, now } = this.#easel;
		const { review } = (await ledger.find(id)) ?? {};
		if (review?.decision) return decidedAnswer(translatorFor(person.locale), review.decision, count);
		return { kind: 'review', count, due: review?.due ?? now() + settings.reviewHours * HOUR_MS };
	}

	/** Tells whether a result has been decided about, also while this process was about to say that it waits. */
	async isDecided(job: string): Promise<boolean> {
		const { ledger, log } = this.#easel;
		const found = await tryAndLog(log, 'A review could not be read', () => ledger.find(job));
		return found?.review?.decision !== undefined;
	}

	/**
	 * Has a decision carried out once more, also when that is under way: a message that this process has sent late may have replaced its
	 * outcome.
	 *
	 * @param images those of the result, which may have been dropped
	 */
	async repeat({ id }: Job, images: readonly Uint8Array[] = []): Promise<void> {
		const { ledger, pictureStore } = this.#easel;
		const { verdict, pictures } = (await ledger.find(id))?.review?.decision ?? {};
		if (verdict === 'approved') await pictureStore.keep(id, images.slice(0, pictures));
		if (verdict) await this.#change(id, (review) => ({ ...review, checkAt: 0 }));
	}

	/**
	 * Posts a result in review to the log channel, unless it is there. Moderators are notified when it cannot be posted.
	 *
	 * @param isChanged it has pictures that are not shown there
	 */
	async present(id: string, isChanged = false): Promise<void> {
		const { ledger, log, now } = this.#easel;
		await tryAndLog(log, 'A picture could not be shown to moderators', async () => {
			const job = await ledger.find(id);
			if (!isInReview(job)) return;
			const isThere = !isChanged && (await this.#canBeDecided(job));
			const card = isThere ? job.review.card : await this.#post(job);
			const checkAt = Math.min(job.review.due, now() + (card === undefined ? RETRY_EVERY_MS : CHECK_EVERY_MS));
			await this.#change(id, (review) => (review.decision ? undefined : { ...review, checkAt, card }));
		});
	}

	/**
	 * Decides about a result, and shows the decision in the log and to the person.
	 *
	 * @returns the decision that counts, which another moderator may have made first; `more` when pictures have come that had not been
	 * shown to moderators, and are now; undefined when there is nothing to decide
	 */
	async decide(
		id: string,
		decision: Omit<Decision, 'pictures'>,
	): Promise<{ decision: Decision; isFirst: boolean } | 'more' | undefined> {
		const { ledger, moderationLog, pictureStore, log } = this.#easel;
		const job = await ledger.find(id);
		if (!isInReview(job)) return job?.review?.decision && { decision: job.review.decision, isFirst: false };
		// Only the pictures of the entry have been reviewed.
		const { pictures = 0 } = (await logEntries.get(this.#easel, id)) ?? {};
		if (decision.verdict === 'approved' && (await pictureStore.kept(id)).length > pictures) {
			await this.present(id, true);
			return 'more';
		}
		const made: Decision = { ...decision, pictures };
		const decided = (review: Review) => (review.decision ? undefined : { ...review, decision: made, checkAt: 0 });
		// Another moderator was first.
		if (!(await this.#change(id, decided))) return this.decide(id, decision);
		// The buttons are removed first, because the rest may take a while.
		await tryAndLog(log, 'A decision is not shown in the log channel', () => moderationLog.redraw(job));
		await tryAndLog(log, 'A decision is left to the next sweep', () => this.#carryOut(id));
		return { decision: made, isFirst: true };
	}

	/** Carries out decisions that were left behind, decides what is overdue, and shows moderators what they could not see yet. */
	async sweep(): Promise<void> {
		const { ledger, lease, platforms, log, now } = this.#easel;
		const hasLease = await lease.guard();
		for await (const member of membersOf(this.#space, REVIEWS, { before: timeKey(now() + 1) })) {
			if (!hasLease()) return;
			const job = await ledger.find(idOfMember(member));
			// It has expired.
			if (!job) await this.#space.commit({ unindex: [{ index: REVIEWS, member }] });
			if (!job?.review || !platforms.runs(job.place)) continue;
			const { id, review } = job;
			await tryAndLog(log, 'A review could not be continued', async () => {
				if (review.decision) await this.#carryOut(id);
				else if (review.due > now()) await this.present(id);
				else await this.decide(id, { verdict: await this.#verdictWithout({ ...job, review }) });
			});
		}
	}

	/** Without a decision, pictures are shown only where the server wants that and moderators could have decided. */
	async #verdictWithout(job: Reviewed): Promise<Decision['verdict']> {
		const { undecided } = await this.#easel.settings.get(job.place);
		return undecided === 'show' && (await this.#canBeDecided(job)) ? 'approved' : 'rejected';
	}

	/** Tells whether the channel is still there in which moderators can decide. */
	async #canBeDecided({ review: { card }, place: { platform, server } }: Reviewed): Promise<boolean> {
		if (card === undefined) return false;
		return (await this.#easel.platforms.open({ platform, server, channel: card })) !== undefined;
	}

	/** Returns the channel, or undefined when it cannot be posted to. */
	async #post(job: Job): Promise<string | undefined> {
		const { pictureStore, requests, moderationLog } = this.#easel;
		const request = requests.of(job);
		const [images, settings] = await Promise.all([pictureStore.kept(job.id), this.#easel.settings.get(job.place)]);
		// The person has erased it.
		if (!request || images.length === 0) return undefined;
		const state = await moderationLog.present({ job, request, images, sent: [], settings });
		if (state === 'posted') return settings.logChannel;
		await notifyOfReview(this.#easel, job.place, settings, state);
		return undefined;
	}

	/** Answers the job anew with what was decided. While another process works on it, the next sweep does it. */
	async #carryOut(id: string): Promise<void> {
		const { pictureStore, ledger, lease, ownJobs, delivery } = this.#easel;
		await ownJobs.run(id, async () => {
			const job = await ledger.find(id);
			const { decision, checkAt } = job?.review ?? {};
			if (!job || !decision || checkAt === undefined) return;
			const isFree = job.state === 'delivered' || job.isPosted === true;
			if (!isFree && !(await lease.hasExpired(job.process)) && job.process !== lease.processId) return;
			const kept = await pictureStore.kept(id);
			const answer = decidedAnswer(translatorFor(job.person.locale), decision, kept.length);
			const isNothingToShow = answer.kind === 'pictures' && answer.count === 0;
			if (isNothingToShow) return void (await this.#change(id, (review) => ({ ...review, checkAt: undefined })));
			const claimed = await ledger.claim(job, job.takenFrom);
			const end = { outcome: 'succeeded', pictures: decision.pictures } as const;
			const answered = claimed && (await ledger.answer(claimed, answer, end));
			if (answered) await delivery.deliver(answered);
		});
	}

	/** @param changeOf returns undefined for a review that is to stay as it is. Returns whether it was changed. */
	#change(id: string, changeOf: (review: Review) => Review | undefined): Promise<boolean> {
		return changeJob(this.#space, id, ({ review: before }) => {
			const review = before && changeOf(before);
			return review && { job: { review } };
		});
	}

	get #space(): Space {
		return this.#easel.store.space('ledger');
	}
}

const isInReview = (job: Job | undefined): job is Reviewed => job?.review !== undefined && !job.review.decision;

/** @param count how many pictures are kept; those that came after the decision have not been reviewed */
function decidedAnswer(t: Translate, { verdict, by, reason, pictures }: Decision, count: number): Answer {
	if (verdict === 'approved') return { kind: 'pictures', count: Math.min(count, pictures) };
	const rejected = reason ? t('review.rejectedWhy', { reason: quoted(reason, MAX_REASON) }) : t('review.rejected');
	return { kind: 'sentence', text: by ? rejected : t('review.undecided') };
}

/** The decisions on results in review. The subject is the job. */
export const reviewActions: ActionHandlers<'approve' | 'reject'> = {
	approve: { press: (press, job, context) => decide(context, press, job, { verdict: 'approved' }) },
	reject: {
		press: askForReason,
		async submit({ options, ...submission }, job, context) {
			const reason = typeof options['reason'] === 'string' ? options['reason'].trim() : '';
			return decide(context, submission, job, { verdict: 'rejected', ...(reason && { reason }) });
		},
	},
};

/** Nothing is decided until the form is submitted, so that another moderator can decide meanwhile. */
async function askForReason({ button, open }: ButtonPress, _: string, { t }: ActionContext): Promise<ActionResult> {
	const text = { kind: 'text', required: false, minLength: 0, maxLength: MAX_REASON, suggestions: [] } as const;
	const fields = [{ ...text, name: 'reason', description: t('review.form.reason') }];
	await open({ id: button, command: 'limits review', title: t('review.form.title'), fields });
	return 'answered';
}

async function decide(
	{ easel, t }: ActionContext,
	{ person, channel }: Origin,
	job: string,
	decision: Pick<Decision, 'verdict' | 'reason'>,
): Promise<ActionResult> {
	const entry = await logEntries.get(easel, job);
	const isHere = entry && isSameServer(channel.place, entry.place);
	const decided = isHere && (await easel.reviews.decide(job, { ...decision, by: { id: person.id } }));
	if (decided === 'more') return reply(t('review.more'));
	if (!decided) return reply(t('log.expired'));
	if (decided.isFirst) return 'answered';
	await easel.moderationLog.redraw({ id: job, place: entry.place });
	const { by, verdict } = decided.decision;
	if (!by) return reply(t('review.already.undecided'));
	return reply(t('review.already.decided', { moderator: channel.refer('person', by.id), verdict }));
}

/**
 * Notifies moderators that a picture in review cannot be shown to them; in the channel of the request where there is none for notices.
 * Once an hour for a channel.
 *
 * @param why the log channel is gone or cannot be posted to, or the picture is private and every member would see it there
 */
async function notifyOfReview(
	{ store, platforms }: Easel,
	{ thread: _, ...place }: Place,
	{ logChannel = '', noticeChannel, language }: Settings,
	why: 'gone' | 'visible',
): Promise<void> {
	const key = `notice:${place.platform}:${place.server}:${why}:${logChannel}`;
	if (!(await createClaim(store.space('ledger'))(key, 3600_000))) return;
	const notices = noticeChannel === undefined ? undefined : await platforms.open({ ...place, channel: noticeChannel });
	const channel = notices ?? (await platforms.open(place));
	const text = translatorFor(language)(why === 'gone' ? 'notices.logChannelGone' : 'notices.logChannelVisible');
	await channel?.post({ text }, crypto.randomUUID());
}
