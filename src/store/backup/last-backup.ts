import type { Store } from '../store.ts';

const KEY = 'last';

const spaceOf = (store: Pick<Store, 'space'>) => store.space('backups');

/**
 * Records that a backup was finished: its file is complete and checked. The metric `easel_backup_last_success_timestamp_seconds` of
 * every process on the store shows it.
 *
 * @param at Unix milliseconds
 */
export async function recordBackup(store: Pick<Store, 'space'>, at: number): Promise<void> {
	await spaceOf(store).keyv.set(KEY, { at });
}

/** Returns when the last backup was finished, in Unix milliseconds; undefined when there is none yet. */
export async function lastBackupAt(store: Pick<Store, 'space'>): Promise<number | undefined> {
	return (await spaceOf(store).keyv.get<{ at: number }>(KEY))?.at;
}
