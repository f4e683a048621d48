import { parseArgs } from 'node:util';
import { config as loadDotenv } from 'dotenv';
import { type Config, ConfigError, loadConfig } from '../config/config.ts';
import { BackupError, BackupRefusedError, NewerBackupError } from '../store/backup/backup-errors.ts';
import type { BackupCounts } from '../store/backup/backup-format.ts';
import { FilesError, NewerStoreError, StoreError } from '../store/store.ts';

/** https://man.freebsd.org/cgi/man.cgi?query=sysexits */
const EXIT = { failed: 1, usage: 2, config: 78 };

/** Thrown when the arguments of a command are wrong. */
class UsageError extends Error {}

export const print = (line: string) => void process.stdout.write(`${line}\n`);

export const contentOf = ({ entries, members, files }: BackupCounts) =>
	`${entries} entries, ${members} members of indexes and ${files} pictures`;

/** @throws ConfigError */
export function configuration(): Config {
	loadDotenv({ quiet: true });
	return loadConfig(process.env);
}

/** Reads one file and the given switches. */
export function readArguments<Name extends string>(
	switches: readonly Name[],
): { file: string } & Record<Name, boolean> {
	const options = Object.fromEntries(switches.map((name) => [name, { type: 'boolean' as const }]));
	try {
		const { values, positionals } = parseArgs({ options, allowPositionals: true });
		const [file] = positionals;
		if (file === undefined || positionals.length > 1) throw new UsageError();
		const given = Object.fromEntries(switches.map((name) => [name, values[name] === true]));
		return { file, ...(given as Record<Name, boolean>) };
	} catch (error) {
		throw new UsageError('', { cause: error });
	}
}

/**
 * Runs a command. Exits with 0 when it has succeeded, 1 when it has failed, 2 when it is used wrongly, and 78 when the configuration, or
 * the version of this program, has to be another one. The first SIGTERM or SIGINT ends it in order, the second at once.
 */
export async function runCommand(usage: string, work: (signal: AbortSignal) => Promise<void>): Promise<never> {
	const interruption = new AbortController();
	for (const signal of ['SIGINT', 'SIGTERM'] as const)
		process.on(signal, () => {
			if (interruption.signal.aborted) process.exit(EXIT.failed);
			interruption.abort(new BackupError(`Interrupted by ${signal}.`));
		});
	try {
		await work(interruption.signal);
		process.exit(0);
	} catch (error) {
		const { sentence, code } = explain(error, usage);
		process.stderr.write(`${sentence}\n`);
		process.exit(code);
	}
}

function explain(error: unknown, usage: string): { sentence: string; code: number } {
	if (error instanceof UsageError) return { sentence: usage, code: EXIT.usage };
	if (error instanceof ConfigError) return { sentence: error.faults.join('\n'), code: EXIT.config };
	if (error instanceof NewerBackupError) return { sentence: error.message, code: EXIT.config };
	if (error instanceof BackupRefusedError) return { sentence: error.message, code: EXIT.usage };
	if (error instanceof BackupError) return { sentence: error.message, code: EXIT.failed };
	if (error instanceof NewerStoreError) return { sentence: `STORE_URL: ${error.message}`, code: EXIT.config };
	if (error instanceof FilesError) return { sentence: `FILES_URL: ${error.message}`, code: EXIT.failed };
	if (error instanceof StoreError) return { sentence: `STORE_URL: ${error.message}`, code: EXIT.failed };
	return { sentence: error instanceof Error ? (error.stack ?? error.message) : String(error), code: EXIT.failed };
}
