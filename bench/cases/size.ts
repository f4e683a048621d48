import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Figures, table } from '../runner.ts';

export const description = `The packages that \`npm ci --omit=dev\` installs from the lock file into an empty folder, on disk. Needs the registry or npm's
cache.`;

/** What the packages took when they had a charting library and a font with all its weights. */
const BEFORE_MB = 180;

const ROOT = new URL('../../', import.meta.url);
/** The unit of `blocks`. https://nodejs.org/api/fs.html#statsblocks */
const BLOCK_BYTES = 512;

export async function run(): Promise<Record<string, Figures>> {
	const folder = await mkdtemp(join(tmpdir(), 'easel-bench-'));
	try {
		for (const name of ['package.json', 'package-lock.json']) await copyFile(new URL(name, ROOT), join(folder, name));
		await promisify(execFile)('npm', ['ci', '--omit=dev', '--no-audit', '--no-fund', '--loglevel=error'], {
			cwd: folder,
		});
		const packages = await diskUse(join(folder, 'node_modules'));
		const rows = { before: { 'packages, MB': BEFORE_MB }, easel: { 'packages, MB': packages } };
		console.log(`\n${table(rows, ['packages, MB'])}`);
		return rows;
	} finally {
		await rm(folder, { recursive: true });
	}
}

/** Returns MiB. */
async function diskUse(folder: string): Promise<number> {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	let blocks = 0;
	for (const entry of entries)
		if (!entry.isSymbolicLink()) blocks += (await stat(join(entry.parentPath, entry.name))).blocks;
	return (blocks * BLOCK_BYTES) / 2 ** 20;
}
