import { adaptRestoredStore, type RestoredState } from '../bot/restored-store.ts';
import { restoreBackup } from '../store/backup/restore-backup.ts';
import { SCHEMA_VERSION } from '../store/migrations/migrate.ts';
import { configuration, contentOf, print, readArguments, runCommand } from './backup-command.ts';

const USAGE = `npm run restore -- FILE    restores a backup into the empty store at STORE_URL and FILES_URL`;

/** `npm run restore`: restores a backup into an empty store. */
await runCommand(USAGE, async (signal) => {
	const { file: path } = readArguments([]);
	const { store: url, files, retentionMs } = configuration();
	let state: RestoredState | undefined;
	const { createdAt, ...counts } = await restoreBackup({
		url,
		files,
		path,
		schema: SCHEMA_VERSION,
		onProgress: print,
		signal,
		async adapt(store) {
			state = await adaptRestoredStore(store, { retentionMs, now: Date.now });
		},
	});
	print(`Restored ${contentOf(counts)}, as they were at ${new Date(createdAt).toISOString()}.`);
	if (state) report(state);
});

function report({ markedCalls, droppedTurns, mismatches }: RestoredState): void {
	if (markedCalls > 0)
		print(`${markedCalls} calls may have been made after the backup. They stay counted, and are not made again.`);
	if (droppedTurns > 0) print(`In ${droppedTurns} threads, messages that waited for an answer are not answered again.`);
	for (const { key, counted, computed } of mismatches)
		print(`Warning: the counter ${key} is ${counted}, but its receipts add up to ${computed}, as in the backup.`);
}
