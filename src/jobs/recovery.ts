import { isDeepStrictEqual } from 'node:util';
import type { Answer, Job } from '../domain/job.ts';
import type { Easel } from '../easel.ts';
import { tryAndLog } from '../log.ts';
import { storedOf } from '../requests/requests.ts';
import { withResult } from '../usage/jobs.ts';
import type { LeaseGuard } from '../usage/lease.ts';
import { stoppedAnswer } from './delivery.ts';
import { outcomeOfCrash } from './outcome.ts';
import { destinationOf, shownPictures } from './posting.ts';

/** How long a job stays open that was taken from a process that may only be suspended: longer than an edit takes. */
const TAKEN_MS = 60_000;

/** How long an answer that could not be posted waits for its next try, in milliseconds: twice as long each time, up to the second figure. */
const WAIT_MS = { first: 5000, longest: 40_000 };

/**
 * Goes on with the open jobs that no process works on, on the platforms that this process runs. A call that was never sent is given back;
 * one that was sent and has no answer stays counted as unknown, and is not sent again; finished pictures are delivered. A job that cannot
 * be ended now is tried again by the next sweep.
 */
export class Recovery {
	readonly #easel: Easel;
	/** The platforms whose jobs are being recovered. */
	readonly #busy = new Set<string>();
	/** The jobs whose answers could not be posted: when they are tried again, and how long that is after the last try. */
	readonly #waiting = new Map<string, { until: number; ms: number }>();

	constructor(easel: Easel) {
		this.#easel = easel;
	}

