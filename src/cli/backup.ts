import { BackupError } from '../store/backup/backup-errors.ts';
import { checkBackup } from '../store/backup/backup-reader.ts';
import { createBackup } from '../store/backup/create-backup.ts';
import { SCHEMA_VERSION } from '../store/migrations/migrate.ts';
import { configuration, contentOf, print, readArguments, runCommand } from './backup-command.ts';

const USAGE = `npm run backup -- FILE            writes everything that is kept to FILE, while Easel runs
npm run backup -- FILE --force    the same, and replaces FILE if it exists
npm run backup -- --check FILE    checks every byte of a backup, without a store`;

/** `npm run backup`: backs up the store to one file, or checks such a file. */
await runCommand(USAGE, async (signal) => {
	const { file: path, force, check } = readArguments(['force', 'check']);
	if (check) {
		if (force) throw new BackupError('--check writes nothing, so --force has no meaning.');
		const { header, counts } = await checkBackup(path, SCHEMA_VERSION);
		print(`${path} is complete and undamaged: ${contentOf(counts)}, from ${new Date(header.createdAt).toISOString()}.`);
		return;
	}
	const { store: url, files } = configuration();
	const options = { url, files, path, mayReplace: force, schema: SCHEMA_VERSION, onProgress: print, signal };
	const { leftOut, ...counts } = await createBackup(options);
	print(`Backed up ${contentOf(counts)} to ${path}.`);
	if (leftOut > 0) print(`${leftOut} pictures expired or were deleted meanwhile, and are not in it.`);
});
