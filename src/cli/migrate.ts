import { run } from '../lifecycle.ts';
import { refuseUnfinishedRestore } from '../store/backup/restore-marker.ts';
import { migrate, SCHEMA_VERSION } from '../store/migrations/migrate.ts';
import { openStore } from '../store/open-store.ts';

/** `npm run migrate`: brings the store to the version of this program. `npm start` does the same. */
await run(async ({ store: url, files, retentionMs }, log) => {
	const store = await openStore(url, files);
	await refuseUnfinishedRestore(store);
	const version = await migrate(store, { retentionMs, now: Date.now });
	await store.close();
	log.info(
		version === SCHEMA_VERSION
			? `The store has version ${SCHEMA_VERSION} already.`
			: `The store was brought from version ${version} to version ${SCHEMA_VERSION}.`,
	);
	process.exit(0);
});
