import { notifyOfReview } from '../../bot/moderation/notices.ts';
import type { Answer, Job } from '../../domain/job.ts';
import { quoted } from '../../domain/text.ts';
import type { Easel } from '../../easel.ts';
import { type Translate, translatorFor } from '../../i18n/translator.ts';
import { tryAndLog } from '../../log.ts';
import type { Decision, HeldResult } from '../../requests/held-results.ts';
import { isReviewed, type Settings } from '../../usage/settings.ts';

/** How often it is checked that the channel is still there in which moderators can decide. */
const CHECK_EVERY_MS = 600_000;

/** How often posting to a log channel is tried again that could not be posted to. */
const RETRY_EVERY_MS = 60_000;

/** The longest reason that a person is shown, in UTF-16 units. */
export const MAX_REASON = 500;

/** Keeps the pictures of reviewed channels back, and shows them to the moderators. */
export class ReviewGate {
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
		const found = await tryAndLog(this.#easel.log, 'A review could not be read', () =>
			this.#easel.heldResults.find(job),
		);
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
		await tryAndLog(this.#easel.log, 'A picture could not be shown to moderators', async () => {
			const { heldResults, now } = this.#easel;
			const { held, decision } = await heldResults.find(job);
			if (!held || decision) return;
			const isThere = !isChanged && (await this.canBeDecided(held));
			const card = isThere ? held.card : await this.#post(held);
			const checkAt = Math.min(held.due, now() + (card === undefined ? RETRY_EVERY_MS : CHECK_EVERY_MS));
			await heldResults.postpone(held, { checkAt, card });
		});
	}

	/** Tells whether the channel is still there in which moderators can decide. */
	async canBeDecided({ card, job: { place } }: HeldResult): Promise<boolean> {
		if (card === undefined) return false;
		const { platform, server } = place;
		return (await this.#easel.platforms.open({ platform, server, channel: card })) !== undefined;
	}

	/** Returns the channel, or undefined when it cannot be posted to. */
	async #post({ job }: HeldResult): Promise<string | undefined> {
		const { pictureStore, requests } = this.#easel;
		const [images, request, settings] = await Promise.all([
			pictureStore.kept(job.id),
			requests.find(job.id),
			this.#easel.settings.get(job.place),
		]);
		// The person has erased it.
		if (!request || images.length === 0) return undefined;
		const { command, person } = request;
		const shown = { job: { ...job, command, person }, request, images, sent: [], settings };
		const state = await this.#easel.moderationLog.present(shown);
		if (state === 'posted') return settings.logChannel;
		await notifyOfReview(this.#easel, job.place, settings, state);
		return undefined;
	}
}

/** @param count how many pictures are kept; those that came after the decision have not been reviewed */
export function decidedAnswer(t: Translate, { verdict, by, reason, pictures }: Decision, count: number): Answer {
	if (verdict === 'approved') return { kind: 'pictures', count: Math.min(count, pictures) };
	const rejected = reason ? t('review.rejectedWhy', { reason: quoted(reason, MAX_REASON) }) : t('review.rejected');
	return { kind: 'sentence', text: by ? rejected : t('review.undecided') };
}
