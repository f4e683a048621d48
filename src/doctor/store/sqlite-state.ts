import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { codeOf } from '../../domain/text.ts';
import { FILE_VERSION } from '../../store/sqlite.ts';
import { type Finding, fault, ok, warning } from '../check.ts';

/** How long to wait for a process that is writing. It blocks, which the doctor may. */
const LOCK_TIMEOUT_MS = 2000;

/**
 * Looks at an SQLite file without changing it: opening the store would create the file, or bring it to this version.
 *
 * @returns why the store cannot be opened for further checks; undefined when it can
 */
export function sqliteObstacle(path: string): Finding | undefined {
	const file = statSync(path, { throwIfNoEntry: false });
	if (!file || file.size === 0) return absentFile(path);
	const version = fileVersion(path);
	if (typeof version !== 'number') return version;
	if (version === FILE_VERSION) return undefined;
	if (version > FILE_VERSION)
		return fault(`The file ${path} was written by a newer version of Easel.`, {
			variable: 'STORE_URL',
			step: 'Start that version, or restore a backup that this version has made.',
		});
	if (version > 0)
		return warning(`The file ${path} was written by an earlier version of Easel.`, {
			variable: 'STORE_URL',
			step: 'Stop the earlier version, back up the file, then run npm run migrate or npm start.',
		});
	return fault(`The file ${path} is not Easel's.`, { variable: 'STORE_URL', step: 'Set STORE_URL to another path.' });
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
		return fault(`The file ${path} cannot be read: ${errstr}.`, {
			variable: 'STORE_URL',
			step: 'Let this user read and write the file, or restore it from a backup.',
		});
	}
}

function absentFile(path: string): Finding {
	const folder = existingFolder(path);
	if (isWritable(folder)) return ok(`${path} will be created by the first start.`);
	return fault(`${path} does not exist, and this user may not create it in ${folder}.`, {
		variable: 'STORE_URL',
		step: `Let this user write to ${folder}, or set STORE_URL to another path.`,
	});
}

/** Returns the folder of a path that exists, or the nearest one above it. */
export function existingFolder(path: string): string {
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
