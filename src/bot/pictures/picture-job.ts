import type { Channel, Post } from '../../domain/channel.ts';
import { isClosed, isSettled, type Job } from '../../domain/job.ts';
import type { Person } from '../../domain/person.ts';
import type { CallOutcome } from '../../domain/receipt.ts';
import type { Upload } from '../../domain/reply.ts';
import { prepare } from '../../pictures/prepare.ts';
import type { ImageResult, InputImage } from '../../service/service.ts';
import { ShutdownError } from '../abort-errors.ts';
import type { Context, PictureCommand } from '../declaration/command.ts';
import { screenedText } from '../declaration/texts.ts';
import { capReachedMessage } from '../messages/usage-messages.ts';
import { outcomeOfCrash } from '../outcome.ts';
import { type PictureRequest, splitOptions } from '../repositories/requests.ts';
import type { BotServices } from '../services.ts';
import { type CallResult, callOnce } from './call-once.ts';
import { quotedPrompt } from './captions.ts';
import { deliverError, deliverPictures } from './delivery.ts';
import { readUpload } from './read-upload.ts';
import { type Status, showStatus } from './status.ts';

/** A request for pictures whose options have been checked. */
export type PictureJob = {
	id: string;
	command: PictureCommand;
	options: Record<string, unknown>;
	person: Person;
	channel: Channel;
	/** What the command gets to work with, but for its options. */
	context: Omit<Context, 'options'>;
};

/** How a request ended; `refused` with the sentence that says why. */
export type PictureJobResult = CallOutcome | 'duplicate' | { refused: string };

/**
 * One paid request's way: reserve, say that it runs, wait for its turn, ask the service once, keep the pictures, settle,
 * deliver. Whatever is thrown or aborted on the way, the reservation is settled and the message ends in an answer.
 * Rejects only when the request could not be reserved.
 */
export async function makePictures(services: BotServices, asked: PictureJob): Promise<PictureJobResult> {
	// A second delivery must not strike out what the first one works on.
	if (services.atWork.has(asked.id)) return 'duplicate';
	services.atWork.add(asked.id);
	try {
		return await work(services, asked);
	} finally {
		services.atWork.delete(asked.id);
	}
}

async function work(services: BotServices, asked: PictureJob): Promise<PictureJobResult> {
	const { id, command, person, channel } = asked;
	const { place } = channel;
	const { words, uploads } = splitOptions(asked.options);
	const { t } = asked.context;
	const by = { id: person.id, name: person.name, ...(person.locale && { locale: person.locale }) };
	const answer = { place, key: id };
	const asking = { channel, person, text: screenedText(command, words) };
	const allowed = await services.policy.picture(asking);
	// A request that is delivered twice is not refused for coming twice.
	if ('refused' in allowed) return (await services.ledger.has(id)) ? 'duplicate' : allowed;
	const { rules } = allowed;
	const isOurs = await services.leaseGuard();
	const job = await services.ledger.reserve({
		id,
		command: command.name,
		place,
		person: by,
		roles: person.roles,
		answer,
		checkPolicy: services.policy.checkPolicy('pictures', asking),
	});
	if (job === 'duplicate') return job;
	if ('denied' in job) return { refused: capReachedMessage(t, job, channel) };

	const request: PictureRequest = {
		...command.request(words),
		command: command.name,
		options: words,
		inputs: {},
		person: by,
		place,
	};
	let post: Post | undefined;
	let status: Status | undefined;
	let release = () => {};
	const end = await callOnce(async (sent): Promise<ImageResult> => {
		const text = t.declared(command.status, { prompt: `**${quotedPrompt(request.prompt)}**` });
		if (!isOurs()) throw new ShutdownError();
		post = await channel.post({ text: `${text} …`, visibility: request.private ? 'private' : 'public' }, id);
		status = showStatus(t, post, text, channel.limits, isOurs);
		const images = await load(services, request, uploads);
		await services.requests.save(id, request);
		const member = `${place.platform}:${place.server}:${person.id}`;
		release = await services.queue.enter(member, rules.atOnce, services.stopping, (line) => status?.inLine(line));
		status.running();
		services.stopping.throwIfAborted();
		// Another process took this one for dead, and has given the call back.
		if (!(await services.ledger.markSent(job))) throw new ShutdownError();
		sent();
		return command.run({ ...asked.context, options: { ...words, ...images } });
	}).finally(() => release());
	await status?.stop();

	const images = end.outcome === 'succeeded' ? end.result.images.map(({ bytes }) => bytes) : [];
	if (end.outcome === 'succeeded') await keep(services, job, images);
	const settled = await settle(services, end.wasSent ? { ...job, state: 'sent' } : job, end);
	const ways = { post, channel, roles: person.roles };
	if (end.outcome === 'succeeded') {
		await deliverPictures(services, settled, request, images, ways);
	} else {
		// Who took this process for dead has answered, or will: the same is said once more, should a status have come after it.
		const isTaken = isClosed(settled) || !(isSettled(settled) || isOurs());
		// A call that could not be settled here is settled by a sweep.
		const outcome = settled.outcome ?? outcomeOfCrash({ state: isTaken || end.wasSent ? 'sent' : 'reserved' });
		await deliverError(services, settled, isTaken ? new ShutdownError() : end.error, outcome, ways);
	}
	return end.outcome;
}

/** A store that fails now must not cost the answer: the job stays open as it was, and a later sweep settles it. */
async function settle(services: BotServices, job: Job, end: CallResult<ImageResult>): Promise<Job> {
	try {
		const pictures = end.outcome === 'succeeded' ? end.result.images.length : 0;
		const settled = await services.ledger.settle(job, end.outcome, pictures);
		// It was written down that the service may be asked, though the store's answer was lost: it has not been asked.
		return settled.state === 'sent' ? await services.ledger.settle(settled, end.outcome, pictures) : settled;
	} catch (error) {
		services.log.error({ err: error, job: job.id, outcome: end.outcome }, 'A call could not be settled');
		return job;
	}
}

/** Reads and checks the pictures that came with the request, and keeps them so that Again works. */
async function load(services: BotServices, request: PictureRequest, uploads: [string, Upload][]) {
	const images: Record<string, InputImage> = {};
	for (const [name, upload] of uploads) {
		const image = await prepare(await readUpload(services, upload));
		images[name] = image;
		request.inputs[name] = await services.pictureStore.keepInput(image.bytes);
	}
	return images;
}

/** From here on the pictures outlive a crash. Without a store they still go to the person. */
async function keep(services: BotServices, job: Job, images: readonly Uint8Array[]) {
	try {
		await services.pictureStore.keep(job.id, images);
	} catch (error) {
		services.log.error({ err: error, job: job.id }, 'Finished pictures could not be kept');
	}
}
