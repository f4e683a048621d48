import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Config } from '../config/config.ts';
import { type Checks, type Finding, type Findings, fault, ok, skipped, warning } from '../domain/findings.ts';
import { callOf } from '../domain/program.ts';
import { parseStoreAddress } from '../store/addresses.ts';
import { SCHEMA_VERSION, storedVersions } from '../store/migrate.ts';
import { openStore } from '../store/open-store.ts';
import { FilesError, type Store, StoreError, StoreVersionError } from '../store/store.ts';
import { findMismatches } from '../usage/windows.ts';

/** The store, or why there is none to look at. */
export type OpenedStore = Store | Finding;

/** @param open opens the store, once for all checks */
export const storeChecks = (config: Config, open: () => Promise<OpenedStore>): Checks => ({
	async reachable() {
		const opened = await open();
		return 'level' in opened ? opened : ok('The store can be read and written.');
	},
	settings: onStore(open, checkSettings),
	version: onStore(open, checkVersion),
	pictures: onStore(open, () => checkFiles(config)),
	disk: () => checkDisk(config),
	counters: onStore(open, (store) => checkCounters(store, config.retentionMs)),
});

/** A check of the store, which is skipped where there is none. */
export const onStore =
	(open: () => Promise<OpenedStore>, look: (store: Store) => Promise<Findings>) => async (): Promise<Findings> => {
		const opened = await open();
		return 'level' in opened ? skipped('There is no store to look at.') : look(opened);
	};

async function checkSettings(store: Store): Promise<Findings> {
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
	const message = (version: number) =>
		`The store has version ${version}; this program writes version ${SCHEMA_VERSION}.`;
	if (newest > SCHEMA_VERSION) return fault(message(newest), RETURN, 'STORE_URL');
	if (oldest < 2) return fault(message(oldest), 'Set STORE_URL to a new, empty store.', 'STORE_URL');
	if (oldest < SCHEMA_VERSION) return warning(message(oldest), UPGRADE, 'STORE_URL');
	return ok(`The store has version ${SCHEMA_VERSION}, that of this program.`);
}

const RETURN = 'Start the newer version of Easel, or restore a backup that this version has made.';
const UPGRADE = `Stop the earlier version, back up, then run ${callOf('migrate')} or ${callOf('start')}.`;

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

/** Opens the store. No lease is taken, and nothing is migrated, so that it can be in use meanwhile. */
export async function openForChecks(url: string): Promise<OpenedStore> {
	const address = parseStoreAddress(url);
	if (address.kind === 'memory')
		return warning(
			'STORE_URL is memory:, so everything is forgotten at a stop, what was counted too.',
			'Set STORE_URL to sqlite:data/easel.db, or to a Redis server.',
			'STORE_URL',
		);
	// Opening the store would create the file.
	if (address.kind === 'sqlite' && !statSync(address.path, { throwIfNoEntry: false })?.size)
		return absentFile(address.path);
	try {
		const store = await openStore(url);
		await store.ping();
		return store;
	} catch (error) {
		if (error instanceof StoreVersionError) return fault(error.message, RETURN, 'STORE_URL');
		if (!(error instanceof StoreError)) throw error;
		const step =
			address.kind === 'redis'
				? 'Check address, user and password in STORE_URL, and that the server runs.'
				: 'Let this user read and write the file and its folder, check the disk, or restore the file from a backup.';
		return fault(error.message, step, 'STORE_URL');
	}
}

function absentFile(path: string): Finding {
	const folder = existingFolder(path);
	try {
		accessSync(folder, constants.W_OK | constants.X_OK);
		return ok(`${path} will be created by the first start.`);
	} catch {
		return fault(
			`${path} does not exist, and this user may not create it in ${folder}.`,
			`Let this user write to ${folder}, or set STORE_URL to another path.`,
			'STORE_URL',
		);
	}
}

/** Returns the folder of a path that exists, or the nearest one above it. */
function existingFolder(path: string): string {
	const folder = dirname(path);
	return existsSync(folder) || folder === path ? folder : existingFolder(folder);
}

/** How often counters that differ are looked at again: while Easel runs, a call may be counted between two reads. */
const REPEATS = 3;

/** Compares every counter with the receipts and running jobs that it is the sum of. */
async function checkCounters(store: Store, retentionMs: number): Promise<Finding> {
	const find = () => findMismatches(store.space('ledger'), { now: Date.now, retentionMs });
	let lasting = await find();
	for (let repeats = 0; repeats < REPEATS && lasting.length > 0; repeats++) {
		const offsets = new Map(lasting.map(({ key, counted, computed }) => [key, counted - computed]));
		lasting = (await find()).filter(({ key, counted, computed }) => offsets.get(key) === counted - computed);
	}
	const [first] = lasting;
	if (!first) return ok('Every counter equals the sum of its receipts.');
	const { key, counted, computed } = first;
	return fault(
		`${lasting.length} counters differ from their receipts, such as ${key}: ${counted} counted, ${computed} in receipts.`,
		'Keep a copy of the store and report this; caps hold meanwhile by the counted values. /limits refund gives calls back.',
		'STORE_URL',
	);
}

const MIB = 2 ** 20;

/** Below this, a few pictures fill the disk; SQLite also needs space to write its log. */
const TOO_LITTLE = 100 * MIB;
const LITTLE = 1024 * MIB;

/** Tells how much space is left where the database file and the pictures are. */
async function checkDisk({ store, files }: Config): Promise<Findings> {
	const address = parseStoreAddress(store);
	const folders: [variable: string, folder: string][] = [];
	if (address.kind === 'sqlite') folders.push(['STORE_URL', existingFolder(address.path)]);
	if (files?.kind === 'folder') folders.push(['FILES_URL', existingFolder(`${files.path}/x`)]);
	if (folders.length === 0) return skipped('Nothing is kept on a disk of this machine.');
	return Promise.all(
		folders.map(async ([variable, folder]) => {
			const { bavail, bsize } = await statfs(folder);
			const free = bavail * bsize;
			const size = free >= LITTLE ? `${(free / LITTLE).toFixed(1)} GiB` : `${Math.floor(free / MIB)} MiB`;
			const message = `${size} are free on the disk of ${folder}.`;
			if (free >= LITTLE) return ok(message);
			const step = `Free some space, move ${variable} to a larger disk, or lower RETENTION_DAYS.`;
			return (free < TOO_LITTLE ? fault : warning)(message, step, variable);
		}),
	);
}
