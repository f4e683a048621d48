import type { Button, Channel } from '../domain/channel.ts';
import type { Platforms, Request, RequestOutcome } from '../domain/platform.ts';
import type { Easel } from '../easel.ts';
import { translatorFor } from '../i18n/translator.ts';
import { findFallback } from '../jobs/delivery-targets.ts';
import { directChannel, directMessagePreface, errorMessageOf } from './messages/error-messages.ts';

/** Counts requests that have ended. */
export type Observer = (request: {
	platform: string;
	command: string;
	outcome: RequestOutcome;
	seconds: number;
}) => void;

/** The one error boundary: nothing that is thrown below gets past it, and every request ends in a visible answer. */
export class ErrorBoundary {
	readonly #easel: Easel;
	readonly #observe: Observer;
	#isOpen = true;

	constructor(easel: Easel, observe: Observer) {
		this.#easel = easel;
		this.#observe = observe;
	}

	/**
	 * Runs one request. Never rejects.
	 * @param kind the label in the metrics: the command, `button`, `message` or `unknown`
	 * @param work resolves once the request is answered
	 */
	async request(kind: string, request: Request, work: () => Promise<RequestOutcome>): Promise<void> {
		const { running, log } = this.#easel;
		const started = performance.now();
		// Only posting the sentence about the error can fail here. No message reaches the person then.
		const outcome = await running.hold(this.#answer(request, work)).catch((error: unknown): RequestOutcome => {
			log.warn({ err: error }, 'An answer could not be posted');
			return 'unanswered';
		});
		const seconds = (performance.now() - started) / 1000;
		this.#observe({ platform: request.channel.place.platform, command: kind, outcome, seconds });
	}

	/** Refuses all further requests. */
	close(): void {
		this.#isOpen = false;
	}

	async #answer(request: Request, work: () => Promise<RequestOutcome>): Promise<RequestOutcome> {
		const t = translatorFor(request.person.locale);
		try {
			if (this.#isOpen) return await work();
			return await this.#refuse(request, t('errors.restarting'));
		} catch (error) {
			const { text } = errorMessageOf(t, error, 'free', this.#easel.log);
			return this.#refuse(request, text).catch((reason: unknown) => this.#refuseDirectly(request, text, reason));
		}
	}

	/** A request that was delivered before may have its answer in a message that a fallback has posted. */
	async #refuse({ id, channel }: Request, text: string): Promise<RequestOutcome> {
		const find: Platforms['find'] = (handle) => this.#easel.platforms.find(handle).catch(() => undefined);
		const answer = { place: channel.place, key: id };
		if (await findFallback(find, answer)) return 'duplicate';
		const outcome = await postRefusal(channel, id, text);
		if (!(await findFallback(find, answer))) return outcome;
		// The answer has moved to a new message since, and its status was deleted: the sentence would contradict it.
		await (await find(answer))?.delete().catch(() => {});
		return 'duplicate';
	}

	/** @throws `reason` when the person cannot be sent direct messages */
	async #refuseDirectly({ id, channel, person }: Request, why: string, reason: unknown): Promise<RequestOutcome> {
		const direct = await directChannel(this.#easel.platforms, channel.place, person);
		if (!direct) throw reason;
		const text = directMessagePreface(translatorFor(person.locale), channel.place, direct, why);
		// Its own key: when the request was delivered before, the answer has the usual one.
		return postRefusal(direct, `${id}.refused`, text);
	}
}

/** Posts why nothing comes of a request. When it was delivered before, its answer stays. */
export async function postRefusal(
	channel: Channel,
	id: string,
	text: string,
	buttons?: readonly Button[],
): Promise<RequestOutcome> {
	await channel.post({ text, visibility: 'private', buttons }, id, { ifAbsent: true, withoutStore: true });
	return 'refused';
}
