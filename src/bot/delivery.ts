import { isSettled, type Job } from '../usage/job.ts';
import type { CallOutcome } from '../usage/receipt.ts';
import type { Core } from './core.ts';
import type { Channel, Post, Reply } from './platform.ts';
import type { PictureRequest } from './requests.ts';
import { troubleOf } from './trouble.ts';
import { againButton, caption, picturesOf, resultButtons } from './words.ts';

/** Where an answer can go: the message that waits for it, else a new one in its channel. */
export type Ways = { post?: Post | undefined; channel?: Channel | undefined; roles?: readonly string[] | undefined };

/** Ends a request in its pictures. What can't be posted anywhere is kept and offered under /usage. */
export async function deliverPictures(core: Core, job: Job, request: PictureRequest, images: Uint8Array[], ways: Ways) {
	const standing = await core.ledger.standing(job.place, { id: job.person.id, roles: ways.roles }).catch(() => []);
	const reply: Reply = {
		text: caption(request, images, standing),
		pictures: picturesOf(images, String(request.options['prompt'])),
		buttons: resultButtons(job.id),
		visibility: request.options['private'] === true ? 'private' : 'public',
	};
	if (await answer(core, job, reply, ways)) {
		// As long as the job is open, a sweep may have to post them once more.
		if (await close(core, job, 'delivered')) await core.shelf.drop(job.id).catch(() => {});
		await core.notices(job.place, standing).catch((error: unknown) => core.log.warn({ err: error }, 'A notice failed'));
		return;
	}
	try {
		// They were kept when they came, unless the store failed just then; what is offered has to be there.
		await core.shelf.keep(job.id, images);
		await core.waiting.add(job.place, job.person, job.id);
	} catch (error) {
		core.log.error({ err: error, job: job.id }, 'Pictures that could not be posted wait for the next sweep');
		await ways.post
			?.edit({ text: 'The picture is finished but could not be posted. The call stays counted.' })
			.catch(() => {});
		return;
	}
	await close(core, job, 'undeliverable');
	await ways.post
		?.edit({ text: 'The picture is finished but could not be posted here: /usage offers it.' })
		.catch(() => {});
}

/** Ends a request in a sentence. */
export async function deliverTrouble(core: Core, job: Job, error: unknown, outcome: CallOutcome, ways: Ways) {
	const { text, again } = troubleOf(error, outcome, core.log);
	const told = await answer(
		core,
		job,
		{ text, buttons: again ? [againButton(job.id)] : [], visibility: 'private' },
		ways,
	);
	await close(core, job, told ? 'delivered' : 'undeliverable');
}

/**
 * The person has the answer already; a store that fails now, or could not settle the call, only leaves the job for the next
 * start to look at. Says whether the job is closed.
 */
async function close({ ledger, log }: Core, job: Job, state: 'delivered' | 'undeliverable'): Promise<boolean> {
	if (!isSettled(job)) return false;
	try {
		await ledger.close(job, state);
		return true;
	} catch (error) {
		log.error({ err: error, job: job.id }, 'A job stays open');
		return false;
	}
}

async function answer({ log }: Core, job: Job, reply: Reply, { post, channel }: Ways): Promise<boolean> {
	// Where no message is known, there may be one all the same, if only the platform's answer to it was lost.
	const key = post ? `${job.id}.2` : job.answer.key;
	for (const way of [() => post?.edit(reply), () => channel?.post(reply, key)]) {
		try {
			const done = way();
			if (!done) continue;
			await done;
			return true;
		} catch (error) {
			log.warn({ err: error, job: job.id }, 'An answer could not be posted one way');
		}
	}
	return false;
}
