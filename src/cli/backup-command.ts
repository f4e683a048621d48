import { config as loadDotenv } from 'dotenv';
import { type Config, ConfigError, loadConfig } from '../config/config.ts';
import { EXIT_CONFIG, onStop } from '../lifecycle.ts';
import { type BackupCounts, BackupError, BackupRefusedError, NewerBackupError } from '../store/backup-file.ts';
import { FilesError, StoreError, StoreVersionError } from '../store/store.ts';
import { EXIT_USAGE } from './arguments.ts';

const EXIT = { failed: 1, usage: EXIT_USAGE, config: EXIT_CONFIG };

export const print = (line: string) => void process.stdout.write(`${line}\n`);

export const contentOf = ({ entries, members, files }: BackupCounts) =>
	`${entries} entries, ${members} members of indexes and ${files} pictures`;

/** @throws ConfigError */
export function configuration(): Config {
	loadDotenv({ quiet: true });
	return loadConfig(process.env);
}

/**
 * Runs a command. Exits with 0 when it has succeeded, 1 when it has failed, 64 when it is refused, and 78 when the configuration, or
 * the version of this program, has to be another one. The first SIGTERM or SIGINT ends it in order, the second at once.
 */
export async function runCommand(work: (signal: AbortSignal) => Promise<void>): Promise<never> {
	const interruption = new AbortController();
	onStop((signal) => interruption.abort(new BackupError(`Interrupted by ${signal}.`)));
	try {
		await work(interruption.signal);
		process.exit(0);
	} catch (error) {
		const { sentence, code } = explain(error);
		process.stderr.write(`${sentence}\n`);
		process.exit(code);
	}
}

function explain(error: unknown): { sentence: string; code: number } {
	if (error instanceof ConfigError) return { sentence: error.faults.join('\n'), code: EXIT.config };
	if (error instanceof NewerBackupError) return { sentence: error.message, code: EXIT.config };
	if (error instanceof BackupRefusedError) return { sentence: error.message, code: EXIT.usage };
	if (error instanceof BackupError) return { sentence: error.message, code: EXIT.failed };
	if (error instanceof StoreVersionError) return { sentence: `STORE_URL: ${error.message}`, code: EXIT.config };
	if (error instanceof FilesError) return { sentence: `FILES_URL: ${error.message}`, code: EXIT.failed };
	if (error instanceof StoreError) return { sentence: `STORE_URL: ${error.message}`, code: EXIT.failed };
	return { sentence: error instanceof Error ? (error.stack ?? error.message) : String(error), code: EXIT.failed };
}
