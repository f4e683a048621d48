import { endInterrupted } from '../bot/chat/write-answer.ts';
import { callerOf, isClosed, type Job, ShutdownError } from '../domain/job.ts';
import type { Platforms } from '../domain/platform.ts';
import type { Easel } from '../easel.ts';
import type { Log } from '../log.ts';
import type { PictureStore } from '../requests/picture-store.ts';
import type { Lease, LeaseGuard } from '../usage/lease.ts';
import type { Ledger } from '../usage/ledger.ts';
import type { DeferredEndings } from './deferred-endings.ts';
import type { Delivery } from './delivery.ts';
import { countShown } from './delivery-targets.ts';
import { destinationOf, type KeptResults } from './kept-results.ts';
import type { LatePictures } from './late-pictures.ts';
import { outcomeOfCrash, settleAfterCrash } from './outcome.ts';
import type { PictureJobs } from './picture-jobs.ts';

type Parts = {
	ledger: Ledger;
	lease: Lease;
	easel: Easel;
	pictureJobs: PictureJobs;
	pictureStore: PictureStore;
	keptResults: KeptResults;
	latePictures: LatePictures;
	delivery: Delivery;
	deferredEndings: DeferredEndings;
	platforms: Platforms;
	log: Log;
};

/**
 * Ends the jobs of processes that are gone, on the platforms that this process runs. A call that was never sent is given back; one that was sent and has no answer stays
 * counted as unknown, and is not sent again; finished pictures are delivered. Each time the status message says so. A job that
 * cannot be ended now is tried again by the next sweep.
 */
export class Recovery {
	readonly #parts: Parts;
	#sweep: Promise<void> | undefined;

	constructor(parts: Parts) {
		this.#parts = parts;
	}

	/** Sweeps once. One sweep runs at a time. */
	sweep(): Promise<void> {
		this.#sweep ??= this.#run().finally(() => {
			this.#sweep = undefined;
		});
		return this.#sweep;
	}

	async #run(): Promise<void> {
		const { easel, ledger, lease, latePictures, deferredEndings, log } = this.#parts;
		const isOurs = await lease.guard();
		const endedElsewhere = new Set(deferredEndings.jobs());
		for await (const job of ledger.openJobs()) {
			// Other processes may have claimed what this one has claimed. The next sweep knows.
			if (!isOurs()) return;
			endedElsewhere.delete(job.id);
			try {
				if (await deferredEndings.finish(job.id)) continue;
				const claimed = await this.#claim(job);
				// Its process has closed it since it was listed, and what `/usage` offers may be shown at any moment.
				if (claimed && !isClosed(claimed))
					await (claimed.what === 'chat' ? endInterrupted(easel, claimed) : this.#finish(claimed, isOurs));
			} catch (error) {
				log.error({ err: error, job: job.id }, 'A job could not be recovered');
			}
		}
		await latePictures.sweep();
		for (const job of endedElsewhere) deferredEndings.forget(job);
		await easel.turns.resume();
	}

	/** Returns the job when this process may end it. */
	async #claim(job: Job): Promise<Job | undefined> {
		const { ledger, lease, pictureJobs, platforms } = this.#parts;
		if (isClosed(job) || !platforms.runs(job.place)) return undefined;
		// Its request goes on here and delivers the result itself, also when another process has claimed the job.
		const isOwn = callerOf(job) === lease.processId;
		if (isOwn && pictureJobs.isRunning(job.id)) return undefined;
		if (job.process !== lease.processId) return (await lease.hasExpired(job.process)) ? ledger.claim(job) : undefined;
		// Claimed by an earlier sweep of this process that did not finish.
		if (job.claims > 0) return job;
		// Open, though nothing works on it: the store's answer was lost when it was reserved or closed here.
		return job.what === 'chat' ? undefined : ledger.claim(job);
	}

	async #finish(job: Job, isOurs: LeaseGuard): Promise<void> {
		const { ledger, pictureStore, keptResults, latePictures, delivery, platforms } = this.#parts;
		const mayGrow = await latePictures.expect(job);
		const images = await pictureStore.kept(job.id);
		if (images.length > 0) {
			const settled = await ledger.settle(job, 'succeeded', images.length);
			// Pictures that `/usage` offers may be shown at any moment. Those that came late are delivered by `latePictures`.
			if (isClosed(settled)) return;
			await keptResults.deliver(settled, images, isOurs, mayGrow ? 'part' : 'never');
			return;
		}
		const destination = await destinationOf(platforms, job);
		const { post } = destination;
		const shown = await countShown(platforms.find, job, post);
		// They were posted while the store could not be written.
		if (post && shown > 0 && isOurs()) {
			const settled = await ledger.settle(job, 'succeeded', shown);
			if (isClosed(settled)) return;
			await keptResults.explainLoss(settled, shown, post);
			return ledger.close(settled, 'delivered');
		}
		const settled = await settleAfterCrash(ledger, job);
		// Its own process was not gone after all, and has answered meanwhile.
		if (isClosed(settled)) return;
		// Its pictures have come since it was claimed, and its own process may be posting them: the next sweep looks for them.
		if (settled.outcome === 'succeeded' && job.outcome !== 'succeeded') return;
		if (isOurs()) await delivery.error(settled, new ShutdownError(), outcomeOfCrash(settled), destination);
	}
}
