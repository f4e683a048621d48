import { createStudio } from '../../packages/studio/src/index.ts';
import { announce, run } from '../lifecycle.ts';
import { listen, livez } from '../listener.ts';
import { openStore } from '../store/open-store.ts';
import { countersOf } from '../studio.ts';
import { readArguments } from './arguments.ts';

/** Time that running requests get at a stop; the whole stop stays below ten seconds. */
const GRACE_MS = 7000;

readArguments({
	name: 'studio',
	does: 'Starts the image service that draws by rules, alone, for any client of its interface. Ctrl+C stops it.',
	variables: ['HOST', 'PORT', 'STUDIO_API_KEY', 'STORE_URL', 'LOG_FORMAT'],
});
await run(async (config, log) => {
	const store = await openStore(config.store);
	const studio = createStudio({
		...config.studio,
		counters: countersOf(store),
		report: (err, requestId) => log.error({ err, requestId }, 'The studio failed at a request'),
	});
	studio.get('/livez', livez);
	const { address, close } = await listen(studio, config.http);
	announce(config, log, address, [`The studio is at ${address}/v1`]);
	return async () => {
		await close(GRACE_MS);
		await store.close();
	};
});
