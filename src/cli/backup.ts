import { createBackup } from '../store/backup.ts';
import { Backup } from '../store/backup-file.ts';
import { SCHEMA_VERSION } from '../store/migrate.ts';
import { readArguments, refuseArguments } from './arguments.ts';
import { configuration, contentOf, print, runCommand } from './backup-command.ts';

const {
	options: { force, check },
	words: [path = ''],
} = readArguments({
	name: 'backup',
	does: `Writes everything that is kept, entries and pictures, to FILE, while Easel runs.
Exit code: 0 when done, 1 when it failed, 64 when it is refused, such as for a FILE that exists.`,
	words: { name: 'FILE', count: 'one' },
	options: {
		force: { help: 'replaces FILE if it exists' },
		check: { help: 'only checks every byte of the backup FILE, without a store' },
	},
	variables: ['STORE_URL', 'FILES_URL'],
});
if (check && force) refuseArguments('backup', '--check writes nothing, so --force has no meaning');

await runCommand(async (signal) => {
	if (check) {
		const { counts, createdAt } = await Backup.open(path, SCHEMA_VERSION);
		print(`${path} is complete and undamaged: ${contentOf(counts)}, from ${new Date(createdAt).toISOString()}.`);
		return;
	}
	const { store: url, files } = configuration();
	const options = { url, files, path, mayReplace: force, schema: SCHEMA_VERSION, onProgress: print, signal };
	const { leftOut, ...counts } = await createBackup(options);
	print(`Backed up ${contentOf(counts)} to ${path}.`);
	if (leftOut > 0) print(`${leftOut} pictures expired or were deleted meanwhile, and are not in it.`);
});
