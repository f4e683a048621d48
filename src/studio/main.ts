/** `npm run studio`: the image service alone, for any client of its interface. */
import { config as loadEnvFile } from 'dotenv';
import { type Config, ConfigError, loadConfig } from '../config.ts';
import { createLog } from '../log.ts';
import { openStore } from '../store/open-store.ts';
import { createStudio } from './app.ts';
import { serveStudio } from './serve.ts';

/** EX_CONFIG of sysexits.h. */
const EXIT_BAD_CONFIG = 78;
/** What runs may finish within this; the promise is to be gone within 10 s of the signal. */
const GRACE_MS = 8000;

loadEnvFile({ quiet: true });
const config = readConfig();
const log = await createLog(config.log);
const store = await openStore(config.store);
const studio = createStudio({
	...config.studio,
	usage: store.space('studio'),
	report: (err, requestId) => log.error({ err, requestId }, 'studio fault'),
});
const served = await serveStudio(studio, config.http.host, config.http.port);
log.info({ url: served.url }, 'studio ready');

let stopping = false;
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
	process.on(signal, async () => {
		if (stopping) process.exit(1);
		stopping = true;
		log.info({ signal }, 'studio stopping');
		await served.close(GRACE_MS);
		await store.close();
		process.exit(0);
	});
}

function readConfig(): Config {
	try {
		return loadConfig(process.env);
	} catch (error) {
		if (!(error instanceof ConfigError)) throw error;
		for (const fault of error.faults) console.error(fault);
		process.exit(EXIT_BAD_CONFIG);
	}
}
