import { SentenceError, type Translate } from '../../i18n/translator.ts';

/** Tells whether an error is one of the store, which platforms know by its name only. */
export const isStoreFailure = (error: unknown): boolean => error instanceof Error && error.name === 'StoreError';

/** Returns the sentence about a request that was refused or failed before the core received it. */
export const failureMessageOf = (error: unknown, t: Translate): string =>
	error instanceof SentenceError ? error.messageIn(t) : t(isStoreFailure(error) ? 'errors.store' : 'errors.unexpected');
