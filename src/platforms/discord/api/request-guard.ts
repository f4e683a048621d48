import { PlatformRefusedError } from '../../../i18n/sentence-error.ts';
import type { Log } from '../../../log.ts';
import type { HttpResponse } from './http-response.ts';
import { type InvalidRequestOptions, InvalidRequests } from './invalid-requests.ts';
import { KnownRefusals, type OutgoingRequest } from './known-refusals.ts';

const REQUESTS_PER_WARNING = 100;

type Options = {
	/** Returns undefined for a channel that is not cached. */
	serverOf?: (channel: string) => string | undefined;
	/** The limit that Discord documents, by default. */
	invalidRequests?: InvalidRequestOptions | undefined;
	/** Called for every invalid request, with its status: 401, 403 or 429. */
	onInvalidRequest?: ((status: number) => void) | undefined;
	log: Log;
};

/**
 * Keeps the requests of the bot below Discord's limit of invalid ones. Those that Discord would refuse again are not sent, and when
 * only a reserve is left, only responses to interactions are.
 */
export class RequestGuard {
	readonly refusals: KnownRefusals;
	readonly #invalid: InvalidRequests;
	readonly #onInvalidRequest: (status: number) => void;
	readonly #log: Log;

	constructor({ serverOf = () => undefined, invalidRequests, onInvalidRequest = () => {}, log }: Options) {
		this.refusals = new KnownRefusals(serverOf);
		this.#invalid = new InvalidRequests(invalidRequests);
		this.#onInvalidRequest = onInvalidRequest;
		this.#log = log;
	}

	/**
	 * Sends a request with the bot's token.
	 * @throws PlatformRefusedError when only the reserve is left
	 */
	async sendAsBot(request: OutgoingRequest, send: () => Promise<HttpResponse>): Promise<HttpResponse> {
		const refusal = this.refusals.find(request);
		if (refusal) return refusal;
		if (this.#invalid.isExhausted) throw new PlatformRefusedError('discord.errors.paused');
		const response = await this.sendAsInteraction(send);
		await this.refusals.learn(request, response);
		return response;
	}

	/** Sends a request with the token of an interaction. */
	async sendAsInteraction(send: () => Promise<HttpResponse>): Promise<HttpResponse> {
		const wasExhausted = this.#invalid.isExhausted;
		const response = await send();
		if (this.#invalid.add(response)) this.#report(response.status, wasExhausted);
		return response;
	}

	#report(status: number, wasExhausted: boolean): void {
		this.#onInvalidRequest(status);
		const { count, isExhausted } = this.#invalid;
		if (count % REQUESTS_PER_WARNING === 0)
			this.#log.warn({ count }, 'Discord has refused many requests; it bans an address after 10,000 in ten minutes');
		if (isExhausted && !wasExhausted)
			this.#log.error(
				{ count },
				'Easel pauses requests to Discord, which would ban the address for so many refused ones',
			);
	}
}
