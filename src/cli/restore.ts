import { adaptRestoredStore, type RestoredState } from '../bot/restored-store.ts';
import { restoreBackup } from '../store/backup.ts';
import { SCHEMA_VERSION } from '../store/migrate.ts';
import { readArguments } from './arguments.ts';
import { configuration, contentOf, print, runCommand } from './backup-command.ts';

const {
	words: [path = ''],
} = readArguments({
	name: 'restore',
	does: `Restores the backup FILE into the empty store at STORE_URL and FILES_URL, of any kind.
Exit code: 0 when done, 1 when it failed, 64 when it is refused, such as for a store that is not empty.`,
	words: { name: 'FILE', count: 'one' },
	variables: ['STORE_URL', 'FILES_URL'],
});

await runCommand(async (signal) => {
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
