import { config as loadDotenv } from 'dotenv';
import { type Config, loadConfig } from '../config/config.ts';
import { EXIT_CONFIG, explain, onStop } from '../lifecycle.ts';
import { type BackupCounts, BackupError, BackupRefusedError, NewerBackupError } from '../store/backup-file.ts';
import { EXIT_USAGE } from './arguments.ts';

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
