import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Config } from '../config/config.ts';
import { codeOf } from '../domain/text.ts';
import { SCHEMA_VERSION, storedVersions } from '../store/migrate.ts';
import { openStore, parseStoreAddress } from '../store/open-store.ts';
import { FILE_VERSION } from '../store/sqlite.ts';
import { FilesError, type Store, StoreError } from '../store/store.ts';
import { findMismatches } from '../usage/verify.ts';
import { type Checks, type Finding, type Found, fault, ok, skipped, warning } from './check.ts';

/** @param open opens the store, once for all checks */
export function storeChecks(config: Config, open: () => Promise<OpenedStore>): Checks {
	return {
		reachable: onStore(
			open,
			() => ok('The store can be read and written.'),
			({ finding }) => finding,
		),
		settings: onStore(open, checkSettings),
		version: onStore(open, checkVersion),
		pictures: onStore(open, () => checkFiles(config)),
		disk: () => checkDisk(config),
		counters: onStore(open, (store) => checkCounters(store, config.retentionMs)),
	};
}

/** A check of the store, which is skipped where there is none. */
export const onStore =
	(
		open: () => Promise<OpenedStore>,
		look: (store: Store) => Found | Promise<Found>,
		without = (_: { finding: Finding }) => skipped('There is no store to look at.'),
	) =>
	async (): Promise<Found> => {
		const opened = await open();
		return 'store' in opened ? look(opened.store) : without(opened);
	};

async function checkSettings(store: Store): Promise<Found> {
	const warnings = await store.warnings();
	if (warnings.length === 0) return ok('What is written survives a crash and a power failure.');
	return warnings.map((sentence) => {
		const [message = sentence, step = ''] = sentence.split(/(?<=\.) (?=Set )/);
		return warning(message, step || 'See docs/configuration.md#redis.', 'STORE_URL');
	});
}

async function checkVersion(store: Store): Promise<Finding> {
	const [oldest, newest = oldest] = await storedVersions(store);
	if (oldest === undefined || newest === undefined) return ok('The store is empty.');
	if (newest > SCHEMA_VERSION)
		return fault(
			`The store has version ${newest}; this program writes version ${SCHEMA_VERSION}.`,
			'Start the newer version of Easel, or restore a backup that this version has made.',
			'STORE_URL',
		);
	if (oldest < 2)
		return fault(
			'The store has version 1, which this program no longer reads.',
			'Set STORE_URL to a new, empty store.',
			'STORE_URL',
		);
	if (oldest < SCHEMA_VERSION)
		return warning(
			`The store has version ${oldest}; this program writes version ${SCHEMA_VERSION}.`,
			'Stop the earlier version, back up, then run npm run migrate or npm start.',
			'STORE_URL',
		);
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
		return fault(error.message, step, 'FILES_URL');
	}
}

/** The store, or why there is none to look at. */
export type OpenedStore = { store: Store } | { finding: Finding };

/** Opens the store once for all checks. No lease is taken, and nothing is migrated, so that it can be in use meanwhile. */
export function createStoreOpener({ store: url }: Config): { open(): Promise<OpenedStore>; close(): Promise<void> } {
	let opened: Promise<OpenedStore> | undefined;
	return {
		open: () => (opened ??= openForChecks(url)),
		async close() {
			const result = await opened;
			if (result && 'store' in result) await result.store.close();
		},
	};
}

async function openForChecks(url: string): Promise<OpenedStore> {
	const address = parseStoreAddress(url);
	if (address.kind === 'memory')
		return {
			finding: warning(
				'STORE_URL is memory:, so everything is forgotten at a stop, what was counted too.',
				'Set STORE_URL to sqlite:data/easel.db, or to a Redis server.',
				'STORE_URL',
			),
		};
	const obstacle = address.kind === 'sqlite' ? sqliteObstacle(address.path) : undefined;
	if (obstacle) return { finding: obstacle };
	try {
		const store = await openStore(url);
		await store.ping();
		return { store };
	} catch (error) {
		if (!(error instanceof StoreError)) throw error;
		const step =
			address.kind === 'redis'
				? 'Check address, user and password in STORE_URL, and that the server runs.'
				: 'Let this user read and write the file and its folder, and check the disk.';
		return { finding: fault(error.message, step, 'STORE_URL') };
	}
}

/** How long to wait for a process that is writing. It blocks, which the doctor may. */
const LOCK_TIMEOUT_MS = 2000;

/**
 * Looks at an SQLite file without changing it: opening the store would create the file, or bring it to this version.
 *
 * @returns why the store cannot be opened for further checks; undefined when it can
 */
