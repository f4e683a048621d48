import { config as loadDotenv } from 'dotenv';
import { Conversations } from '../bot/chat/conversations.ts';
import { loadConfig } from '../config/config.ts';
import { EXIT_CONFIG, explain, onStop } from '../lifecycle.ts';
import { createBackup, restoreBackup } from '../store/backup.ts';
import { Backup, type BackupCounts, BackupError, BackupRefusedError, NewerBackupError } from '../store/backup-file.ts';
import { migrate } from '../store/migrate.ts';
import type { Store } from '../store/store.ts';
import { markRestoredCalls } from '../usage/jobs.ts';
import { findMismatches } from '../usage/windows.ts';
import { EXIT_USAGE, readArguments, refuseArguments } from './arguments.ts';

export async function backup(): Promise<void> {
	const {
		options: { force, check },
		words: [path = ''],
	} = readArguments({
		name: 'backup',
		does: `Writes everything that is kept, entries and pictures, to FILE, while Easel runs.
Exit code: 0 when done, 1 when it failed, 64 when it is refused, such as for a FILE that exists.`,
		words: { name: 'FILE', count: 'one' },
		options: {
			force: { help: 'replaces FILE if it exists' },
			check: { help: 'only checks every byte of the backup FILE, without a store' },
		},
		variables: ['STORE_URL', 'FILES_URL'],
	});
	if (check && force) refuseArguments('backup', '--check writes nothing, so --force has no meaning');
	await runCommand(async (signal) => {
		if (check) {
			const { counts, createdAt } = await Backup.open(path);
			print(`${path} is complete and undamaged: ${contentOf(counts)}, from ${new Date(createdAt).toISOString()}.`);
			return;
		}
		loadDotenv({ quiet: true });
		const { store: url, files } = loadConfig(process.env);
		const options = { url, files, path, mayReplace: force, onProgress: print, signal };
		const { leftOut, ...counts } = await createBackup(options);
		print(`Backed up ${contentOf(counts)} to ${path}.`);
		if (leftOut > 0) print(`${leftOut} pictures expired or were deleted meanwhile, and are not in it.`);
	});
}

export async function restore(): Promise<void> {
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
		loadDotenv({ quiet: true });
		const { store: url, files, retentionMs } = loadConfig(process.env);
		let state: RestoredState | undefined;
		const { createdAt, ...counts } = await restoreBackup({
			...{ url, files, path, onProgress: print, signal },
			async adapt(store) {
				state = await adaptRestoredStore(store, { retentionMs, now: Date.now });
			},
		});
		print(`Restored ${contentOf(counts)}, as they were at ${new Date(createdAt).toISOString()}.`);
		if (state) report(state);
	});
}

function report({ markedCalls, droppedTurns, mismatches }: RestoredState): void {
	if (markedCalls > 0)
		print(`${markedCalls} calls may have been made after the backup. They stay counted, and are not made again.`);
	if (droppedTurns > 0) print(`In ${droppedTurns} threads, messages that waited for an answer are not answered again.`);
	for (const { key, counted, computed } of mismatches)
		print(`Warning: the counter ${key} is ${counted}, but its receipts add up to ${computed}, as in the backup.`);
}

const print = (line: string) => void process.stdout.write(`${line}\n`);

const contentOf = ({ entries, members, files }: BackupCounts) =>
	`${entries} entries, ${members} members of indexes and ${files} pictures`;

/**
 * Runs a command. Exits with 0 when it has succeeded, 1 when it has failed, 64 when it is refused, and 78 when the configuration, or
 * the version of this program, has to be another one. The first SIGTERM or SIGINT ends it in order, the second at once.
 */
async function runCommand(work: (signal: AbortSignal) => Promise<void>): Promise<never> {
	const interruption = new AbortController();
	onStop((signal) => interruption.abort(new BackupError(`Interrupted by ${signal}.`)));
	try {
		await work(interruption.signal);
		process.exit(0);
	} catch (error) {
		const { sentence, code } = exitOf(error);
		process.stderr.write(`${sentence}\n`);
		process.exit(code);
	}
}

function exitOf(error: unknown): { sentence: string; code: number } {
	if (error instanceof NewerBackupError) return { sentence: error.message, code: EXIT_CONFIG };
	if (error instanceof BackupRefusedError) return { sentence: error.message, code: EXIT_USAGE };
	if (error instanceof BackupError) return { sentence: error.message, code: 1 };
	return (
		explain(error) ?? { sentence: error instanceof Error ? (error.stack ?? error.message) : String(error), code: 1 }
	);
}

type RestoredState = Awaited<ReturnType<typeof adaptRestoredStore>>;

/**
 * Adapts a restored store to the time that has passed since its backup: no call is made that may have been made since then, and
 * data that was erased since then is erased again. Calling it again after a crash gives the same result.
 *
 * @returns the number of calls that had not been sent at the backup, and are now treated as sent; that of the threads in which people waited
 * for an answer; and the counters that differ from their receipts, as they did in the backup
 */
export async function adaptRestoredStore(store: Store, options: { retentionMs: number; now(): number }) {
	await migrate(store, options);
	const markedCalls = await markRestoredCalls(store.space('ledger'));
	const droppedTurns = await dropWaitingTurns(new Conversations(store.space('chats'), options.retentionMs));
	const mismatches = await findMismatches(store.space('ledger'), options);
	return { markedCalls, droppedTurns, mismatches };
}

/** Messages that waited were probably answered after the backup. */
async function dropWaitingTurns(conversations: Conversations): Promise<number> {
	let dropped = 0;
	for await (const { place } of conversations.waiting()) {
		await conversations.waitNoLonger(place);
		dropped += 1;
	}
	return dropped;
}
