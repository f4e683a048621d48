import type { Answer, CallOutcome, Job } from '../domain/job.ts';
import type { Easel } from '../easel.ts';
import { translatorFor } from '../i18n/translator.ts';
import { tryAndLog } from '../log.ts';
import { storedOf } from '../requests/requests.ts';
import { StoreError } from '../store/store.ts';
import { type CallEnd, withResult } from '../usage/jobs.ts';
import { isReviewed } from '../usage/settings.ts';
import { type Live, NOWHERE, type Posted } from './delivery.ts';

/** How often a process takes a job back that others go on with. */
const MAX_TRIES = 3;

/** How a request ended, as the process knows that has made the call. */
export type Finished = CallEnd & {
	wasSent: boolean;
	/** The addresses of pictures that were made and could not be fetched. */
	refetch?: readonly string[];
} & (
		| { images: readonly Uint8Array[]; sentence?: never }
		/** Returns what the person reads when the call ended so. */
		| { images?: never; sentence(outcome: CallOutcome): Promise<Answer> }
	);

/**
 * Settles the call of a request that this process has run, and has its answer posted. Never rejects: what this process knows and could
 * not store, it keeps for its own next sweep.
 */
export class Settlement {
	readonly #easel: Easel;

	constructor(easel: Easel) {
		this.#easel = easel;
	}

	/** Stores how a request ended, and posts its answer. While the store fails, the answer is posted all the same. */
	async finish(job: Job, end: Finished, live: Live): Promise<void> {
		const { log } = this.#easel;
		let answered: Job | undefined;
		try {
			if (end.images) return await this.#finishPictures(job, end, end.images, live);
			const answer = await end.sentence(end.outcome);
			answered = await this.#write(job, end, (own) => this.#easel.ledger.answer(own, answer, end, end.refetch));
		} catch (error) {
			log.error({ err: error, job: job.id, outcome: end.outcome }, 'A call could not be settled');
			return this.#postUnsettled(job, end, live);
		}
		// Undefined when another process has answered it.
		if (answered) await this.#easel.delivery.deliver(answered, live);
	}

