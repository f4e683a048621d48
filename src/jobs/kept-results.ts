import type { Post } from '../domain/channel.ts';
import type { Job } from '../domain/job.ts';
import type { Platforms } from '../domain/platform.ts';
import { PlatformRefusedError } from '../i18n/sentence-error.ts';
import { type Translate, translatorFor } from '../i18n/translator.ts';
import { caption, resultButtons } from '../requests/captions.ts';
import type { PictureRequest, PictureRequests } from '../requests/requests.ts';
import type { Service } from '../service/service.ts';
import type { LeaseGuard } from '../usage/lease.ts';
import type { Delivery, PicturesEnd } from './delivery.ts';
import { type Destination, findFallback } from './delivery-targets.ts';

type Parts = {
	requests: PictureRequests;
	service: Service;
	delivery: Delivery;
	platforms: Platforms;
};

/** Delivers kept pictures without the interaction that asked for them, and says which were lost. */
export class KeptResults {
	readonly #parts: Parts;

	constructor(parts: Parts) {
		this.#parts = parts;
	}

	/**
	 * @param job settled
	 * @param isOurs tells whether this process has held its lease since it looked for the pictures
	 * @param stays whether they stay kept: `part` when some are missing that may still come
	 */
	async deliver(
		job: Job,
		images: readonly Uint8Array[],
		isOurs: LeaseGuard,
		stays: 'never' | 'part' | 'always',
	): Promise<PicturesEnd> {
		const { request, destination } = await this.#find(job);
		const { delivery } = this.#parts;
		const isPart = images.length < request.count;
		const { unfetched } = request;
		const note = isPart && !unfetched ? missingPictures(request, images.length) : undefined;
		const staysKept = async () => stays === 'always' || ((stays === 'part' || unfetched?.again === true) && isPart);
		// A closed job has forgotten its person.
		const owned = { ...job, person: request.person };
		return delivery.pictures({ job: owned, request, images, note, staysKept, isOurs }, destination);
	}

	/**
	 * Says in place of the pictures of a closed job why they do not appear.
	 *
	 * @returns false when the platform is out of reach
	 */
	async explain(job: Job, sentenceOf: (t: Translate) => string): Promise<boolean> {
		const { request, destination } = await this.#find(job);
		const { person } = request;
		return this.#parts.delivery.sentence({ ...job, person }, sentenceOf(translatorFor(person.locale)), destination);
	}

	async #find(job: Job): Promise<{ request: PictureRequest; destination: Destination }> {
		const { requests, platforms } = this.#parts;
		const [request = unknownRequest(job), { post, channel }] = await Promise.all([
			requests.find(job.id),
			destinationOf(platforms, job),
		]);
		// Without the interaction, a new message in the channel would be public.
		return { request, destination: request.private ? { post, limits: channel?.limits } : { post, channel } };
	}

	/**
	 * Says in the message of a result which of its pictures are lost, because their process ended while it posted them and could not
	 * keep them.
	 *
	 * @param shown how many pictures were posted
	 */
	async explainLoss({ id }: Job, shown: number, post: Post): Promise<void> {
		const { requests, service } = this.#parts;
		const request = await requests.find(id);
		if (!request || shown >= request.count) return;
		const t = translatorFor(request.person.locale);
		const text = `${caption(t, request, [], [])}\n${missingPictures(request, shown)}`;
		try {
			await post.edit({ text, buttons: resultButtons(t, id, service.capabilities) });
		} catch (error) {
			// Otherwise the next sweep tries again.
			if (!(error instanceof PlatformRefusedError)) throw error;
		}
	}
}

/** Returns where the answer of a job continues: the message that a fallback has begun, else the status message. */
export async function destinationOf(
	platforms: Platforms,
	{ place, answer }: Job,
): Promise<Pick<Destination, 'post' | 'channel'>> {
	const [post, channel] = await Promise.all([answerOf(platforms, answer), platforms.open(place)]);
	return { post, channel };
}

async function answerOf({ find }: Platforms, answer: Job['answer']): Promise<Post | undefined> {
	const begun = await findFallback(find, answer);
	const status = await find(answer);
	if (!begun) return status;
	await status?.delete().catch(() => {});
	return begun;
}

/** Returns a sentence about the pictures that are missing, when the process ended while it kept them one by one. */
const missingPictures = ({ count, person }: PictureRequest, kept: number) =>
	translatorFor(person.locale)('errors.stoppedPartly', { kept, asked: count });

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
