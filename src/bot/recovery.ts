import type { Post } from '../domain/channel.ts';
import { isClosed, type Job } from '../domain/job.ts';
import { translatorFor } from '../i18n/translator.ts';
import type { Log } from '../log.ts';
import type { Lease } from '../usage/lease.ts';
import type { Ledger } from '../usage/ledger.ts';
import { ShutdownError } from './abort-errors.ts';
import type { ChatController } from './chat/chat-controller.ts';
import { outcomeOfCrash, settleAfterCrash } from './outcome.ts';
import type { Delivery } from './pictures/delivery.ts';
import { findFallback } from './pictures/delivery-targets.ts';
import type { PictureJobs } from './pictures/picture-jobs.ts';
import type { PlatformAccess } from './platform-access.ts';
import type { PictureStore } from './repositories/picture-store.ts';
import type { PictureRequest, PictureRequests } from './repositories/requests.ts';

type Parts = {
	ledger: Pick<Ledger, 'openJobs' | 'claim' | 'settle'>;
	lease: Pick<Lease, 'processId' | 'hasExpired'>;
	chat: Pick<ChatController, 'interrupted' | 'resume'>;
	pictureJobs: Pick<PictureJobs, 'isRunning'>;
	requests: Pick<PictureRequests, 'find'>;
	pictureStore: Pick<PictureStore, 'kept'>;
	delivery: Delivery;
	platforms: PlatformAccess;
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
		const { ledger, chat, log } = this.#parts;
		for await (const job of ledger.openJobs()) {
			try {
				const claimed = await this.#claim(job);
				if (claimed) await (claimed.what === 'chat' ? chat.interrupted(claimed) : this.#finish(claimed));
			} catch (error) {
				log.error({ err: error, job: job.id }, 'A job could not be recovered');
			}
		}
		await chat.resume();
	}

	/** Returns the job when this process may end it. */
	async #claim(job: Job): Promise<Job | undefined> {
		const { ledger, lease, pictureJobs, platforms } = this.#parts;
		if (isClosed(job) || !platforms.runs(job.place)) return undefined;
		if (job.process !== lease.processId) return (await lease.hasExpired(job.process)) ? ledger.claim(job) : undefined;
		// Claimed by an earlier sweep of this process that did not finish.
		if (job.hands > 0) return job;
		// Open, though nothing works on it: the store's answer was lost when it was reserved or closed here.
		const isLost = job.what !== 'chat' && !pictureJobs.isRunning(job.id);
		return isLost ? ledger.claim(job) : undefined;
	}

	async #finish(job: Job): Promise<void> {
		const { ledger, requests, pictureStore, delivery, platforms } = this.#parts;
		const images = await pictureStore.kept(job.id);
		const [post, channel] = await Promise.all([answerOf(platforms, job), platforms.open(job.place)]);
		if (images.length > 0) {
			const request = (await requests.find(job.id)) ?? unknownRequest(job);
			const settled = await ledger.settle(job, 'succeeded', images.length);
			// Without the interaction, a new message in the channel would be public.
			const destination = request.private ? { post, limits: channel?.limits } : { post, channel };
			const note = missingPictures(request, images.length);
			return delivery.pictures({ job: settled, request, images, note }, destination);
		}
		const settled = await settleAfterCrash(ledger, job);
		// Its own process was not gone after all, and has answered meanwhile.
		if (isClosed(settled)) return;
		// Its pictures have come since they were looked for: the next sweep finds them.
		if (settled.outcome === 'succeeded' && (await pictureStore.kept(job.id)).length > 0) return;
		await delivery.error(settled, new ShutdownError(), outcomeOfCrash(settled), { post, channel });
	}
}

/** Returns a sentence about the pictures that are missing, when the process ended while it kept them one by one. */
function missingPictures({ count, person }: PictureRequest, kept: number): string | undefined {
	if (kept >= count) return undefined;
	return translatorFor(person.locale)('errors.stoppedPartly', { kept, asked: count });
}

/** Returns the message to continue in: the one that a fallback has begun, else the status message. */
async function answerOf({ find }: PlatformAccess, { answer }: Job): Promise<Post | undefined> {
	const begun = await findFallback(find, answer);
	const status = await find(answer);
	if (!begun) return status;
	await status?.delete().catch(() => {});
	return begun;
}

/** Stands in for a request that was never stored. */
const unknownRequest = ({ command, person, place }: Job): PictureRequest => ({
	prompt: command,
	private: false,
	count: 1,
	command,
	options: {},
	inputs: {},
	person,
	place,
});
