import type { Job } from '../usage/job.ts';
import type { Core } from './core.ts';
import { deliverPictures, deliverTrouble } from './delivery.ts';
import type { PictureRequest } from './requests.ts';
import { Stopping } from './trouble.ts';

/**
 * Ends what an earlier process left behind: what was never sent is given back, what was sent without an answer stays counted
 * as unknown and is not sent again, finished pictures are delivered. Each time the message that waits says so.
 */
export async function recover(core: Core, left: readonly Job[]): Promise<void> {
	for (const job of left) {
		try {
			await finish(core, job);
		} catch (error) {
			core.log.error({ err: error, job: job.id }, 'A job could not be recovered');
		}
	}
}

async function finish(core: Core, job: Job) {
	const images = await core.shelf.kept(job.id);
	const post = await core.find(job.answer);
	if (images.length > 0) {
		const request = (await core.requests.find(job.id)) ?? unnamed(job);
		return deliverPictures(core, await core.ledger.settle(job, 'succeeded'), request, images, { post });
	}
	const outcome = job.state === 'reserved' || job.state === 'failed' ? 'failed' : 'unknown';
	return deliverTrouble(core, await core.ledger.settle(job, outcome), new Stopping(), outcome, { post });
}

/** A request that was written down no more. */
const unnamed = ({ command, person, place }: Job): PictureRequest => ({
	command,
	options: { prompt: command },
	inputs: {},
	person,
	place,
});
