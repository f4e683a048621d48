import { LRUCache } from 'lru-cache';
import {
	type CallKind,
	type CallOutcome,
	callKindOf,
	type Job,
	type JobEnd,
	type Receipt,
	type TokenUsage,
} from '../domain/job.ts';
import type { Place, ServerId } from '../domain/place.ts';
import {
	type CapReached,
	findCapReached,
	type Layer,
	type LedgerOptions,
	type Member,
	type UsageStatus,
	usageStatus,
} from './caps.ts';
import { addLateJob, claimJob, closedBy, findJob, lateJobs, openJobs, pruneCalls, removeLateJob } from './jobs.ts';
import { type OpenWork, openWork } from './open-work.ts';
import { isReported, receiptsOf, type Span } from './receipts.ts';
import { type Denial, type ReservationRequest, reserve } from './reserve.ts';
import type { Settings } from './settings/settings.ts';
import { closingChange, endingChange, sendingChange, settlement } from './settlement.ts';
import { type CounterMismatch, findMismatches } from './verify.ts';

/** Far more calls than a process makes while a platform repeats deliveries. */
const MAX_CALLS = 10_000;

/** How a call ended whose request has its answer. */
export type OwnCallEnd = {
	outcome: CallOutcome;
	pictures: number;
	tokens?: TokenUsage;
	state: JobEnd;
};

type OwnCall = Partial<OwnCallEnd>;

/**
 * What this process knows of its latest calls. The store knows the same, unless its last commits are lost: when a replica without them is
 * promoted, or when it has rejected a write.
 */
class OwnCalls {
	readonly #calls = new LRUCache<string, OwnCall>({ maxSize: MAX_CALLS, sizeCalculation: () => 1 });

	sent({ id }: Job): void {
		this.#calls.set(id, {});
	}

	settled({ id }: Job, outcome: CallOutcome, pictures: number, tokens?: TokenUsage): void {
		const call = this.#calls.get(id);
		if (call) this.#calls.set(id, { ...call, outcome, pictures, ...(tokens && { tokens }) });
	}

	closed({ id }: Job, state: JobEnd): void {
		const call = this.#calls.get(id);
		if (call) this.#calls.set(id, { ...call, state });
	}

	wasSent(id: string): boolean {
		return this.#calls.has(id);
	}

	/** Returns undefined while its request has no answer. */
	endOf(id: string): OwnCallEnd | undefined {
		const { outcome, pictures, tokens, state } = this.#calls.get(id) ?? {};
		if (outcome === undefined || pictures === undefined || !state) return undefined;
		return { outcome, pictures, ...(tokens && { tokens }), state };
	}
}

/**
 * Counts calls against caps, and keeps a job for every call until its request has ended in an answer.
 *
 * A job goes through `reserve`, `markSent`, `settle` and `close`. Each of these is one commit, made before the side effect that
 * it allows. Every method rejects with `StoreError` when the store cannot be reached.
 */
export class Ledger {
	readonly #options: LedgerOptions;
	readonly #own = new OwnCalls();

	constructor(options: LedgerOptions) {
		this.#options = options;
	}

	/** What functions take that read beside the ledger: reports, refunds, metrics. */
	get options(): LedgerOptions {
		return this.#options;
	}

