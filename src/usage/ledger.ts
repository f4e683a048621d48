import { isDeepStrictEqual } from 'node:util';
import { LRUCache } from 'lru-cache';
import type { Place } from '../domain/channel.ts';
import type { Answer, CallKind, Debit, Job, StoredRequest } from '../domain/job.ts';
import { bounded } from '../domain/queues.ts';
import type { Easel } from '../easel.ts';
import type { SentenceError } from '../i18n/translator.ts';
import { type Change, joinChanges, type Space } from '../store/store.ts';
import { type CapReached, type Layer, layersOf, type Member, type UsageStatus, usageStatus } from './caps.ts';
import {
	answering,
	type CallEnd,
	callMember,
	ending,
	FIRST_STEP,
	findJob,
	jobKey,
	OPEN_JOBS,
	openJobs,
	type Step,
	stepOf,
	withResult,
} from './jobs.ts';
import { type Settings, settingsGuard } from './settings.ts';
import { callKindOf, counterStep, readCounters } from './windows.ts';

export type ReservationRequest = Pick<
	Job,
	'id' | 'command' | 'what' | 'place' | 'person' | 'message' | 'quote' | 'request'
> & {
	roles?: readonly string[];
	/** The settings that have allowed the request; read when they are missing. Once they have changed, they are read again. */
	settings?: Settings;
	/**
	 * Returns why settings refuse the request; undefined when they allow it. It is called with the settings that are in force when
	 * the call is reserved, in the same commit, so that no change of them is overtaken.
	 */
	checkPolicy?(settings: Settings): SentenceError | undefined;
	/** What is stored with the job. */
	also?: Change;
};

/** Why a call is not reserved: a cap that is reached, or another rule of the server. */
export type Denial = CapReached | SentenceError;

