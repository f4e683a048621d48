import type { Post } from '../domain/channel.ts';
import { isClosed, type Job } from '../domain/job.ts';
import { translatorFor } from '../i18n/translator.ts';
import type { Lease } from '../usage/lease.ts';
import { ShutdownError } from './abort-errors.ts';
import type { ChatController } from './chat/chat-controller.ts';
import { outcomeOfCrash, settleAfterCrash } from './outcome.ts';
import { deliverError, deliverPictures, FALLBACK_SUFFIXES } from './pictures/delivery.ts';
import type { PictureRequest } from './repositories/requests.ts';
import type { BotServices } from './services.ts';

/**
 * Makes the sweep. It ends what processes left behind that are gone: what was never sent is given back, what was sent without
 * an answer stays counted as unknown and is not sent again, finished pictures are delivered. Each time the message that waits
 * says so. What becomes of turns in chat threads, `chat` says. What can't be ended now is tried again by the next sweep. One
 * sweep runs at a time.
 */
export function createSweep(
	services: BotServices,
	lease: Lease,
	chat: Pick<ChatController, 'interrupted' | 'resume'>,
): () => Promise<void> {
	async function sweep(): Promise<void> {
		for await (const job of services.ledger.openJobs()) {
			try {
				const left = await takeOver(job);
				if (left) await (left.what === 'chat' ? chat.interrupted(left) : finish(services, left));
			} catch (error) {
				services.log.error({ err: error, job: job.id }, 'A job could not be recovered');
			}
		}
		await chat.resume();
	}

	async function takeOver(job: Job): Promise<Job | undefined> {
		if (isClosed(job)) return undefined;
		const mine = job.process === lease.processId;
		// An earlier sweep of this process took it over, and did not come to its end.
		if (mine && job.hands > 0) return job;
		// The store's answer was lost when it was reserved or ended here: nobody works on it.
		if (mine) return job.what === 'chat' || services.atWork.has(job.id) ? undefined : services.ledger.claim(job);
		return (await lease.hasExpired(job.process)) ? services.ledger.claim(job) : undefined;
	}

	let running: Promise<void> | undefined;
	return () => {
		running ??= sweep().finally(() => {
			running = undefined;
		});
		return running;
	};
}

async function finish(services: BotServices, job: Job) {
	const images = await services.pictureStore.kept(job.id);
	const [post, channel] = await Promise.all([answerOf(services, job), services.open(job.place)]);
	if (images.length > 0) {
		const request = (await services.requests.find(job.id)) ?? unnamed(job);
		const settled = await services.ledger.settle(job, 'succeeded', images.length);
		// A channel shows everybody what is posted there now.
		const ways = request.private ? { post, limits: channel?.limits } : { post, channel };
		return deliverPictures(services, settled, request, images, { ...ways, note: whatIsLost(request, images.length) });
	}
	const settled = await settleAfterCrash(services.ledger, job);
	// Its own process was not gone after all, and has answered meanwhile.
	if (isClosed(settled)) return;
	// Or its pictures have come since we looked: the next sweep finds them.
	if (settled.outcome === 'succeeded' && (await services.pictureStore.kept(job.id)).length > 0) return;
	return deliverError(services, settled, new ShutdownError(), outcomeOfCrash(settled), { post, channel });
}

/** The process may have ended while it was keeping one picture after the other. */
function whatIsLost({ count: asked, person }: PictureRequest, kept: number): string | undefined {
	if (kept >= asked) return undefined;
	return translatorFor(person.locale)(
		'Easel was stopped while this ran: only {kept, number} of {asked, number} pictures could be saved.',
		{ kept, asked },
	);
}

/** Where the answer is, or waits: in the last message that was begun for it. */
async function answerOf(services: BotServices, { answer }: Job): Promise<Post | undefined> {
	for (const way of FALLBACK_SUFFIXES) {
		const begun = await services.find({ place: answer.place, key: answer.key + way });
		if (!begun) continue;
		const waiting = await services.find(answer);
		await waiting?.delete().catch(() => {});
		return begun;
	}
	return services.find(answer);
}

/** Stands in for a request that was never stored. */
const unnamed = ({ command, person, place }: Job): PictureRequest => ({
	command,
	prompt: command,
	private: false,
	count: 1,
	options: {},
	inputs: {},
	person,
	place,
});
