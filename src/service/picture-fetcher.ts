import { headerOf, InvalidResponseError, lengthOf, ServiceError } from './errors.ts';
import { collect, type Flow, type Receive, type ServiceAddress, type Transport } from './exchange.ts';
import { decodePictures, IMAGE_LIMITS, type PictureAnswer, readOutputImage } from './picture-answer.ts';
import type { FetchedPictures, OutputImage } from './service.ts';

/** What is taken for an answer that does not say how long it is: one picture. */
const UNKNOWN_BYTES = 4 * 1024 * 1024;

type Options = {
	/** Bytes of pictures that are in memory at once. Default: 24 MB. */
	limitBytes?: number;
	/** How long an answer waits for others at most, in milliseconds. Default: 2 seconds. */
	waitMs?: number;
};

/** The memory for the pictures of one answer. */
export type MemoryClaim = {
	/** Holds the answer back until there is memory for its pictures. */
	take(bytes: number, flow: Flow): void;
	/** Gives the memory back. It can be called at any time, and more than once. */
	release(): void;
};

/**
 * Limits how much of the pictures of all answers is in memory at once: an answer that comes while others are decoded or posted is read
 * when they are done, and one that is larger than the limit alone. It waits for a short time only: a picture that is paid for must not
 * be lost to a time-out of the service.
 */
export class PictureMemory {
	readonly #limitBytes: number;
	readonly #waitMs: number;
	readonly #held = new Map<MemoryClaim, number>();
	/** What starts the answers that wait, in their order. */
	readonly #waiting = new Map<MemoryClaim, { bytes: number; start: () => void }>();

	constructor({ limitBytes = 24 * 1024 * 1024, waitMs = 2000 }: Options = {}) {
		this.#limitBytes = limitBytes;
		this.#waitMs = waitMs;
	}