function sqliteObstacle(path: string): Finding | undefined {
	const file = statSync(path, { throwIfNoEntry: false });
	if (!file || file.size === 0) return absentFile(path);
	const version = fileVersion(path);
	if (typeof version !== 'number') return version;
	if (version === FILE_VERSION) return undefined;
	if (version > FILE_VERSION)
		return fault(
			`The file ${path} was written by a newer version of Easel.`,
			'Start that version, or restore a backup that this version has made.',
			'STORE_URL',
		);
	if (version > 0)
		return warning(
			`The file ${path} was written by an earlier version of Easel.`,
			'Stop the earlier version, back up the file, then run npm run migrate or npm start.',
			'STORE_URL',
		);
	return fault(`The file ${path} is not Easel's.`, 'Set STORE_URL to another path.', 'STORE_URL');
}

function fileVersion(path: string): number | Finding {
	try {
		const database = new DatabaseSync(path, { readOnly: true, timeout: LOCK_TIMEOUT_MS });
		try {
			return Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
		} finally {
			database.close();
		}
	} catch (error) {
		const { errstr = codeOf(error) } = error as { errstr?: string };
		return fault(
			`The file ${path} cannot be read: ${errstr}.`,
			'Let this user read and write the file, or restore it from a backup.',
			'STORE_URL',
		);
	}
}

function absentFile(path: string): Finding {
	const folder = existingFolder(path);
	if (isWritable(folder)) return ok(`${path} will be created by the first start.`);
	return fault(
		`${path} does not exist, and this user may not create it in ${folder}.`,
		`Let this user write to ${folder}, or set STORE_URL to another path.`,
		'STORE_URL',
	);
}

/** Returns the folder of a path that exists, or the nearest one above it. */
function existingFolder(path: string): string {
	const folder = dirname(path);
	return existsSync(folder) || folder === path ? folder : existingFolder(folder);
}

function isWritable(folder: string): boolean {
	try {
		accessSync(folder, constants.W_OK | constants.X_OK);
		return true;
	} catch {
		return false;
	}
}

/** How often counters that differ are looked at again: while Easel runs, a call may be counted between two reads. */
const REPEATS = 3;

/** Compares every counter with the receipts and running jobs that it is the sum of. */
async function checkCounters(store: Store, retentionMs: number): Promise<Finding> {
	const find = () => findMismatches({ space: store.space('ledger'), now: Date.now, retentionMs });
	let lasting = await find();
	for (let repeats = 0; repeats < REPEATS && lasting.length > 0; repeats++) {
		const offsets = new Map(lasting.map(({ key, counted, computed }) => [key, counted - computed]));
		lasting = (await find()).filter(({ key, counted, computed }) => offsets.get(key) === counted - computed);
	}
	if (lasting.length === 0) return ok('Every counter equals the sum of its receipts.');
	const [first] = lasting;
	return fault(
		`${lasting.length} counters differ from their receipts, such as ${first?.key}: ${first?.counted} counted, ${first?.computed} in receipts.`,
		'Keep a copy of the store and report this; caps hold meanwhile by the counted values. /limits refund gives calls back.',
		'STORE_URL',
	);
}

const MIB = 2 ** 20;

/** Below this, a few pictures fill the disk; SQLite also needs space to write its log. */
const TOO_LITTLE = 100 * MIB;
const LITTLE = 1024 * MIB;

/** Tells how much space is left where the database file and the pictures are. */
async function checkDisk({ store, files }: Config): Promise<Found> {
	const address = parseStoreAddress(store);
	const places = [
		...(address.kind === 'sqlite' ? [{ variable: 'STORE_URL', path: address.path }] : []),
		...(files?.kind === 'folder' ? [{ variable: 'FILES_URL', path: `${files.path}/x` }] : []),
	];
	if (places.length === 0) return skipped('Nothing is kept on a disk of this machine.');
	return Promise.all(places.map(({ variable, path }) => checkSpace(variable, existingFolder(path))));
}

async function checkSpace(variable: string, folder: string): Promise<Finding> {
	const { bavail, bsize } = await statfs(folder);
	const free = bavail * bsize;
	const size = free >= 1024 * MIB ? `${(free / 1024 / MIB).toFixed(1)} GiB` : `${Math.floor(free / MIB)} MiB`;
	const message = `${size} are free on the disk of ${folder}.`;
	if (free >= LITTLE) return ok(message);
	const step = `Free some space, move ${variable} to a larger disk, or lower RETENTION_DAYS.`;
	return (free < TOO_LITTLE ? fault : warning)(message, step, variable);
}
