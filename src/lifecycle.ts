import { config as loadDotenv } from 'dotenv';
import { type Config, ConfigError, loadConfig } from './config/config.ts';
import { createLog, type Log } from './log.ts';
import { PlatformLoginError } from './platforms/shared/login-error.ts';

/** EX_CONFIG. https://man.freebsd.org/cgi/man.cgi?query=sysexits */
const EXIT_CONFIG = 78;

/** However stuck something is, a stop ends within ten seconds. */
const STOP_WITHIN_MS = 9500;

/** Starts a part of Easel from the environment or `.env`. Resolves to what stops it. */
export type Start = (config: Config, log: Log) => Promise<() => Promise<void>>;

/** The life of a process: configuration, start, one signal to stop in order, a second to stop at once. */
export async function run(start: Start): Promise<void> {
	loadDotenv({ quiet: true });
	const config = readConfig();
	const log = await createLog(config.log);
	// A signal while it starts is heard too: the stop then waits for the start.
	const started = start(config, log).catch((error: unknown): never => {
		if (error instanceof ConfigError) endWithFaults(error.faults);
		log.fatal({ err: error }, sentenceOf(error, config));
		process.exit(1);
	});

	let stopping = false;
	const onSignal = (signal: NodeJS.Signals) => {
		if (stopping) process.exit(1);
		stopping = true;
		log.info({ signal }, 'Stopping');
		setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
		started
			.then((stop) => stop())
			.then(
				() => process.exit(0),
				(error: unknown) => {
					log.error({ err: error }, 'The stop failed');
					process.exit(1);
				},
			);
	};
	process.on('SIGTERM', onSignal);
	process.on('SIGINT', onSignal);
	process.on('unhandledRejection', (error) => log.error({ err: error }, 'A rejection that nobody handled'));
	await started;
}

function readConfig(): Config {
	try {
		return loadConfig(process.env);
	} catch (error) {
		if (error instanceof ConfigError) return endWithFaults(error.faults);
		throw error;
	}
}

function endWithFaults(faults: readonly string[]): never {
	process.stderr.write(`${faults.join('\n')}\n`);
	process.exit(EXIT_CONFIG);
}

/** Why a start failed, where an operator can do something about it. */
function sentenceOf(error: unknown, { http, discord }: Config): string {
	const code = error instanceof Error && 'code' in error ? error.code : undefined;
	if (code === 'EADDRINUSE') return `PORT ${http.port} is taken; set another, or 0 for a free one.`;
	if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `HOST ${http.host} is not an address of this machine.`;
	if (code === 'EACCES') return `PORT ${http.port} may not be opened by this user.`;
	if (error instanceof Error && error.name === 'StoreError') return `STORE_URL: ${error.message}`;
	if (error instanceof PlatformLoginError) return error.message;
	if (error instanceof TypeError && error.message === 'fetch failed') return `${discord?.apiUrl} can't be reached.`;
	return 'Easel could not start';
}
