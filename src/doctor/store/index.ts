import type { Config } from '../../config/config.ts';
import { SCHEMA_VERSION, storedVersions } from '../../store/migrate.ts';
import { openStore } from '../../store/open-store.ts';
import { FilesError, type Store } from '../../store/store.ts';
import { type Check, type Finding, fault, ok, skipped, warning } from '../check.ts';
import { checkCounters } from './counters.ts';
import { checkDisk } from './disk.ts';
import type { OpenedStore } from './open-for-checks.ts';

/** All receipts are read, which takes a while where there are many. */
const COUNTERS_TIMEOUT_MS = 120_000;

/** @param open opens the store, once for all checks */
export function storeChecks(config: Config, open: () => Promise<OpenedStore>): Check[] {
	/** Runs a check on the store where there is one. */
	const onStore = (look: (store: Store) => Promise<Finding | Finding[]>) => async () => {
		const opened = await open();
		return 'store' in opened ? look(opened.store) : skipped('There is no store to look at.');
	};
	return [
		{
			name: 'reachable',
			async run() {
				const opened = await open();
				return 'store' in opened ? ok('The store can be read and written.') : opened.finding;
			},
		},
		{ name: 'settings', run: onStore(checkSettings) },
		{ name: 'version', run: onStore(checkVersion) },
		{ name: 'pictures', run: onStore(() => checkFiles(config)) },
		{ name: 'disk', run: () => checkDisk(config) },
		{
			name: 'counters',
			timeoutMs: COUNTERS_TIMEOUT_MS,
			run: onStore((store) => checkCounters(store, config.retentionMs)),
		},
	];
}

async function checkSettings(store: Store): Promise<Finding | Finding[]> {
	const warnings = await store.warnings();
	if (warnings.length === 0) return ok('What is written survives a crash and a power failure.');
	return warnings.map((sentence) => {
		const [message = sentence, step = ''] = sentence.split(/(?<=\.) (?=Set )/);
		return warning(message, { variable: 'STORE_URL', step: step || 'See docs/configuration.md#redis.' });
	});
}

async function checkVersion(store: Store): Promise<Finding> {
	const [oldest, newest = oldest] = await storedVersions(store);
	if (oldest === undefined || newest === undefined) return ok('The store is empty.');
	if (newest > SCHEMA_VERSION)
		return fault(`The store has version ${newest}; this program writes version ${SCHEMA_VERSION}.`, {
			variable: 'STORE_URL',
			step: 'Start the newer version of Easel, or restore a backup that this version has made.',
		});
	if (oldest < 2)
		return fault('The store has version 1, which this program no longer reads.', {
			variable: 'STORE_URL',
			step: 'Set STORE_URL to a new, empty store.',
		});
	if (oldest < SCHEMA_VERSION)
		return warning(`The store has version ${oldest}; this program writes version ${SCHEMA_VERSION}.`, {
			variable: 'STORE_URL',
			step: 'Stop the earlier version, back up, then run npm run migrate or npm start.',
		});
	return ok(`The store has version ${SCHEMA_VERSION}, that of this program.`);
}

/** Writes a file and deletes it, as the start does. */
async function checkFiles({ store: url, files }: Config): Promise<Finding> {
	if (!files) return ok('Pictures are kept beside the store.');
	try {
		const store = await openStore(url, files);
		await store.close();
		return ok(`Pictures can be kept in ${files.kind === 's3' ? `the bucket ${files.bucket}` : files.path}.`);
	} catch (error) {
		if (!(error instanceof FilesError)) throw error;
		const step = files.kind === 's3' ? 'Check FILES_URL and both keys.' : 'Let this user write to the folder.';
		return fault(error.message, { variable: 'FILES_URL', step });
	}
}
