import { setFlagsFromString } from 'node:v8';
import { config as loadDotenv } from 'dotenv';
import { type Config, ConfigError, loadConfig } from './config/config.ts';
import { similarName } from './config/variables.ts';
import { createLog, type Log } from './log.ts';
import { UnfinishedRestoreError } from './store/backup.ts';
import { FilesError, StoreError, StoreVersionError } from './store/store.ts';
import { watchEventLoop } from './watchdog.ts';

/** EX_CONFIG. https://man.freebsd.org/cgi/man.cgi?query=sysexits */
export const EXIT_CONFIG = 78;

/** The process exits after this time, even if something does not stop. */
const STOP_WITHIN_MS = 9500;

/** npm passes on the Ctrl+C that a terminal sends to its script as well, which so receives it twice at once where the shell is bash. */
const ECHO_MS = 500;

/** How soon this process stops after npm was ended. */
const PARENT_CHECK_MS = 500;

type LoadOptions = Parameters<typeof loadConfig>[1];

/** Starts a program. Resolves to a function that stops it. */
export type Start = (config: Config, log: Log, stopping: AbortSignal) => Promise<() => Promise<void>>;

/**
 * Runs a program with the configuration of the environment or `.env`. The first SIGTERM or SIGINT stops it in order, the second at once.
 * Exits with 78 for a faulty configuration, which includes a token that a platform refuses, and with 1 when the start or the stop fails.
 */
export async function run(start: Start, options: LoadOptions = {}): Promise<void> {
	loadDotenv({ quiet: true });
	const config = readConfig(options);
	const log = await createLog(config.log);
	for (const name of Object.keys(process.env)) {
		const similar = similarName(name);
		if (similar) log.warn(`${name} is set, but Easel has no such variable. Rename it to ${similar}.`);
	}
	// A signal during the start counts as well: the stop then waits for the start, also for one that fails.
	const stopping = new AbortController();
	const started = start(config, log, stopping.signal).catch((error: unknown): never => {
		if (stopping.signal.aborted) process.exit(0);
		const { sentence, code } = explain(error) ?? { sentence: addressFault(error, config), code: 1 };
		if (sentence && code === EXIT_CONFIG) endWith(sentence);
		// Where the sentence says it all, a stack trace would only hide it.
		if (sentence) log.fatal(sentence);
		else log.fatal({ err: error }, 'Easel could not start');
		process.exit(1);
	});

	onStop(async (signal) => {
		// The terminal has written ^C into the line.
		if (process.stdout.isTTY) process.stdout.write('\n');
		log.info({ signal }, 'Stopping');
		stopping.abort();
		setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
		const stop = await started;
		await stop().catch((error: unknown): never => {
			log.error({ err: error }, 'The stop failed');
			process.exit(1);
		});
		process.exit(0);
	});
	process.on('unhandledRejection', (error) => log.error({ err: error }, 'A rejection was not handled'));
	await started;
	watchEventLoop();
	limitHeapGrowth();
}

/**
 * Makes V8 collect garbage before the heap has grown by more than half of what is in use. By itself it waits for several times as
 * much: after 4,000 commands a process took up 390 MB and kept growing, now it stays at 260 MB, with no more CPU than before. Call it
 * after the start, which leaves little garbage behind and would take a tenth longer. V8 reads the flag after each collection.
 * https://chromium.googlesource.com/v8/v8/+/refs/heads/main/src/flags/flag-definitions.h
 */
export const limitHeapGrowth = (): void => setFlagsFromString('--heap-growing-percent=50');

/** Calls a function at the first SIGTERM or SIGINT. The second ends the process at once. */
export function onStop(stop: (signal: NodeJS.Signals) => void): void {
	let firstAt: number | undefined;
	const onSignal = (signal: NodeJS.Signals) => {
		if (firstAt !== undefined) {
			const isEcho = signal === 'SIGINT' && 'npm_lifecycle_event' in process.env && Date.now() - firstAt < ECHO_MS;
			if (!isEcho) process.exit(1);
			return;
		}
		firstAt = Date.now();
		stop(signal);
	};
	process.on('SIGTERM', onSignal);
	process.on('SIGINT', onSignal);
	if (!('npm_lifecycle_event' in process.env)) return;
	// A shell stands between npm and this process. Some, such as dash, die of the signal that npm passes on, and keep it to themselves.
	const shell = process.ppid;
	const timer = setInterval(() => {
		if (process.ppid === shell) return;
		clearInterval(timer);
		if (firstAt === undefined) onSignal('SIGTERM');
	}, PARENT_CHECK_MS).unref();
}

/** Says that a program is ready: in a terminal as lines for a person, elsewhere as one line of the log. */
export function announce(
	{ log: { format } }: Config,
	log: Log,
	address: string,
	[ready, ...more]: [string, ...string[]],
): void {
	if (!process.stdout.isTTY || format === 'json') log.info({ address }, ready);
	else process.stdout.write(`\n${[ready, ...more, 'Press Ctrl+C to stop.'].join('\n')}\n\n`);
}

function readConfig(options: LoadOptions): Config {
	try {
		return loadConfig(process.env, options);
	} catch (error) {
		if (error instanceof ConfigError) return endWith(error.message);
		throw error;
	}
}

function endWith(sentence: string): never {
	process.stderr.write(`${sentence}\n`);
	process.exit(EXIT_CONFIG);
}

/** Returns what to tell about an error that the operator can remove, with the variable to change, and the exit code; else undefined. */
export function explain(error: unknown): { sentence: string; code: number } | undefined {
	if (error instanceof ConfigError) return { sentence: error.message, code: EXIT_CONFIG };
	const isStart = error instanceof StoreVersionError || error instanceof UnfinishedRestoreError;
	if (!isStart && !(error instanceof StoreError)) return undefined;
	const variable = error instanceof FilesError ? 'FILES_URL' : 'STORE_URL';
	return { sentence: `${variable}: ${error.message}`, code: isStart ? EXIT_CONFIG : 1 };
}

function addressFault(error: unknown, { http, discord }: Config): string | undefined {
	const code = error instanceof Error && 'code' in error ? error.code : undefined;
	if (code === 'EADDRINUSE') return `PORT ${http.port} is taken; set another, or 0 for a free one.`;
	if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `HOST ${http.host} is not an address of this machine.`;
	if (code === 'EACCES') return `This user may not open PORT ${http.port}.`;
	if (error instanceof TypeError && error.message === 'fetch failed') return `${discord?.apiUrl} can't be reached.`;
	return undefined;
}
