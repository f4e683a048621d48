import { LRUCache } from 'lru-cache';
import { type Answer, type CallKind, callKindOf, type Job, type Receipt } from '../domain/job.ts';
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
import {
	answering,
	type CallEnd,
	claiming,
	delivering,
	ending,
	findJob,
	type OpenWork,
	openJobs,
	openWork,
	posting,
	pruneCalls,
	type Step,
	sending,
} from './jobs.ts';
import { isReported, receiptsOf, type Span } from './receipts.ts';
import { type Denial, type ReservationRequest, reserve } from './reserve.ts';
import type { Settings } from './settings.ts';
import { type CounterMismatch, findMismatches } from './verify.ts';

/** Far more calls than a process makes while a platform repeats deliveries. */
const MAX_CALLS = 10_000;

/**
 * Counts calls against caps, and keeps a job for every call until the person has its answer.
 *
 * A job goes through `reserve`, `send`, `answer` and `deliver`. Each of these is one commit, made before the side effect that it allows,
 * and returns undefined when another process has taken the job over. Every method rejects with `StoreError` when the store cannot be
 * reached.
 */
export class Ledger {
	readonly #options: LedgerOptions;
	/**
	 * The calls that this process has sent, with their ends. The store knows the same, unless its last commits are lost: when a replica
	 * without them is promoted, or when it has rejected a write.
	 */
	readonly #sent = new LRUCache<string, { end?: CallEnd; isDelivered?: boolean }>({ max: MAX_CALLS });

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
	 * @returns the reserved job, `'duplicate'`, or what denies the call: a cap, or the refusal of `request.checkPolicy`
	 * @throws StoreError when the store cannot be reached. Deny the request then; a call that was reserved all the same is
	 * refunded by recovery.
	 */
	async reserve(request: ReservationRequest): Promise<Job | Denial | 'duplicate'> {
		if (this.#sent.has(request.id)) return 'duplicate';
		const result = await reserve(this.#options, request);
		if (typeof result === 'object' && 'denied' in result)
			this.#options.observer?.capReached(callKindOf(request), result.denied.name);
		return result;
	}

	/** Tells whether a delivery was reserved before. */
	async has(id: string): Promise<boolean> {
		return this.#sent.has(id) || (await findJob(this.#options.space, id)) !== undefined;
	}

	/** Records that the service is about to be called. Without the returned job, it must not be called. */
	async send(job: Job): Promise<Job | undefined> {
		const sent = await this.#make(sending(job));
		if (sent) this.#sent.set(job.id, {});
		return sent;
	}

	/**
	 * Stores an answer. The first one settles the call and writes its receipt; later ones replace it.
	 *
	 * @param refetch the addresses of pictures that could not be fetched
	 */
	async answer(job: Job, answer: Answer, end: CallEnd, refetch?: readonly string[]): Promise<Job | undefined> {
		if (this.#sent.has(job.id)) this.#sent.set(job.id, { end });
		return this.#settle(job, (own) => answering(own, answer, end, this.#options, refetch), end);
	}

	/** Settles a call whose person has the answer, and ends its job. */
	async end(job: Job, end: CallEnd): Promise<Job | undefined> {
		if (this.#sent.has(job.id)) this.#sent.set(job.id, { end, isDelivered: true });
		return this.#settle(job, (own) => ending(own, end, this.#options), end);
	}

	/** Ends a job whose person has the answer, or whose answer `/usage` offers. */
	async deliver(job: Job): Promise<Job | undefined> {
		const sent = this.#sent.get(job.id);
		if (sent) this.#sent.set(job.id, { ...sent, isDelivered: true });
		return this.#make(delivering(job));
	}

	/** Notes that the answer of a job is posted that stays open. */
	post(job: Job): Promise<Job | undefined> {
		return this.#make(posting(job));
	}

	/**
	 * Takes a job over.
	 *
	 * @param takenFrom the process that may still go on with it
	 */
	async claim(job: Job, takenFrom?: Job['takenFrom']): Promise<Job | undefined> {
		const { processId, observer } = this.#options;
		const claimed = await this.#make(claiming(job, processId, takenFrom));
		if (claimed && job.process !== processId) observer?.claimed();
		return claimed;
	}

	/** Returns a job as it is stored; undefined some days after it has ended. */
	find(id: string): Promise<Job | undefined> {
		return findJob(this.#options.space, id);
	}

	/**
	 * Yields the jobs that a process has to go on with. Those that this process has ended, although the store does not know it any more,
	 * end again.
	 */
	async *openJobs(): AsyncGenerator<Job> {
		for await (const job of openJobs(this.#options.space)) {
			const { end, isDelivered } = this.#sent.get(job.id) ?? {};
			if (end && isDelivered && job.claims === 0) await this.end(job, end);
			else yield job;
		}
	}

	/** Makes a step. Returns the job as it is then, also when an earlier try took effect whose answer was lost. */
	async #make({ job, change }: Step): Promise<Job | undefined> {
		if ((await this.#options.space.commit(change)) === 'done') return job;
		const { processId } = this.#options;
		const stored = await this.find(job.id);
		const isOwn = job.process === processId && stored?.process === processId;
		const isThis = stored?.step === job.step && stored.state === job.state && stored.claims === job.claims;
		return isOwn && isThis ? { ...stored, person: job.person } : undefined;
	}

	/** Makes a step of a job that this process still owns, whatever it has stored of it meanwhile. */
	async #settle(job: Job, stepOf: (own: Job) => Step, end: CallEnd): Promise<Job | undefined> {
		const made = await this.#make(stepOf(job));
		if (made) {
			if (job.outcome !== undefined) return made;
			const { space, retentionMs, now, observer } = this.#options;
			observer?.settled(callKindOf(job), end.outcome);
			await pruneCalls(space, job.place.platform, job.person.id, retentionMs, now());
			return made;
		}
		const stored = await this.find(job.id);
		const isOwn = stored?.process === job.process && stored.step > job.step && stored.state !== 'delivered';
		return isOwn ? this.#settle({ ...stored, person: job.person }, stepOf, end) : undefined;
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