const isReached = ({ limit, used }: UsageStatus, by = 1) => limit !== undefined && used + by > limit;

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
	readonly #easel: Easel;
	readonly #space: Space;
	/**
	 * The calls that this process has sent, with their ends. The store knows the same, unless its last commits are lost: when a replica
	 * without them is promoted, or when it has rejected a write.
	 */
	readonly #sent = new LRUCache<string, { end?: CallEnd; isDelivered?: boolean }>(bounded(MAX_CALLS));

	constructor(easel: Easel) {
		this.#easel = easel;
		this.#space = easel.store.space('ledger');
	}

	/**
	 * Reserves one call, and the most that it can cost, against every cap that applies and stores its job, in a single commit. A chat turn has
	 * caps of its own and is not taken from the plan.
	 *
	 * @param request.id the platform's delivery id; a second reservation with the same id returns `'duplicate'`
	 * @returns the reserved job, `'duplicate'`, or what denies the call: a cap, or the refusal of `request.checkPolicy`
	 * @throws StoreError when the store cannot be reached. Deny the request then; a call that was reserved all the same is
	 * refunded by recovery.
	 */
	async reserve(reservation: ReservationRequest): Promise<Job | Denial | 'duplicate'> {
		const { settings: given, roles, checkPolicy, also, ...request } = reservation;
		const { id, place, person, what, quote } = request;
		const { plan, lease, now } = this.#easel;
		if (this.#sent.has(id)) return 'duplicate';
		const blank = { step: FIRST_STEP, state: 'reserved', debits: [], usd: quote?.most ?? 0, claims: 0 } as const;
		for (let settings = given; ; settings = undefined) {
			settings ??= await this.#easel.settings.get(place);
			const violation = checkPolicy?.(settings);
			// An earlier delivery of the same request may have reserved the job before it was refused.
			if (violation) return (await this.find(id)) ? 'duplicate' : violation;

			const job: Job = { ...blank, ...request, at: now(), process: lease.processId };
			const layers = layersOf(plan, settings, place, { id: person.id, roles }, job.at, what);
			const included = layers.filter(({ name }) => name !== 'overage');
			let result = await this.#debit(job, included, settings, also);
			// The plan is used up. Beyond it a call is paid for from what the server allows; without a price, nothing would limit the calls.
			const usd = quote?.most ?? plan.price * 1000;
			if (result === included[0] && result.name === 'plan' && settings.overageMills > 0 && usd > 0) {
				const beyond = layers.filter(({ name }) => name !== 'plan');
				result = await this.#debit({ ...job, usd }, beyond, settings, also);
			}
			if (result === 'outdated') continue;
			if (result === 'duplicate' || 'state' in result) return result;
			if (await this.find(id)) return 'duplicate';
			const [used = 0] = await readCounters(this.#space, [result]);
			return this.#denied(callKindOf(request), { denied: result, used, needed: result.unit === 'usd' ? usd : 1 });
		}
	}

	/**
	 * Takes one call, and what is reserved for it, from every layer and stores the job, in one commit.
	 *
	 * @returns the job with its debits, or the first layer whose cap is reached; `'outdated'` when the settings have changed since
	 * they were read
	 */
	async #debit(
		job: Job,
		all: readonly Layer[],
		settings: Settings,
		also: Change = {},
	): Promise<Job | Layer | 'duplicate' | 'outdated'> {
		const { now, retentionMs } = this.#easel;
		const guard = settingsGuard(job.place, settings);
		const { usd } = job;
		// What costs nothing is not refused where a cap was lowered below what is spent.
		const layers = all.filter(({ unit }) => unit === 'images' || usd > 0);
		const debits = layers.map(({ unit, key }): Debit => [key, unit === 'usd' ? usd : 1]);
		const debited: Job = { ...job, debits };
		const steps = debits.map((each, index) => counterStep(each, now(), retentionMs, layers[index]?.limit));
		const reservation = {
			once: jobKey(job.id),
			add: [guard, ...steps],
			put: [{ key: jobKey(job.id), value: debited }],
			index: [{ index: OPEN_JOBS, member: job.id }, callMember(job, retentionMs)],
		};
		const result = await this.#space.commit(joinChanges(reservation, also));
		if (result === 'done') return debited;
		if (result === 'duplicate') return result;
		if (result.refused === guard.key) return 'outdated';
		const { refused, field } = result;
		return layers.find((_, index) => steps[index]?.key === refused && steps[index]?.field === field) as Layer;
	}

	/**
	 * Returns the cap that would deny a member's call now; undefined when there is none. Nothing is reserved, so that a call may be denied
	 * all the same.
	 *
	 * @param settings read when they are missing
	 * @param most what the call may cost, in micro-USD; by default anything, where calls have prices
	 */
	async capReached(
		place: Place,
		member: Member,
		what: CallKind = 'pictures',
		settings?: Settings,
		most = this.#easel.plan.prices ? 1 : 0,
	): Promise<CapReached | undefined> {
		const current = settings ?? (await this.#easel.settings.get(place));
		const statuses = await usageStatus(this.#easel, current, place, member, what);
		const isPlanUsed = statuses.some((status) => status.name === 'plan' && isReached(status));
		const usd = most > 0 || !isPlanUsed ? most : this.#easel.plan.price * 1000;
		const money = usd > 0 ? statuses.find(({ name, limit = 0 }) => name === 'overage' && limit > 0) : undefined;
		const reached = statuses.find((status) => {
			if (status.name === 'plan') return isPlanUsed && !money;
			if (status.name === 'overage') return isPlanUsed && status === money && isReached(status, usd);
			return status.unit === 'usd' ? usd > 0 && isReached(status, usd) : isReached(status);
		});
		const needed = reached?.unit === 'usd' ? usd : 1;
		return reached && this.#denied(what, { denied: reached, used: reached.used, needed });
	}

	/** Tells whether a delivery was reserved before. */
	async has(id: string): Promise<boolean> {
		return this.#sent.has(id) || (await findJob(this.#space, id)) !== undefined;
	}

	/** Stores what has become known of the request of a reserved call. */
	note(job: Job, request: StoredRequest): Promise<Job | undefined> {
		return this.#make(stepOf(job, { request }));
	}

	/** Records that the service is about to be called. Without the returned job, it must not be called. */
	async send(job: Job): Promise<Job | undefined> {
		const sent = await this.#make(stepOf(job, { state: 'sent' }));
		if (sent) this.#sent.set(job.id, {});
		return sent;
	}

	/**
	 * Stores an answer. The first one settles the call; later ones replace it.
	 *
	 * @param refetch the addresses of pictures that could not be fetched
	 */
	async answer(job: Job, answer: Answer, end: CallEnd, refetch?: readonly string[]): Promise<Job | undefined> {
		if (this.#sent.has(job.id)) this.#sent.set(job.id, { end: onlyEnd(end) });
		return this.#advance(job, (own) => answering(own, answer, end, this.#easel, refetch));
	}

	/** Settles a call whose person has the answer, and ends its job. @param also what is stored with that */
	async end(job: Job, end: CallEnd, also: Change = {}): Promise<Job | undefined> {
		if (this.#sent.has(job.id)) this.#sent.set(job.id, { end: onlyEnd(end), isDelivered: true });
		return this.#advance(job, (own) => ending(own, end, this.#easel), also);
	}

	/**
	 * Ends a job whose person has the answer.
	 *
	 * @param also what is stored with that
	 * @param isOffered `/usage` offers the answer
	 */
	async deliver(job: Job, also: Change = {}, isOffered = false): Promise<Job | undefined> {
		const sent = this.#sent.get(job.id);
		if (sent) this.#sent.set(job.id, { ...sent, isDelivered: true });
		const delivering = (own: Job) => ending(own, undefined, this.#easel, isOffered ? own.answer : undefined);
		return this.#advance(job, delivering, also, job.answer);
	}

	/** Notes that the answer of a job is posted that stays open. @param also what is stored with that */
	post(job: Job, also: Change = {}): Promise<Job | undefined> {
		return this.#advance(job, (own) => stepOf(own, { isPosted: true }), also, job.answer);
	}

	/**
	 * Takes a job over. What this process finds out about an ended job, it answers anew.
	 *
	 * @param takenFrom the process that may still go on with it
	 */
	async claim(job: Job, takenFrom?: Job['takenFrom']): Promise<Job | undefined> {
		const { lease, ledgerObserver } = this.#easel;
		const { process, claims } = job;
		const state = job.state === 'delivered' ? 'sent' : job.state;
		const claimed = await this.#make(stepOf(job, { process: lease.processId, claims: claims + 1, takenFrom, state }));
		if (claimed && process !== lease.processId) ledgerObserver?.claimed();
		return claimed;
	}

	/** Returns a job as it is stored; undefined once it has expired. */
	find(id: string): Promise<Job | undefined> {
		return findJob(this.#space, id);
	}

	/**
	 * Yields the jobs that a process has to go on with. Those that this process has ended, although the store does not know it any more,
	 * end again.
	 */
	async *openJobs(): AsyncGenerator<Job> {
		for await (const job of openJobs(this.#space)) {
			const { end, isDelivered } = this.#sent.get(job.id) ?? {};
			if (end && isDelivered && job.claims === 0) await this.end(job, end);
			else yield job;
		}
	}

	/** Makes a step. Returns the job as it is then, also when an earlier try took effect whose answer was lost. */
	async #make({ job, change }: Step): Promise<Job | undefined> {
		if ((await this.#space.commit(change)) === 'done') return job;
		const { processId } = this.#easel.lease;
		const stored = await this.find(job.id);
		const isOwn = job.process === processId && stored?.process === processId;
		const isThis = stored?.step === job.step && stored.state === job.state && stored.claims === job.claims;
		return isOwn && isThis ? stored : undefined;
	}

	/**
	 * Makes a step of a job that this process still owns, whatever was stored of it meanwhile.
	 *
	 * @param also what is stored with that
	 * @param answer the one that the step is about; with another one, it is not made
	 */
	async #advance(job: Job, next: (own: Job) => Step, also: Change = {}, answer?: Answer): Promise<Job | undefined> {
		const step = next(job);
		const made = await this.#make({ job: step.job, change: joinChanges(step.change, also) });
		if (made) {
			if (job.outcome === undefined && made.outcome !== undefined)
				this.#easel.ledgerObserver?.settled(callKindOf(job), made.outcome);
			return made;
		}
		const stored = await this.find(job.id);
		const isOwn = stored?.process === job.process && stored.step > job.step && stored.state !== 'delivered';
		const isAbout = answer === undefined || isDeepStrictEqual(answer, stored?.answer);
		return isOwn && isAbout ? this.#advance(withResult(stored, job), next, also, answer) : undefined;
	}

	#denied(what: CallKind, reached: CapReached): CapReached {
		this.#easel.ledgerObserver?.capReached(what, reached.denied.name);
		return reached;
	}
}

/** Returns an end without what its caller keeps with it, such as pictures, which would stay in memory. */
const onlyEnd = ({ outcome, pictures, tokens, paid }: CallEnd): CallEnd => ({ outcome, pictures, tokens, paid });