	/**
	 * Sweeps once, each platform for itself: one that is slow, or out of reach, delays its own answers alone. A platform that an earlier sweep
	 * is still busy with is left to that.
	 */
	async sweep(): Promise<void> {
		const { ledger, lease, ownJobs, turns } = this.#easel;
		const hasLease = await lease.guard();
		const deferred = ownJobs.deferred();
		const open = await Array.fromAsync(ledger.openJobs());
		const ids = new Set(open.map(({ id }) => id));
		ownJobs.forget(deferred.filter((id) => !ids.has(id)));
		for (const id of this.#waiting.keys()) if (!ids.has(id)) this.#waiting.delete(id);
		const byPlatform = Map.groupBy(open, ({ place }) => place.platform);
		await Promise.all([...byPlatform].map(([platform, jobs]) => this.#recover(platform, jobs, hasLease)));
		await turns.resume();
	}

	async #recover(platform: string, jobs: readonly Job[], hasLease: LeaseGuard): Promise<void> {
		const { lease, ownJobs, log, now } = this.#easel;
		if (this.#busy.has(platform)) return;
		this.#busy.add(platform);
		for (const job of jobs) {
			// Other processes may have taken what this one works on. The next sweep knows.
			if (!hasLease()) break;
			if (now() < (this.#waiting.get(job.id)?.until ?? 0)) continue;
			const goOn = () => this.#goOn(job);
			// A second delivery here of a request that another process has left behind does not delay its end.
			const isLeft = job.process !== lease.processId && ownJobs.isForeign(job.id);
			await tryAndLog(log, 'A job could not be recovered', () => (isLeft ? goOn() : ownJobs.run(job.id, goOn)));
		}
		this.#busy.delete(platform);
	}

	async #goOn(job: Job): Promise<void> {
		const { platforms, ownJobs } = this.#easel;
		if (!platforms.runs(job.place)) return;
		const resumed = await ownJobs.resume(job.id);
		if (resumed) return this.#notePosted(job.id, resumed !== 'nowhere');
		const own = await this.#own(job);
		if (!own) return;
		if (own.what === 'chat') return this.#easel.turns.endInterrupted(own);
		if (own.refetch && own.isPosted) return this.#fetchAgain(own, own.refetch);
		const answered = await this.#answer(own);
		if (answered === own && own.isPosted && own.takenFrom) return;
		const where = await this.#easel.delivery.deliver(answered);
		this.#notePosted(job.id, where !== 'nowhere');
	}

	#notePosted(id: string, isPosted: boolean): void {
		if (isPosted) return void this.#waiting.delete(id);
		const last = this.#waiting.get(id)?.ms;
		const ms = last === undefined ? WAIT_MS.first : Math.min(last * 2, WAIT_MS.longest);
		this.#waiting.set(id, { until: this.#easel.now() + ms, ms });
	}

	/** Returns the job when this process may go on with it, without the process that it was taken from once that has had its time. */
	async #own(job: Job): Promise<Job | undefined> {
		const own = await this.#claimed(job);
		// Decided before pictures are looked for: those that are kept later are found by the next sweep.
		return own && (await this.#isOver(own)) ? { ...own, takenFrom: undefined } : own;
	}

	/** Tells whether no other process goes on with a job. */
	async #isOver({ takenFrom }: Job): Promise<boolean> {
		const { lease, now } = this.#easel;
		if (!takenFrom || now() >= takenFrom.at + TAKEN_MS) return true;
		return (await lease.stateOf(takenFrom.process)) === 'gone';
	}

	async #claimed(job: Job): Promise<Job | undefined> {
		const { ledger, lease, now } = this.#easel;
		if (job.process === lease.processId) {
			// Since the sweep has read it, its request may have gone on here and ended.
			const stored = await ledger.find(job.id);
			return stored?.process === job.process && stored.state !== 'delivered' ? stored : undefined;
		}
		const state = await lease.stateOf(job.process);
		if (state === 'held') return undefined;
		// A process that is gone goes on with nothing, and leaves those that it has taken the job from.
		const takenFrom = state === 'expired' ? { process: job.process, at: now() } : job.takenFrom;
		return ledger.claim(job, takenFrom);
	}

	/** Returns the job with the answer that follows from what is known now; the same job when that has not changed. */
	async #answer(job: Job): Promise<Job> {
		const { ledger, pictureStore, settings, platforms, log } = this.#easel;
		const count = (await pictureStore.kept(job.id)).length;
		const mayBeShown = count === 0 && !job.answer;
		const post = mayBeShown ? (await destinationOf(platforms, job)).post : undefined;
		const { length: shown } = await shownPictures(platforms.find, job, post);
		let answer: Answer | undefined = job.answer;
		if (count > 0) answer = await this.#easel.reviews.answerOf(job, count, await settings.get(job.place));
		// They were posted while the store could not be written.
		else if (shown > 0) answer = { kind: 'pictures', count: shown };
		answer ??= stoppedAnswer(job, log);
		if (isDeepStrictEqual(answer, job.answer)) return job;
		const outcome = count + shown > 0 ? 'succeeded' : outcomeOfCrash(job);
		const answered = await ledger.answer(job, answer, { outcome, pictures: count + shown }, job.refetch);
		if (!answered) throw new Error('Another process goes on with the job');
		return answered;
	}

	/** Tries once more to fetch the pictures that the service gave addresses of, and adds them to those that are kept. */
	async #fetchAgain(job: Job, addresses: readonly string[]): Promise<void> {
		const { ledger, pictureStore, requests, service, stopping, log } = this.#easel;
		const request = requests.of(job);
		const kept = await pictureStore.kept(job.id);
		const end = { outcome: job.outcome ?? 'unknown', pictures: 0 };
		// The addresses are used once, whatever happens.
		const tried = job.answer && (await ledger.answer(job, job.answer, end));
		if (!tried) return;
		let known = tried;
		let isMore = false;
		// Without a request, its person has deleted the result.
		if (request)
			await tryAndLog(log, 'Pictures could not be fetched again', async () => {
				const { images, unfetched, release } = await service.fetchPictures(addresses.slice(0, request.count), stopping);
				await pictureStore.keep(job.id, [...kept, ...images.map(({ bytes }) => bytes)]).finally(release);
				isMore = images.length > 0;
				const left = unfetched.length > 0 ? { count: unfetched.length, again: false } : undefined;
				known = withResult(tried, { request: storedOf({ ...request, unfetched: left }) });
			});
		// The message stays as it is when no picture was added.
		await (isMore ? this.#easel.delivery.deliver(await this.#answer(known)) : this.#easel.delivery.end(known));
	}
}
