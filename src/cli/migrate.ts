import { run } from '../lifecycle.ts';
import { refuseUnfinishedRestore } from '../store/backup.ts';
import { migrate, SCHEMA_VERSION } from '../store/migrate.ts';
import { openStore } from '../store/open-store.ts';
import { readArguments } from './arguments.ts';

readArguments({
	name: 'migrate',
	does: 'Brings the store of an earlier version to the version of this program, as a start does by itself.',
	variables: ['STORE_URL', 'FILES_URL'],
});
await run(async ({ store: url, files, retentionMs }, log) => {
	const store = await openStore(url, files);
	await refuseUnfinishedRestore(store);
	const version = await migrate(store, { retentionMs });
	await store.close();
	log.info(
		version === SCHEMA_VERSION
			? `The store has version ${SCHEMA_VERSION} already.`
			: `The store was brought from version ${version} to version ${SCHEMA_VERSION}.`,
	);
	process.exit(0);
});
