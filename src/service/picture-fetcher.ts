import type { Endpoint } from './endpoint.ts';
import { headerOf, InvalidResponseError, ServiceError } from './errors.ts';
import { IMAGE_LIMITS, readOutputImage } from './picture-answer.ts';
import type { AnswerMemory } from './picture-memory.ts';
import type { FetchedPictures, OutputImage } from './service.ts';

/** Longest wait for a picture at an address. */
const FETCH_MS = 60_000;

/** How many pictures of an answer are fetched at the same time, and how often one may be elsewhere than its address says. */
const FETCHES_AT_ONCE = 2;
const MAX_REDIRECTS = 2;

/** Statuses that point to another address. https://www.rfc-editor.org/rfc/rfc9110#name-redirection-3xx */
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Fetches pictures that a service answers with addresses for, where it may; redirects, too. Never rejects.
 * @param addresses absolute, or relative to the service's base address
 */
export async function fetchPictures(
	service: Endpoint,
	addresses: readonly string[],
	signal: AbortSignal,
	memory: AnswerMemory,
): Promise<Omit<FetchedPictures, 'release'>> {
	const fetchPicture = async (address: string) => {
		const limited = AbortSignal.any([signal, AbortSignal.timeout(FETCH_MS)]);
		let url = service.resolve(address);
		for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
			const answer = await service.fetch(url, limited);
			try {
				const location = headerOf(answer, 'location');
				if (REDIRECTS.has(answer.status) && location !== undefined) {
					url = URL.parse(location, url?.href);
					continue;
				}
				if (answer.status !== 200) throw new InvalidResponseError(`its address answers with status ${answer.status}`);
				return await memory.read(answer, IMAGE_LIMITS.pictureBytes, readOutputImage);
			} finally {
				answer.close();
			}
		}
		throw new InvalidResponseError('it was redirected too often');
	};
	const outcomes: PromiseSettledResult<OutputImage>[] = [];
	for (let at = 0; at < addresses.length; at += FETCHES_AT_ONCE)
		outcomes.push(...(await Promise.allSettled(addresses.slice(at, at + FETCHES_AT_ONCE).map(fetchPicture))));
	const [reason] = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
	return {
		images: outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])),
		unfetched: addresses.filter((_, index) => outcomes[index]?.status === 'rejected'),
		reason:
			reason instanceof InvalidResponseError
				? new ServiceError('invalid', `A picture of the image service can't be fetched: ${reason.message}.`)
				: reason,
	};
}
