import type { MessageId } from '../../i18n/translator.ts';

/** Tells whether an error is one of the store, which platforms know by its name only. */
export const isStoreFailure = (error: unknown): boolean => error instanceof Error && error.name === 'StoreError';

/** Returns the sentence about a request that failed before the core received it. */
export const failureMessageOf = (error: unknown): MessageId =>
	isStoreFailure(error) ? 'errors.store' : 'errors.unexpected';