	/**
	 * Reserves one call against every cap that applies and stores its job, in a single commit. A chat turn has caps of its own
	 * and is not taken from the plan.
	 *
	 * @param request.id the platform's delivery id; a second reservation with the same id returns `'duplicate'`
	 * @returns the reserved job, `'duplicate'`, or what denies the call: a cap, or a sentence from `request.checkPolicy`
	 * @throws StoreError when the store cannot be reached. Deny the request then; a call that was reserved all the same is
	 * refunded by recovery.
	 */
	async reserve(request: ReservationRequest): Promise<Job | Denial | 'duplicate'> {
		if (this.#own.wasSent(request.id)) return 'duplicate';
		const result = await reserve(this.#options, request);
		if (typeof result === 'object' && 'used' in result)
			this.#options.observer?.capReached(callKindOf(request), result.denied.name);
		return result;
	}

	/** Tells whether a delivery was reserved before. */
	async has(id: string): Promise<boolean> {
		return this.#own.wasSent(id) || (await findJob(this.#options.space, id)) !== undefined;
	}

	/**
	 * Records that the service is about to be called. Returns false when another process has claimed and refunded the job
	 * meanwhile; then the service must not be called.
	 */
	async markSent(job: Job): Promise<boolean> {
		if ((await this.#options.space.commit(sendingChange(job))) !== 'done') return false;
		this.#own.sent(job);
		return true;
	}

	/**
	 * Settles a call and writes its receipt. A call is settled once: a later settlement changes nothing.
	 *
	 * @param pictures how many pictures the call made
	 * @param tokens as the service counts them
	 * @returns the job as it is afterwards, which a concurrent settlement or `markSent` may have decided
	 */
	async settle(job: Job, outcome: CallOutcome, pictures: number, tokens?: TokenUsage): Promise<Job> {
		const { space, now, retentionMs, observer } = this.#options;
		this.#own.settled(job, outcome, pictures, tokens);
		const { settled, change } = settlement(job, outcome, pictures, now(), retentionMs, tokens);
		if ((await space.commit(change)) === 'done') {
			observer?.settled(callKindOf(job), outcome);
			await pruneCalls(space, job.place.platform, job.person.id, retentionMs, now());
			return settled;
		}
		const stored = await findJob(space, job.id);
		// A closed job has forgotten its person.
		return stored ? { ...stored, person: job.person } : settled;
	}

	/**
	 * Settles a call that has succeeded and closes its job, in one commit; see `settle` and `close`.
	 *
	 * @param job sent
	 * @returns false when the call was settled before; nothing is changed then
	 */
	async settleAndClose(job: Job, state: JobEnd, pictures: number, tokens?: TokenUsage): Promise<boolean> {
		const { space, processId, now, retentionMs, observer } = this.#options;
		this.#own.settled(job, 'succeeded', pictures, tokens);
		this.#own.closed(job, state);
		const ending = endingChange(settlement(job, 'succeeded', pictures, now(), retentionMs, tokens), processId, state);
		if ((await space.commit(ending)) !== 'done') return false;
		observer?.settled(callKindOf(job), 'succeeded');
		await pruneCalls(space, job.place.platform, job.person.id, retentionMs, now());
		return true;
	}

	/** Closes a job whose request has ended in an answer, or whose answer is kept for the person. */
	async close(job: Job, state: JobEnd): Promise<void> {
		this.#own.closed(job, state);
		const { space, processId } = this.#options;
		await space.commit(closingChange(closedBy(processId, job), state));
	}

	/**
	 * Takes over an unfinished job from a process that is gone.
	 *
	 * @param job as `openJobs` yielded it
	 * @returns the job as it is now, or undefined when another process has claimed it first
	 */
	async claim(job: Job): Promise<Job | undefined> {
		const { space, processId, observer } = this.#options;
		const claimed = await claimJob(space, job, processId);
		if (claimed && job.process !== processId) observer?.claimed();
		return claimed;
	}

	/** Returns a job as it is stored; undefined some days after it has ended. */
	find(id: string): Promise<Job | undefined> {
		return findJob(this.#options.space, id);
	}

	/** Makes `lateJobs` yield a job until `endWait`. */
	async waitForPictures({ id }: Pick<Job, 'id'>): Promise<void> {
		await this.#options.space.commit(addLateJob(id));
	}

	async endWait({ id }: Pick<Job, 'id'>): Promise<void> {
		await this.#options.space.commit(removeLateJob(id));
	}

	/** Yields the jobs that were ended for a process that may still keep pictures of them. */
	lateJobs(): AsyncIterable<Job> {
		return lateJobs(this.#options.space);
	}

	/**
	 * Yields the jobs that have not ended in an answer, with their present owners. Those that this process has answered, although the
	 * store does not know it any more, are closed again.
	 */
	async *openJobs(): AsyncGenerator<Job> {
		for await (const job of openJobs(this.#options.space)) {
			const end = this.#own.endOf(job.id);
			if (!end) yield job;
			else await this.#closeAgain(job, end);
		}
	}

	async #closeAgain(job: Job, { outcome, pictures, tokens, state }: OwnCallEnd): Promise<void> {
		const settle = (one: Job) => this.settle(one, outcome, pictures, tokens);
		const settled = await settle(job);
		await this.close(settled.state === 'sent' ? await settle(settled) : settled, state);
	}

	/**
	 * Returns the layers that people see of a member's use in a place, widest first: caps, and server and member without one.
	 *
	 * @param settings read when they are missing
	 */
	async usageStatus(
		place: Place,
		member: Member,
		what: CallKind = 'pictures',
		settings?: Settings,
	): Promise<UsageStatus[]> {
		return usageStatus(this.#options, place, member, what, settings ?? (await this.#options.settings.get(place)));
	}

	/** Returns how much of a layer is used: calls or chat turns, mills for `overage`. */
	async usedOf({ key }: Layer): Promise<number> {
		return (await this.#options.space.keyv.get<number>(key)) ?? 0;
	}

	/**
	 * Returns the cap that would deny a member's call now; undefined when there is none. Nothing is reserved, so that a call may be denied
	 * all the same.
	 *
	 * @param settings read when they are missing
	 */
	async capReached(
		place: Place,
		member: Member,
		what: CallKind = 'pictures',
		settings?: Settings,
	): Promise<CapReached | undefined> {
		const current = settings ?? (await this.#options.settings.get(place));
		const reached = await findCapReached(this.#options, place, member, what, current);
		if (reached) this.#options.observer?.capReached(what, reached.denied.name);
		return reached;
	}

	/**
	 * Yields the receipts of a server's calls for pictures, and of its chat turns with tokens, that were reserved in a span of time, oldest
	 * first.
	 *
	 * @param span.from Unix milliseconds; `to` is exclusive
	 */
	async *receipts(place: ServerId, span: Span): AsyncGenerator<Receipt> {
		for await (const receipt of receiptsOf(this.#options.space, place, span)) if (isReported(receipt)) yield receipt;
	}

	/** Returns how many requests have not ended in an answer, in all processes, and when the oldest of them was reserved. */
	openWork(): Promise<OpenWork> {
		return openWork(this.#options.space);
	}

	/**
	 * Returns the counters that differ from the sum of receipts and running jobs; an empty list when all agree. The result is
	 * exact only while no call is made.
	 */
	verify(): Promise<CounterMismatch[]> {
		return findMismatches(this.#options);
	}
}
