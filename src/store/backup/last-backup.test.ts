import { expect, test } from 'vitest';
import { openStore } from '../open-store.ts';
import { lastBackupAt, recordBackup } from './last-backup.ts';

test('the time of the last backup is stored', async () => {
	const store = await openStore('memory:');
	expect(await lastBackupAt(store)).toBeUndefined();
	await recordBackup(store, 1000);
	await recordBackup(store, 2000);
	expect(await lastBackupAt(store)).toBe(2000);
	await store.close();
});
