import { type Store, StoreError } from '../store.ts';

const KEY = 'unfinished';

const spaceOf = (store: Pick<Store, 'space'>) => store.space('restore');

/** Thrown when a store contains only a part of a backup. */
export class UnfinishedRestoreError extends StoreError {}

/** Tells whether a restore into this store was begun and has not ended. */
export const isRestoring = async (store: Pick<Store, 'space'>): Promise<boolean> => spaceOf(store).keyv.has(KEY);

/**
 * Checks that a store is whole, before anything is done with it.
 *
 * @throws UnfinishedRestoreError when a restore into it has not ended
 */
export async function refuseUnfinishedRestore(store: Pick<Store, 'space'>): Promise<void> {
	if (await isRestoring(store))
		throw new UnfinishedRestoreError(
			'A restore into the store has not finished. Run `npm run restore -- FILE` again; it begins from the start.',
		);
}

export async function markRestoring(store: Pick<Store, 'space'>): Promise<void> {
	await spaceOf(store).keyv.set(KEY, true);
}

export async function endRestoring(store: Pick<Store, 'space'>): Promise<void> {
	await spaceOf(store).keyv.delete(KEY);
}
