import type { ModerationLog } from '../../bot/moderation/moderation-log.ts';
import type { Notices } from '../../bot/moderation/notices.ts';
import type { Job } from '../../domain/job.ts';
import type { Platforms } from '../../domain/platform.ts';
import { type Log, tryAndLog } from '../../log.ts';
import type { HeldResult, HeldResults } from '../../requests/held-results.ts';
import type { PictureStore } from '../../requests/picture-store.ts';
import type { PictureRequests } from '../../requests/requests.ts';
import { isReviewed, type Settings } from '../../usage/settings/settings.ts';
import type { SettingsRepository } from '../../usage/settings/settings-repository.ts';
import type { ReviewLock } from './review-lock.ts';

type Parts = {
	heldResults: HeldResults;
	pictureStore: PictureStore;
	requests: PictureRequests;
	settings: SettingsRepository;
	moderationLog: ModerationLog;
	notices: Notices;
	lock: ReviewLock;
	open: Platforms['open'];
	log: Log;
	/** Returns Unix milliseconds. */
	now: () => number;
};

/** How often it is checked that the channel is still there in which moderators can decide. */
const CHECK_EVERY_MS = 600_000;

/** How often posting to a log channel is tried again that could not be posted to. */
const RETRY_EVERY_MS = 60_000;

/** Keeps the pictures of reviewed channels back, and shows them to the moderators. */
export class ReviewGate {
	readonly #parts: Parts;

	constructor(parts: Parts) {
		this.#parts = parts;
	}

	/**
	 * Returns the pictures of a result that may be shown: all of them where nothing is reviewed, and those that a moderator has approved.
	 * Otherwise they are kept for a review, and stay so until `present` shows them to moderators.
	 *
	 * @throws StoreError when they could not be kept; none may be shown then
	 */
	async pass(
		{ job, images }: { job: Job; images: readonly Uint8Array[] },
		settings: Settings,
	): Promise<readonly Uint8Array[] | 'held' | 'rejected'> {
		if (!isReviewed(settings, job.place)) return images;
		const { heldResults, pictureStore } = this.#parts;
		const { decision } = await heldResults.find(job.id);
		// Pictures that came later have not been reviewed.
		if (decision) return decision.verdict === 'approved' ? images.slice(0, decision.pictures) : 'rejected';
		await pictureStore.keep(job.id, images);
		await heldResults.hold(job, settings.reviewHours * 3600_000);
		return 'held';
	}

	/** Tells whether a result has been decided about, also while this process was about to say that it waits. */
	async isDecided(job: string): Promise<boolean> {
		return (await this.#parts.heldResults.find(job)).decision !== undefined;
	}

	/**
	 * Has a decision carried out once more: a message that this process has sent late may have replaced its outcome.
	 *
	 * @param images those of the result, which may have been dropped
	 */
	async repeatDecision(job: Job, images: readonly Uint8Array[]): Promise<void> {
		const { heldResults, pictureStore } = this.#parts;
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
		const { lock, log } = this.#parts;
		await tryAndLog(log, 'A picture could not be shown to moderators', () =>
			lock.run(job, () => this.#present(job, isChanged)),
		);
	}

	async #present(job: string, isChanged: boolean): Promise<void> {
		const { heldResults, now } = this.#parts;
		const { held, decision } = await heldResults.find(job);
		if (!held || decision) return;
		const isThere = !isChanged && (await this.canBeDecided(held));
		const card = isThere ? held.card : await this.#post(held);
		const checkAt = Math.min(held.due, now() + (card === undefined ? RETRY_EVERY_MS : CHECK_EVERY_MS));
		await heldResults.postpone(held, { checkAt, card });
	}

	/** Tells whether the channel is still there in which moderators can decide. */
	async canBeDecided({ card, job: { place } }: HeldResult): Promise<boolean> {
		if (card === undefined) return false;
		const { platform, server } = place;
		return (await this.#parts.open({ platform, server, channel: card })) !== undefined;
	}

	/** Returns the channel, or undefined when it cannot be posted to. */
	async #post({ job }: HeldResult): Promise<string | undefined> {
		const { pictureStore, requests, moderationLog, notices } = this.#parts;
		const [images, request, settings] = await Promise.all([
			pictureStore.kept(job.id),
			requests.find(job.id),
			this.#parts.settings.get(job.place),
		]);
		// The person has erased it.
		if (!request || images.length === 0) return undefined;
		const person = request.person;
		const state = await moderationLog.present({ job: { ...job, person }, request, images, sent: [], settings });
		if (state === 'posted') return settings.logChannel;
		await notices.reviewImpossible(job.place, settings, state);
		return undefined;
	}
}
