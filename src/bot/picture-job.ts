import { prepare } from '../pictures/prepare.ts';
import { ServiceError } from '../service/errors.ts';
import type { ImageResult, InputImage } from '../service/service.ts';
import type { Job } from '../usage/job.ts';
import type { CallOutcome } from '../usage/ledger.ts';
import type { Command, UsageView } from './command.ts';
import type { Core } from './core.ts';
import { deliverPictures, deliverTrouble } from './delivery.ts';
import type { Channel, Person, Post, Upload } from './platform.ts';
import { type PictureRequest, splitOptions } from './requests.ts';
import { tellTime } from './status.ts';
import { Stopping } from './trouble.ts';
import { shown } from './words.ts';

/** A request for pictures whose options have been checked. */
export type Asked = {
	id: string;
	command: Extract<Command, { makes: 'pictures' }>;
	options: Record<string, unknown>;
	person: Person;
	channel: Channel;
};

type End = { outcome: 'succeeded'; result: ImageResult } | { outcome: 'failed' | 'unknown'; error: unknown };

/**
 * One paid request's way: reserve, say that it runs, ask the service once, keep the pictures, settle, deliver. Whatever is
 * thrown or aborted on the way, the reservation is settled and the message ends in an answer.
 * Rejects only when the request could not be reserved.
 */
export async function makePictures(core: Core, asked: Asked, usage: UsageView): Promise<CallOutcome | 'duplicate'> {
	const { id, command, person, channel } = asked;
	const { words, uploads } = splitOptions(asked.options);
	const by = { id: person.id, name: person.name };
	const job = await core.ledger.reserve({
		id,
		command: command.name,
		place: channel.place,
		person: by,
		answer: { place: channel.place, key: id },
	});
	if (job === 'duplicate') return 'duplicate';

	const request: PictureRequest = {
		command: command.name,
		options: words,
		inputs: {},
		person: by,
		place: channel.place,
	};
	const status = `${command.status} **${shown(String(words['prompt']))}**`;
	let post: Post | undefined;
	let stopTelling: (() => Promise<void>) | undefined;
	const end = await attempt(async (sent): Promise<ImageResult> => {
		post = await channel.post(
			{ text: `${status} …`, visibility: words['private'] === true ? 'private' : 'public' },
			id,
		);
		stopTelling = tellTime(post, status, channel.limits);
		const images = await load(core, request, uploads);
		await core.requests.save(id, request);
		core.stopping.throwIfAborted();
		await core.ledger.sent(job);
		sent();
		const options = { ...words, ...images };
		const { stopping: signal, service } = core;
		return command.run({ options, person, place: channel.place, service, usage, signal });
	});

	if (end.outcome === 'succeeded') await keep(core, job, end.result);
	const settled = await settle(core, job, end.outcome);
	await stopTelling?.();
	const ways = { post, channel };
	if (end.outcome === 'succeeded') {
		const images = end.result.images.map(({ bytes }) => bytes);
		await deliverPictures(core, settled, request, images, ways);
	} else {
		await deliverTrouble(core, settled, end.error, end.outcome, ways);
	}
	return end.outcome;
}

/** A store that fails now must not cost the answer: the job stays open, and the next start settles it. */
async function settle(core: Core, job: Job, outcome: CallOutcome): Promise<Job> {
	try {
		return await core.ledger.settle(job, outcome);
	} catch (error) {
		core.log.error({ err: error, job: job.id, outcome }, 'A call could not be settled');
		return { ...job, state: outcome };
	}
}

/** Before `sent()` is called nothing can have been paid for; after it, only what the client is sure of is not. */
async function attempt(run: (sent: () => void) => Promise<ImageResult>): Promise<End> {
	let sent = false;
	try {
		const result = await run(() => {
			sent = true;
		});
		return { outcome: 'succeeded', result };
	} catch (error) {
		const surelyNot = error instanceof ServiceError ? error.fate !== 'unknown' : error instanceof Stopping;
		return { outcome: sent && !surelyNot ? 'unknown' : 'failed', error };
	}
}

/** Reads and checks the pictures that came with the request, and keeps them so that Again works. */
async function load(core: Core, request: PictureRequest, uploads: [string, Upload][]) {
	const images: Record<string, InputImage> = {};
	for (const [name, upload] of uploads) {
		images[name] = await prepare(await upload.read(core.stopping));
		request.inputs[name] = await core.shelf.keepInput(images[name].bytes);
	}
	return images;
}

/** From here on the pictures outlive a crash. Without a store they still go to the person. */
async function keep(core: Core, job: Job, { images }: ImageResult) {
	try {
		for (const [index, { bytes }] of images.entries()) await core.shelf.keep(job.id, index, bytes);
	} catch (error) {
		core.log.error({ err: error, job: job.id }, 'Finished pictures could not be kept');
	}
}
