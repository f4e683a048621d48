import type { ServiceAddress } from './endpoint.ts';
import { headerOf, InvalidResponseError, ServiceError } from './errors.ts';
import type { Transport } from './exchange.ts';
import { IMAGE_LIMITS, readOutputImage } from './picture-answer.ts';
import type { AnswerMemory } from './picture-memory.ts';
import type { FetchedPictures, OutputImage } from './service.ts';

/** Longest wait for a picture at an address. */
const FETCH_MS = 60_000;

/** How many pictures of an answer are fetched at the same time. */
const FETCHES_AT_ONCE = 2;

/** How often a picture may be elsewhere than its address says. */
const MAX_REDIRECTS = 2;

/** Statuses that point to another address. https://www.rfc-editor.org/rfc/rfc9110#name-redirection-3xx */
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Fetches pictures that a service answers with addresses for. They must lie at the service's own origin or at a
 * configured one. Only the service's own origin gets the key. Each redirect is checked in the same way.
 */
export class PictureFetcher {
	readonly #transport: Transport;
	readonly #service: ServiceAddress;
	readonly #origins: readonly string[];

	/** @param origins further origins (scheme, host and port); `*.` at the beginning of a host stands for every name below it */
	constructor(transport: Transport, service: ServiceAddress, origins: readonly string[]) {
		this.#transport = transport;
		this.#service = service;
		this.#origins = origins;
	}

	/**
	 * Never rejects.
	 * @param addresses absolute, or relative to the service's base address
	 */
	async fetchAll(
		addresses: readonly string[],
		signal: AbortSignal,
		memory: AnswerMemory,
	): Promise<Omit<FetchedPictures, 'release'>> {
		const outcomes: PromiseSettledResult<OutputImage>[] = [];
		for (let at = 0; at < addresses.length; at += FETCHES_AT_ONCE) {
			const some = addresses.slice(at, at + FETCHES_AT_ONCE);
			outcomes.push(...(await Promise.allSettled(some.map((one) => this.#fetch(one, signal, memory)))));
		}
		return {
			images: outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])),
			unfetched: addresses.filter((_, index) => outcomes[index]?.status === 'rejected'),
			reason: outcomes.find((one) => one.status === 'rejected')?.reason,
		};
	}

	async #fetch(address: string, signal: AbortSignal, memory: AnswerMemory): Promise<OutputImage> {
		const deadline = performance.now() + FETCH_MS;
		try {
			let url: URL | null = this.#service.resolve(address);
			for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
				const found = await this.#at(this.#allowed(url), signal, deadline, memory);
				if (typeof found !== 'string') return found;
				url = URL.parse(found, url ?? undefined);
			}
			throw new InvalidResponseError('it was redirected too often');
		} catch (error) {
			if (!(error instanceof InvalidResponseError)) throw error;
			throw new ServiceError('invalid', `A picture of the image service can't be fetched: ${error.message}.`);
		}
	}

	/** Returns the picture, or the address that the answer points to. */
	async #at(url: URL, signal: AbortSignal, deadline: number, memory: AnswerMemory): Promise<OutputImage | string> {
		const answer = await this.#transport.send(this.#service.fetch(url), signal, deadline);
		try {
			const location = headerOf(answer, 'location');
			if (REDIRECTS.has(answer.status) && location !== undefined) return location;
			if (answer.status !== 200) throw new InvalidResponseError(`its address answers with status ${answer.status}`);
			return await memory.read(answer, IMAGE_LIMITS.pictureBytes, readOutputImage);
		} finally {
			answer.close();
		}
	}

	#allowed(url: URL | null): URL {
		if (!url || url.username || url.password) throw new InvalidResponseError('its address is not valid');
		const isAllowed = ([start = '', end]: string[]) =>
			end === undefined ? url.origin === start : url.origin.startsWith(start) && url.origin.endsWith(end);
		if (url.origin === this.#service.origin || this.#origins.some((one) => isAllowed(one.split('*')))) return url;
		throw new InvalidResponseError('its address has an origin that is not in SERVICE_PICTURE_ORIGINS');
	}
}