	claim(): MemoryClaim {
		const claim: MemoryClaim = {
			take: (bytes, flow) => {
				if (this.#waiting.size === 0 && this.#hasRoom(bytes)) this.#held.set(claim, bytes);
				else this.#wait(claim, bytes, flow);
			},
			release: () => {
				this.#held.delete(claim);
				this.#waiting.delete(claim);
				for (const { bytes, start } of this.#waiting.values()) {
					if (!this.#hasRoom(bytes)) break;
					start();
				}
			},
		};
		return claim;
	}

	#hasRoom(bytes: number): boolean {
		const used = this.#held.values().reduce((sum, each) => sum + each, 0);
		return used === 0 || used + bytes <= this.#limitBytes;
	}

	#wait(claim: MemoryClaim, bytes: number, flow: Flow): void {
		flow.pause();
		const start = () => {
			clearTimeout(timer);
			if (!this.#waiting.delete(claim)) return;
			this.#held.set(claim, bytes);
			flow.resume();
		};
		const timer = setTimeout(start, this.#waitMs).unref();
		this.#waiting.set(claim, { bytes, start });
	}
}

/** Longest wait for a picture at an address. */
const FETCH_MS = 60_000;

/** How many pictures of an answer are fetched at the same time. */
const FETCHES_AT_ONCE = 2;

/** How often a picture may be elsewhere than its address says. */
const MAX_REDIRECTS = 2;

/** Statuses that point to another address. https://www.rfc-editor.org/rfc/rfc9110#name-redirection-3xx */
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** A complete picture, or the address at which it is. */
type Step = { bytes: Uint8Array } | { location: string };

/**
 * Fetches pictures that a service answers with addresses for. They must lie at the service's own origin or at a
 * configured one. Only the service's own origin gets the key. Each redirect is checked in the same way.
 */
export class PictureFetcher {
	readonly #transport: Transport;
	readonly #service: ServiceAddress;
	readonly #memory: PictureMemory;
	readonly #origins: ReadonlySet<string>;

	/** @param origins further origins (scheme, host and port) */
	constructor(transport: Transport, service: ServiceAddress, memory: PictureMemory, origins: readonly string[]) {
		this.#transport = transport;
		this.#service = service;
		this.#memory = memory;
		this.#origins = new Set(origins);
	}

	/**
	 * Never rejects.
	 * @param addresses absolute, or relative to the service's base address
	 */
	async fetchAll(addresses: readonly string[], signal: AbortSignal): Promise<FetchedPictures> {
		const claims = addresses.map(() => this.#memory.claim());
		const outcomes: PromiseSettledResult<OutputImage>[] = [];
		for (let at = 0; at < addresses.length; at += FETCHES_AT_ONCE) {
			const some = addresses.slice(at, at + FETCHES_AT_ONCE);
			outcomes.push(
				...(await Promise.allSettled(some.map((one, index) => this.#fetch(one, signal, claims[at + index]!)))),
			);
		}
		return {
			images: outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])),
			unfetched: addresses.filter((_, index) => outcomes[index]?.status === 'rejected'),
			reason: outcomes.find((one) => one.status === 'rejected')?.reason,
			release() {
				for (const claim of claims) claim.release();
			},
		};
	}

	async #fetch(address: string, signal: AbortSignal, memory: MemoryClaim): Promise<OutputImage> {
		try {
			return readOutputImage(await this.#bytesAt(address, signal, performance.now() + FETCH_MS, memory), IMAGE_LIMITS);
		} catch (error) {
			memory.release();
			if (!(error instanceof InvalidResponseError)) throw error;
			throw new ServiceError('invalid', `A picture of the image service can't be fetched: ${error.message}.`);
		}
	}

	async #bytesAt(address: string, signal: AbortSignal, deadline: number, memory: MemoryClaim): Promise<Uint8Array> {
		let url: URL | null = this.#service.resolve(address);
		for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
			const call = this.#service.fetch(this.#allowed(url));
			const step = await this.#transport.send(call, signal, deadline, receiveInto(memory));
			if ('bytes' in step) return step.bytes;
			url = URL.parse(step.location, url ?? undefined);
		}
		throw new InvalidResponseError('it was redirected too often');
	}

	#allowed(url: URL | null): URL {
		if (!url || url.username || url.password) throw new InvalidResponseError('its address is not valid');
		if (url.origin === this.#service.origin || this.#origins.has(url.origin)) return url;
		throw new InvalidResponseError('its address has an origin that is not in SERVICE_PICTURE_ORIGINS');
	}
}

/** Reads a picture up to the limit of its bytes once there is memory for it, or the address that the answer points to. */
const receiveInto =
	(memory: MemoryClaim): Receive<Step> =>
	(head, flow) => {
		const location = headerOf(head, 'location');
		if (REDIRECTS.has(head.status) && location !== undefined) return { write: () => true, end: () => ({ location }) };
		if (head.status !== 200) throw new InvalidResponseError(`its address answers with status ${head.status}`);
		memory.take(lengthOf(head) ?? UNKNOWN_BYTES, flow);
		return collect((bytes) => ({ bytes }), IMAGE_LIMITS.pictureBytes, lengthOf(head));
	};

/** Longest body: base64 of all pictures, and everything else. */
const MAX_BODY_BYTES = Math.ceil((IMAGE_LIMITS.totalBytes * 4) / 3) + IMAGE_LIMITS.otherBytes;

/**
 * Reads pictures, once there is memory for them.
 * @param allowsAddresses whether the service may answer with addresses
 * @param pictures how many were asked for
 */
export const pictureSink =
	(allowsAddresses: boolean, memory: MemoryClaim, pictures?: number): Receive<PictureAnswer> =>
	(head, flow) => {
		if ((headerOf(head, 'content-encoding') ?? 'identity') !== 'identity')
			throw new InvalidResponseError('it is compressed');
		const read = (body: Buffer<ArrayBuffer>) => decodePictures(body, allowsAddresses, pictures);
		const sink = collect(read, MAX_BODY_BYTES, lengthOf(head));
		memory.take(lengthOf(head) ?? UNKNOWN_BYTES, flow);
		return sink;
	};
