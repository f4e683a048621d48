import type { LogEntries } from '../../bot/moderation/log-entries.ts';
import type { ModerationLog } from '../../bot/moderation/moderation-log.ts';
import { isSettled, type Job } from '../../domain/job.ts';
import type { Platforms } from '../../domain/platform.ts';
import { quoted } from '../../domain/text.ts';
import { type Log, tryAndLog } from '../../log.ts';
import type { Decision, HeldResult, HeldResults } from '../../requests/held-results.ts';
import type { PictureStore } from '../../requests/picture-store.ts';
import type { Lease } from '../../usage/lease.ts';
import type { Ledger } from '../../usage/ledger.ts';
import type { SettingsRepository } from '../../usage/settings/settings-repository.ts';
import type { KeptResults } from '../kept-results.ts';
import { settleKnown } from '../outcome.ts';
import type { ReviewGate } from './review-gate.ts';
import type { ReviewLock } from './review-lock.ts';

type Parts = {
	heldResults: HeldResults;
	gate: ReviewGate;
	logEntries: LogEntries;
	moderationLog: ModerationLog;
	keptResults: KeptResults;
	pictureStore: PictureStore;
	ledger: Ledger;
	settings: SettingsRepository;
	lease: Lease;
	lock: ReviewLock;
	platforms: Platforms;
	log: Log;
	/** Returns Unix milliseconds. */
	now: () => number;
};

/** The longest reason that a person is shown, in UTF-16 units. */
export const MAX_REASON = 500;

/** Decides reviews, and carries decisions out: approved pictures appear, and the person reads why others do not. */
export class ReviewDecisions {
	readonly #parts: Parts;

	constructor(parts: Parts) {
		this.#parts = parts;
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
		const { heldResults, logEntries, moderationLog, log } = this.#parts;
		const { held, decision: earlier } = await heldResults.find(job);
		if (earlier) return { decision: earlier, isFirst: false };
		if (!held) return undefined;
		// Only the pictures of the entry have been reviewed.
		const entry = await logEntries.find(job);
		const made: Decision = { ...decision, pictures: entry?.pictures ?? 0 };
		// Another moderator was first.
		if (!(await heldResults.decide(held, made))) return this.decide(job, decision);
		// The buttons are removed first, because the rest may take a while.
		await tryAndLog(log, 'A decision is not shown in the log channel', () => moderationLog.redraw(held.job));
		await tryAndLog(log, 'A decision is left to the next sweep', () => this.#carryOut(job));
		return { decision: made, isFirst: true };
	}

	/** Carries out decisions that were left behind, decides what is overdue, and shows moderators what they could not see yet. */
	async sweep(): Promise<void> {
		const { heldResults, gate, lease, platforms, log, now } = this.#parts;
		const isOurs = await lease.guard();
		for await (const { decision, ...held } of heldResults.due()) {
			if (!isOurs()) return;
			const { id, place } = held.job;
			if (!platforms.runs(place)) continue;
			await tryAndLog(log, 'A review could not be continued', async () => {
				if (decision) await this.#carryOut(id);
				else if (held.due > now()) await gate.present(id);
				else await this.decide(id, { verdict: await this.#verdictWithout(held) });
			});
		}
	}

	/** Without a decision, pictures are shown only where the server wants that and moderators could have decided. */
	async #verdictWithout(held: HeldResult): Promise<Decision['verdict']> {
		const { undecided } = await this.#parts.settings.get(held.job.place);
		return undecided === 'show' && (await this.#parts.gate.canBeDecided(held)) ? 'approved' : 'rejected';
	}

	async #carryOut(job: string): Promise<void> {
		const { heldResults, lock } = this.#parts;
		await lock.run(job, async () => {
			const { held, decision } = await heldResults.find(job);
			if (!held || !decision) return;
			await heldResults.begin(held);
			if (await this.#tell(held.job, decision)) await heldResults.finish(held);
		});
	}

	/** Returns false when the platform is out of reach. */
	async #tell(job: Job, decision: Decision): Promise<boolean> {
		const { keptResults, pictureStore, ledger, lease } = this.#parts;
		if (decision.verdict === 'approved') {
			const isOurs = await lease.guard();
			const approved = (await pictureStore.kept(job.id)).slice(0, decision.pictures);
			return approved.length === 0 || (await keptResults.deliver(job, approved, isOurs, 'never')) !== 'nowhere';
		}
		const { by, reason } = decision;
		const isTold = await keptResults.explain(job, (t) => {
			if (!by) return t('review.undecided');
			return reason ? t('review.rejectedWhy', { reason: quoted(reason, MAX_REASON) }) : t('review.rejected');
		});
		if (!isTold) return false;
		// Otherwise recovery would find an open job without pictures.
		await ledger.close(isSettled(job) ? job : await settleKnown(ledger, job, 'succeeded', decision.pictures), 'held');
		await pictureStore.drop(job.id);
		return true;
	}
}
