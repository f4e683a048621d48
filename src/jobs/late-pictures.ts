import { callerOf, isClosed, type Job } from '../domain/job.ts';
import type { Platforms } from '../domain/platform.ts';
import { type Log, tryAndLog } from '../log.ts';
import type { PictureStore } from '../requests/picture-store.ts';
import type { PictureRequests } from '../requests/requests.ts';
import type { Service } from '../service/service.ts';
import type { Lease, LeaseGuard } from '../usage/lease.ts';
import type { Ledger } from '../usage/ledger.ts';
import type { Delivery, PicturesEnd } from './delivery.ts';
import { countShown } from './delivery-targets.ts';
import { destinationOf, type KeptResults } from './kept-results.ts';
import type { PictureAddresses } from './picture-addresses.ts';
import type { PictureJobs } from './picture-jobs.ts';

type Parts = {
	ledger: Ledger;
	lease: Lease;
	pictureJobs: PictureJobs;
	pictureStore: PictureStore;
	pictureAddresses: PictureAddresses;
	service: Service;
	stopping: AbortSignal;
	requests: PictureRequests;
	delivery: Delivery;
	keptResults: KeptResults;
	platforms: Platforms;
	log: Log;
};

/**
 * Pictures that come after their job was ended, because the process that made the call was taken for dead and was only suspended. As
 * long as it may go on, every sweep looks for pictures that it has kept. Pictures that could not be fetched from the service's
 * addresses are fetched once more.
 */
export class LatePictures {
	readonly #parts: Parts;
	/** How many pictures of a job this process has delivered, and where. */
	readonly #delivered = new Map<string, { count: number; end: PicturesEnd }>();

	constructor(parts: Parts) {
		this.#parts = parts;
	}

	/** Call it before a claimed job is ended. Returns whether more pictures may come. */
	async expect(job: Job): Promise<boolean> {
		const { ledger, lease } = this.#parts;
		const caller = callerOf(job);
		if (caller === lease.processId || (await lease.stateOf(caller)) === 'gone') return false;
		await ledger.waitForPictures(job);
		return true;
	}

	async sweep(): Promise<void> {
		const { ledger, lease, log } = this.#parts;
		const isOurs = await lease.guard();
		for await (const job of ledger.lateJobs()) {
			if (!isOurs()) return;
			await tryAndLog(log, 'Late pictures could not be delivered', () => this.#deliver(job, isOurs));
		}
	}

	async #deliver(job: Job, isOurs: LeaseGuard): Promise<void> {
		const { ledger, lease, pictureJobs, pictureStore, keptResults, platforms } = this.#parts;
		if (!isClosed(job) || !platforms.runs(job.place)) return;
		const caller = callerOf(job);
		const isOwn = caller === lease.processId;
		const state = await lease.stateOf(caller);
		// A process that goes on delivers its pictures itself.
		if (isOwn ? pictureJobs.isRunning(job.id) : state === 'held') return;
		const before = await this.#fetchAgain(job);
		const images = await pictureStore.kept(job.id);
		// Of a job that was claimed, another answer may have replaced them.
		const shown = before && job.claims === 0 ? { count: before, end: endOf(job) } : undefined;
		const delivered = this.#delivered.get(job.id) ?? shown;
		const isNew = images.length > (delivered?.count ?? 0);
		// Other processes may still be posting what they have found: its own one posts them in two sweeps.
		const isOver = isOwn ? !isNew : state === 'gone';
		const isUnchanged = shown && !isNew;
		if (images.length > 0 && (isOwn || isNew) && !isUnchanged) {
			const end = await keptResults.deliver(job, images, isOurs, isOver ? 'never' : isOwn ? 'always' : 'part');
			if (end === 'nowhere') return;
			this.#delivered.set(job.id, { count: images.length, end });
		} else if (isOver && job.state === 'delivered' && !isKept(delivered?.end)) await pictureStore.drop(job.id);
		if (!isOver) return;
		if (images.length === 0) {
			if (isOurs()) await this.#completeAnswer(job);
			// Its process was not gone after all, and they may lie below that answer: the next sweep posts them.
			if ((await pictureStore.kept(job.id)).length > 0) return;
		}
		await ledger.endWait(job);
		this.#delivered.delete(job.id);
	}

	/**
	 * Completes what its process has left in place of the answer of a sweep when it ended: a status whose edit was under way, or the first
	 * pictures of several messages.
	 */
	async #completeAnswer(job: Job): Promise<void> {
		const { requests, delivery, keptResults, platforms } = this.#parts;
		// A process that has answered its own call has no edit under way.
		if (job.state !== 'delivered' || job.process === callerOf(job)) return;
		const [request, { post }] = await Promise.all([requests.find(job.id), destinationOf(platforms, job)]);
		if (!post) return;
		const shown = await countShown(platforms.find, job, post);
		if (shown > 0) await keptResults.explainLoss(job, shown, post);
		else if (job.outcome !== 'succeeded')
			await delivery.repeatError({ ...job, person: request?.person ?? job.person }, post);
	}

	/**
	 * Tries once more to fetch the pictures that the service gave addresses of, and adds them to those that are kept.
	 * @returns how many were kept before; undefined when there is none to fetch
	 */
	async #fetchAgain({ id }: Job): Promise<number | undefined> {
		const { pictureAddresses, pictureStore, requests, service, stopping, log } = this.#parts;
		const addresses = await pictureAddresses.take(id);
		const request = await requests.find(id);
		// Without a request, its person has deleted the result.
		if (addresses.length === 0 || !request) return undefined;
		const kept = await pictureStore.kept(id);
		await tryAndLog(log, 'Pictures could not be fetched again', async () => {
			const { images, unfetched, release } = await service.fetchPictures(addresses.slice(0, request.count), stopping);
			await pictureStore.keep(id, [...kept, ...images.map(({ bytes }) => bytes)]).finally(release);
			const { unfetched: _, ...complete } = request;
			const count = unfetched.length;
			await requests.save(id, count > 0 ? { ...complete, unfetched: { count, again: false } } : complete);
		});
		return kept.length;
	}
}

const endOf = ({ state }: Job): PicturesEnd =>
	state === 'undeliverable' ? 'offered' : state === 'held' ? 'held' : 'posted';

/** Tells whether the pictures are kept for somebody. */
const isKept = (end: PicturesEnd | undefined) => end === 'offered' || end === 'held';
