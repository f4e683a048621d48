import type { Job } from '../usage/job.ts';
import type { Lease } from '../usage/lease.ts';
import type { Core } from './core.ts';
import { deliverPictures, deliverTrouble } from './delivery.ts';
import type { PictureRequest } from './requests.ts';
import { Stopping } from './trouble.ts';

/**
 * Ends what processes left behind that are gone: what was never sent is given back, what was sent without an answer stays
 * counted as unknown and is not sent again, finished pictures are delivered. Each time the message that waits says so.
 */
export async function sweep(core: Core, lease: Lease): Promise<void> {
	for await (const job of core.ledger.open()) {
		try {
			if (!(await lease.isOver(job.process))) continue;
			const mine = await core.ledger.claim(job);
			if (mine) await finish(core, mine);
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
		const settled = await core.ledger.settle(job, 'succeeded', images.length);
		return deliverPictures(core, settled, request, images, { post });
	}
	let settled = await core.ledger.settle(job, job.state === 'reserved' ? 'failed' : 'unknown', 0);
	// It was sent after we had looked: then nobody knows what came of it.
	if (settled.state === 'sent') settled = await core.ledger.settle(settled, 'unknown', 0);
	const outcome = settled.state === 'failed' ? 'failed' : 'unknown';
	return deliverTrouble(core, settled, new Stopping(), outcome, { post });
}

/** A request that was never written down. */
const unnamed = ({ command, person, place }: Job): PictureRequest => ({
	command,
	options: { prompt: command },
	inputs: {},
	person,
	place,
});