	/** Keeps the pictures of a request, so that whoever takes the job over finds them, settles the call and posts them. */
	async #finishPictures(job: Job, end: Finished, made: readonly Uint8Array[], live: Live): Promise<void> {
		const { ledger, pictureStore, log } = this.#easel;
		// Sweeps find the pictures of open jobs alone. Another process may have ended this one, also while they are being kept.
		const held = live.hasLease() ? job : await this.#takeBack(job);
		// Those that come after a decision have not been reviewed.
		const images = made.slice(0, held.review?.decision?.pictures);
		const keep = () => pictureStore.keep(job.id, images).then(() => true);
		const isKept = await tryAndLog(log, 'Finished pictures could not be kept', keep);
		const own = live.hasLease() ? held : await this.#takeBack(held);
		const { request, settings } = await this.#refreshed(job, live);
		if (!isKept && isReviewed(settings, job.place)) throw new StoreError('The pictures could not be kept for a review');
		const answer = await this.#easel.reviews.answerOf(job, images.length, settings);
		const known = withResult(own, { ...own, request: storedOf(request) });
		// A job that is this process's own needs no other answer than the pictures that are kept. What a call has not cost is given back first.
		const isOwn = own.claims === 0 && own.quote === undefined && live.hasLease();
		const isSettledLater = isOwn && isKept && answer.kind === 'pictures' && !end.refetch;
		const first = isSettledLater ? await this.#postKept({ ...known, answer }, end, live) : 'taken';
		if (first === 'ended') return;
		const answered = await this.#write(known, end, (mine) => ledger.answer(mine, answer, end, end.refetch));
		if (answered && first === 'taken') await this.#easel.delivery.deliver(answered, live, images);
	}

	/**
	 * Posts pictures that are kept, and settles their call in the commit that ends the job.
	 *
	 * @returns `taken` when another process has taken the job over meanwhile; `nowhere` when they cannot be posted now
	 */
	async #postKept(job: Job, end: Finished, live: Live): Promise<'ended' | 'taken' | 'nowhere'> {
		const { ledger, delivery, pictureStore, running, log } = this.#easel;
		const posting = () => delivery.post({ ...job, outcome: end.outcome }, live, end.images);
		const posted = (await tryAndLog(log, 'An answer could not be posted', posting)) ?? NOWHERE;
		const { where } = posted;
		if (where === 'nowhere') return where;
		try {
			if (!(await ledger.end(withResult(job, posted), end, posted.also))) return 'taken';
		} catch (error) {
			log.error({ err: error, job: job.id }, 'A job stays open');
			this.#endLater(job, end, live, posted);
			return 'ended';
		}
		// The person may go on with the result at once.
		if (where === 'posted') running.track(pictureStore.drop(job.id, end.images?.length));
		return 'ended';
	}

	/** Leaves the end of a job to the next sweep, whose person has been told. */
	#endLater(job: Job, end: Finished, live: Live, posted: Posted): void {
		this.#easel.ownJobs.defer(job.id, async () => {
			const stored = await this.#easel.ledger.find(job.id);
			if (stored?.process !== job.process) return this.finish(job, end, live);
			const { where, also } = posted;
			await this.#write(job, end, (own) => this.#easel.ledger.end(withResult(own, posted), end, also));
			if (where === 'posted' && end.images) await this.#easel.pictureStore.drop(job.id);
		});
	}

	/**
	 * Makes a step of a job that this process knows the end of. Pictures win over the sentence of a process that has taken the job over.
	 *
	 * @returns undefined when another process has answered
	 */
	async #write(
		job: Job,
		end: Finished,
		step: (own: Job) => Promise<Job | undefined>,
		tries = MAX_TRIES,
	): Promise<Job | undefined> {
		const written = await step(job);
		if (written || !end.images) return written;
		if (tries === 0) throw new StoreError('Other processes change the job all the time');
		return this.#write(await this.#takeBack(job), end, step, tries - 1);
	}

	/** Takes a job back from a process that has taken it over. Once it is taken back, it stays open while its pictures are being kept. */
	async #takeBack(job: Job, tries = MAX_TRIES): Promise<Job> {
		const { ledger, now } = this.#easel;
		const stored = await ledger.find(job.id);
		if (!stored || stored.process === job.process) return stored ? withResult(stored, job) : job;
		const claimed = await ledger.claim(withResult(stored, job), { process: stored.process, at: now() });
		if (claimed) return claimed;
		if (tries === 0) throw new StoreError('Other processes change the job all the time');
		return this.#takeBack(job, tries - 1);
	}

	/** Posts the answer of a job that could not be stored, and leaves the rest to the next sweep. */
	async #postUnsettled(job: Job, end: Finished, live: Live): Promise<void> {
		// A sweep of a process that does not know the outcome may settle the call.
		const outcome = end.images || !end.wasSent ? end.outcome : 'unknown';
		const answer = end.images ? ({ kind: 'pictures', count: end.images.length } as const) : await end.sentence(outcome);
		const mayPost = !end.images || !isReviewed((await this.#refreshed(job, live)).settings, job.place);
		const posted = mayPost
			? await this.#easel.delivery.post({ ...job, answer, outcome }, live, end.images, true)
			: NOWHERE;
		const { where } = posted;
		const isTold = where === 'posted' && outcome === end.outcome;
		if (where === 'nowhere' && end.images && live.hasLease())
			await live.post?.edit({ text: translatorFor(job.person.locale)('delivery.failed') }).catch(() => {});
		if (isTold && !end.refetch) this.#endLater(job, end, live, posted);
		else this.#easel.ownJobs.defer(job.id, () => this.finish(job, end, live));
	}

	/** Returns what is known of a request, with the settings in force where they can be read. */
	async #refreshed(job: Job, live: Live): Promise<Live> {
		live.settings = (await this.#easel.delivery.settingsOf(job)) ?? live.settings;
		return live;
	}
}
