import type { Easel } from '../../easel.ts';
import { translatorFor } from '../../i18n/translator.ts';
import { tryAndLog } from '../../log.ts';
import type { Decision, HeldResult } from '../../requests/held-results.ts';
import { decidedAnswer } from './review-gate.ts';

/** Decides reviews, and carries decisions out: approved pictures appear, and the person reads why others do not. */
export class ReviewDecisions {
	readonly #easel: Easel;

	constructor(easel: Easel) {
		this.#easel = easel;
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
		const { heldResults, log } = this.#easel;
		const { held, decision: earlier } = await heldResults.find(job);
		if (earlier) return { decision: earlier, isFirst: false };
		if (!held) return undefined;
		// Only the pictures of the entry have been reviewed.
		const entry = await this.#easel.logEntries.find(job);
		const made: Decision = { ...decision, pictures: entry?.pictures ?? 0 };
		// Another moderator was first.
		if (!(await heldResults.decide(held, made))) return this.decide(job, decision);
		// The buttons are removed first, because the rest may take a while.
		await tryAndLog(log, 'A decision is not shown in the log channel', () =>
			this.#easel.moderationLog.redraw(held.job),
		);
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
				else if (held.due > now()) await this.#easel.reviewGate.present(id);
				else await this.decide(id, { verdict: await this.#verdictWithout(held) });
			});
		}
	}

	/** Without a decision, pictures are shown only where the server wants that and moderators could have decided. */
	async #verdictWithout(held: HeldResult): Promise<Decision['verdict']> {
		const { undecided } = await this.#easel.settings.get(held.job.place);
		return undecided === 'show' && (await this.#easel.reviewGate.canBeDecided(held)) ? 'approved' : 'rejected';
	}

	/** Answers the job anew with what was decided. While another process works on it, the next sweep does it. */
	async #carryOut(id: string): Promise<void> {
		await this.#easel.ownJobs.run(id, async () => {
			const { heldResults, pictureStore, ledger, lease } = this.#easel;
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
				const claimed = await ledger.claim({ ...stored, person: held.job.person }, stored.takenFrom);
				const end = { outcome: 'succeeded', pictures: decision.pictures } as const;
				const answered = claimed && (await ledger.answer(claimed, answer, end));
				if (!answered || (await this.#easel.delivery.deliver(answered)) === 'nowhere') return;
			}
			await heldResults.finish(held);
		});
	}
}
