import type { Endpoint } from './endpoint.ts';
import { headerOf, InvalidResponseError, ServiceError } from './errors.ts';
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
 * configured one. Only the service's own origin gets the key. Each redirect is checked in the same way. Never rejects.
 *
 * @param origins further origins (scheme, host and port); `*.` at the beginning of a host stands for every name below it
 * @param addresses absolute, or relative to the service's base address
 */
export async function fetchPictures(
	service: Endpoint,
	origins: readonly string[],
	addresses: readonly string[],
	signal: AbortSignal,
	memory: AnswerMemory,
): Promise<Omit<FetchedPictures, 'release'>> {
	const outcomes: PromiseSettledResult<OutputImage>[] = [];
	for (let at = 0; at < addresses.length; at += FETCHES_AT_ONCE) {
		const some = addresses.slice(at, at + FETCHES_AT_ONCE);
		const fetches = some.map((address) => fetchPicture(service, origins, address, signal, memory));
		outcomes.push(...(await Promise.allSettled(fetches)));
	}
	return {
		images: outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])),
		unfetched: addresses.filter((_, index) => outcomes[index]?.status === 'rejected'),
		reason: outcomes.find((one) => one.status === 'rejected')?.reason,
	};
}

async function fetchPicture(
	service: Endpoint,
	origins: readonly string[],
	address: string,
	signal: AbortSignal,
	memory: AnswerMemory,
): Promise<OutputImage> {
	const deadline = AbortSignal.timeout(FETCH_MS);
	/** Returns the picture, or the address that the answer points to. */
	const fetchAt = async (url: URL) => {
		const answer = await service.fetch(url, signal, deadline);
		try {
			const location = headerOf(answer, 'location');
			if (REDIRECTS.has(answer.status) && location !== undefined) return URL.parse(location, url);
			if (answer.status !== 200) throw new InvalidResponseError(`its address answers with status ${answer.status}`);
			return await memory.read(answer, IMAGE_LIMITS.pictureBytes, readOutputImage);
		} finally {
			answer.close();
		}
	};
	try {
		let url = service.resolve(address);
		for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
			const found = await fetchAt(allowed(url, [service.origin, ...origins]));
			if (found && 'bytes' in found) return found;
			url = found;
		}
		throw new InvalidResponseError('it was redirected too often');
	} catch (error) {
		if (!(error instanceof InvalidResponseError)) throw error;
		throw new ServiceError('invalid', `A picture of the image service can't be fetched: ${error.message}.`);
	}
}

function allowed(url: URL | null, origins: readonly string[]): URL {
	if (!url || url.username || url.password) throw new InvalidResponseError('its address is not valid');
	const isAllowed = ([start = '', end]: string[]) =>
		end === undefined ? url.origin === start : url.origin.startsWith(start) && url.origin.endsWith(end);
	if (origins.some((one) => isAllowed(one.split('*')))) return url;
	throw new InvalidResponseError('its address has an origin that is not in SERVICE_PICTURE_ORIGINS');
}
