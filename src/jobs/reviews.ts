import { type ActionContext, type ActionHandlers, type ActionResult, say } from '../bot/declaration/actions.ts';
import { logEntries } from '../bot/moderation/log-entries.ts';
import { notifyOfReview } from '../bot/moderation/notices.ts';
import type { Answer, Job } from '../domain/job.ts';
import { isSameServer } from '../domain/place.ts';
import type { ButtonPress, Origin } from '../domain/platform.ts';
import { quoted } from '../domain/text.ts';
import type { Easel } from '../easel.ts';
import { type Translate, translatorFor } from '../i18n/translator.ts';
import { tryAndLog } from '../log.ts';
import type { Decision, HeldResult } from '../requests/held-results.ts';
import { isReviewed, type Settings } from '../usage/settings.ts';

/** How often it is checked that the channel is still there in which moderators can decide. */
const CHECK_EVERY_MS = 600_000;

/** How often posting to a log channel is tried again that could not be posted to. */
const RETRY_EVERY_MS = 60_000;

/** The longest reason that a person is shown, in UTF-16 units. */
const MAX_REASON = 500;

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
	 * them. Without a decision, their review begins.
	 *
	 * @param count how many pictures are kept
	 */
	async answerOf(job: Job, count: number, settings: Settings): Promise<Answer> {
		if (!isReviewed(settings, job.place)) return { kind: 'pictures', count };
		const { heldResults } = this.#easel;
		const { decision } = await heldResults.find(job.id);
		if (decision) return decidedAnswer(translatorFor(job.person.locale), decision, count);
		await heldResults.hold(job, settings.reviewHours * 3600_000);
		return { kind: 'review', count };
	}

	/** Tells whether a result has been decided about, also while this process was about to say that it waits. */
	async isDecided(job: string): Promise<boolean> {
		const { heldResults, log } = this.#easel;
		const found = await tryAndLog(log, 'A review could not be read', () => heldResults.find(job));
		return found?.decision !== undefined;
	}

	/**
	 * Has a decision carried out once more: a message that this process has sent late may have replaced its outcome.
	 *
	 * @param images those of the result, which may have been dropped
	 */
	async repeat(job: Job, images: readonly Uint8Array[] = []): Promise<void> {
		const { heldResults, pictureStore } = this.#easel;
		const { decision } = await heldResults.find(job.id);
		if (!decision) return;
		if (decision.verdict === 'approved') await pictureStore.keep(job.id, images);
		await heldResults.repeat(job);
	}

	/**
	 * Posts a result in review to the log channel, unless it is there. Moderators are notified when it cannot be posted.
	 *
	 * @param isChanged it has pictures that are not shown there
	 */
	async present(job: string, isChanged = false): Promise<void> {
		const { heldResults, log, now } = this.#easel;
		await tryAndLog(log, 'A picture could not be shown to moderators', async () => {
			const { held, decision } = await heldResults.find(job);
			if (!held || decision) return;
			const isThere = !isChanged && (await this.#canBeDecided(held));
			const card = isThere ? held.card : await this.#post(held);
			const checkAt = Math.min(held.due, now() + (card === undefined ? RETRY_EVERY_MS : CHECK_EVERY_MS));
			await heldResults.postpone(held, { checkAt, card });
		});
	}

	/**
	 * Decides about a result, and shows the decision in the log and to the person.
	 *
	 * @returns the decision that counts, which another moderator may have made first; undefined when there is nothing to decide
	 */
	async decide(
		job: string,
		decision: Omit<Decision, 'pictures'>,
	): Promise<{ decision: Decision; isFirst: boolean } | undefined> {
		const { heldResults, moderationLog, log } = this.#easel;
		const { held, decision: earlier } = await heldResults.find(job);
		if (earlier) return { decision: earlier, isFirst: false };
		if (!held) return undefined;
		// Only the pictures of the entry have been reviewed.
		const made: Decision = { ...decision, pictures: (await logEntries.get(this.#easel, job))?.pictures ?? 0 };
		// Another moderator was first.
		if (!(await heldResults.decide(held, made))) return this.decide(job, decision);
		// The buttons are removed first, because the rest may take a while.
		await tryAndLog(log, 'A decision is not shown in the log channel', () => moderationLog.redraw(held.job));
		await tryAndLog(log, 'A decision is left to the next sweep', () => this.#carryOut(job));
		return { decision: made, isFirst: true };
	}

	/** Carries out decisions that were left behind, decides what is overdue, and shows moderators what they could not see yet. */
	async sweep(): Promise<void> {
		const { heldResults, lease, platforms, log, now } = this.#easel;
		const isOurs = await lease.guard();
		for await (const { decision, ...held } of heldResults.due()) {
			if (!isOurs()) return;
			const { id, place } = held.job;
			if (!platforms.runs(place)) continue;
			await tryAndLog(log, 'A review could not be continued', async () => {
				if (decision) await this.#carryOut(id);
				else if (held.due > now()) await this.present(id);
				else await this.decide(id, { verdict: await this.#verdictWithout(held) });
			});
		}
	}

	/** Without a decision, pictures are shown only where the server wants that and moderators could have decided. */
	async #verdictWithout(held: HeldResult): Promise<Decision['verdict']> {
		const { undecided } = await this.#easel.settings.get(held.job.place);
		return undecided === 'show' && (await this.#canBeDecided(held)) ? 'approved' : 'rejected';
	}

	/** Tells whether the channel is still there in which moderators can decide. */
	async #canBeDecided({ card, job: { place } }: HeldResult): Promise<boolean> {
		if (card === undefined) return false;
		const { platform, server } = place;
		return (await this.#easel.platforms.open({ platform, server, channel: card })) !== undefined;
	}

	/** Returns the channel, or undefined when it cannot be posted to. */
	async #post({ job }: HeldResult): Promise<string | undefined> {
		const { pictureStore, requests, moderationLog } = this.#easel;
		const [images, request, settings] = await Promise.all([
			pictureStore.kept(job.id),
			requests.find(job.id),
			this.#easel.settings.get(job.place),
		]);
		// The person has erased it.
		if (!request || images.length === 0) return undefined;
		const { command, person } = request;
		const shown = { job: { ...job, command, person }, request, images, sent: [], settings };
		const state = await moderationLog.present(shown);
		if (state === 'posted') return settings.logChannel;
		await notifyOfReview(this.#easel, job.place, settings, state);
		return undefined;
	}

	/** Answers the job anew with what was decided. While another process works on it, the next sweep does it. */
	async #carryOut(id: string): Promise<void> {
		const { heldResults, pictureStore, ledger, lease, ownJobs, delivery } = this.#easel;
		await ownJobs.run(id, async () => {
			const { held, decision } = await heldResults.find(id);
			if (!held || !decision) return;
			const stored = await ledger.find(id);
			const isFree = !stored || stored.state === 'delivered' || stored.isPosted === true;
			if (!isFree && !(await lease.hasExpired(stored.process)) && stored.process !== lease.processId) return;
			await heldResults.begin(held);
			const kept = await pictureStore.kept(id);
			const answer = decidedAnswer(translatorFor(held.job.person.locale), decision, kept.length);
			const isNothingToShow = answer.kind === 'pictures' && answer.count === 0;
			if (stored && !isNothingToShow) {
				const claimed = await ledger.claim(stored, stored.takenFrom);
				const end = { outcome: 'succeeded', pictures: decision.pictures } as const;
				const answered = claimed && (await ledger.answer(claimed, answer, end));
				if (!answered || (await delivery.deliver(answered)) === 'nowhere') return;
			}
			await heldResults.finish(held);
		});
	}
}

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
	const isOurs = entry && isSameServer(channel.place, entry.place);
	const decided = isOurs && (await easel.reviews.decide(job, { ...decision, by: { id: person.id } }));
	if (!decided) return say(t('log.expired'));
	if (decided.isFirst) return 'answered';
	await easel.moderationLog.redraw({ id: job, place: entry.place });
	const { by, verdict } = decided.decision;
	if (!by) return say(t('review.already.undecided'));
	return say(t('review.already.decided', { moderator: channel.refer('person', by.id), verdict }));
}
