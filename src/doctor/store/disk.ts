import { statfs } from 'node:fs/promises';
import type { Config } from '../../config/config.ts';
import { parseStoreAddress } from '../../store/store-address.ts';
import { type Finding, fault, ok, skipped, warning } from '../check.ts';
import { existingFolder } from './sqlite-state.ts';

const MIB = 2 ** 20;

/** Below this, a few pictures fill the disk; SQLite also needs space to write its log. */
const TOO_LITTLE = 100 * MIB;
const LITTLE = 1024 * MIB;

/** Tells how much space is left where the database file and the pictures are. */
export async function checkDisk({ store, files }: Config): Promise<Finding | Finding[]> {
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
	return (free < TOO_LITTLE ? fault : warning)(message, { variable, step });
}
