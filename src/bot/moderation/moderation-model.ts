import { ALWAYS_REFUSED, quoted } from '../../domain/text.ts';
import type { Easel } from '../../easel.ts';
import { SentenceError } from '../../i18n/sentence-error.ts';
import { ServiceError } from '../../service/errors.ts';
import type { InputImage } from '../../service/service.ts';
import type { Settings } from '../../usage/settings.ts';

/** Longest wait for an answer, in milliseconds. */
const TIMEOUT_MS = 5000;

/** Statuses by which a service refuses pictures, but may take the text alone. */
const TEXT_ONLY: ReadonlySet<number> = new Set([400, 413, 415, 422]);

/** A text, or the pictures of a request. */
type Content = { text: string } | { images: readonly InputImage[] };

/** The service's moderation model, where the operator has set one. */
export class ModerationModel {
	readonly #easel: Easel;
	#takesPictures = true;

	constructor(easel: Easel) {
		this.#easel = easel;
	}

	/** Returns why a request is refused, or undefined. Without an answer in time, it is as the server has set. */
	async check(settings: Settings, content: Content): Promise<SentenceError | undefined> {
		const { service, stopping, log } = this.#easel;
		const isNothing = 'text' in content ? content.text.trim() === '' : content.images.length === 0;
		if (!service.moderate || isNothing || ('images' in content && !this.#takesPictures)) return undefined;
		const signal = AbortSignal.any([stopping, AbortSignal.timeout(TIMEOUT_MS)]);
		try {
			const flagged = refusedCategories(await service.moderate(content, signal), settings.moderationCategories);
			if (flagged.length === 0) return undefined;
			return new SentenceError('policy.flagged', { categories: quoted(flagged.join(', ')) });
		} catch (error) {
			stopping.throwIfAborted();
			if ('images' in content && error instanceof ServiceError && TEXT_ONLY.has(error.status ?? 0)) {
				// The words of the request have been checked before.
				this.#takesPictures = false;
				log.warn({ err: error }, 'The moderation model takes no pictures; requests are checked by their words');
				return undefined;
			}
			log.warn({ err: error }, 'The moderation model did not answer');
			return settings.unmoderated === 'refuse' ? new SentenceError('policy.unmoderated') : undefined;
		}
	}
}

/**
 * Returns the flagged categories that a server refuses.
 * @param chosen empty for all
 */
function refusedCategories(flagged: readonly string[], chosen: readonly string[]): string[] {
	const isRefused = (category: string) =>
		chosen.length === 0 || category === ALWAYS_REFUSED || chosen.some((one) => category.split('/')[0] === one);
	return flagged.filter(isRefused);
}
