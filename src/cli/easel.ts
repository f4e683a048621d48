import { enableCompileCache } from 'node:module';
import { version } from '../domain/program.ts';
import { EXIT_USAGE } from './arguments.ts';

/** The programs of the command `easel`, each also a script of package.json. */
const PROGRAMS: Readonly<Record<string, [does: string, start: () => Promise<unknown>]>> = {
	start: ['starts Easel; also without a word', () => import('../main.ts')],
	studio: ['starts the image service that draws by rules, alone', async () => (await import('./programs.ts')).studio()],
	doctor: [
		'checks the whole configuration, and says what to change',
		async () => (await import('./programs.ts')).doctor(),
	],
	backup: ['writes everything that is kept to a file', async () => (await import('./backups.ts')).backup()],
	restore: ['reads a backup into an empty store', async () => (await import('./backups.ts')).restore()],
	migrate: [
		'brings the store of an earlier version to this one',
		async () => (await import('./programs.ts')).migrate(),
	],
	register: ['registers the commands at Discord', async () => (await import('./programs.ts')).register()],
	manifest: ['prints the manifest of the Slack app', async () => (await import('./programs.ts')).manifest()],
};

// The programs are loaded after this, so the cache halves their start.
enableCompileCache();
const [word = 'start'] = process.argv.slice(2);
const isOption = word.startsWith('-');
const name = isOption ? 'start' : word;
if (word === '--version' || word === '-v') process.stdout.write(`${version}\n`);
else if (word === '--help' || word === '-h' || word === 'help') {
	const rows = Object.entries(PROGRAMS).map(([name, [does]]) => `  ${name.padEnd(9)} ${does}`);
	process.stdout.write(`easel [PROGRAM] [OPTIONS]

${rows.join('\n')}

easel PROGRAM --help explains a program; easel --version prints the version.
`);
} else if (!Object.hasOwn(PROGRAMS, name)) {
	process.stderr.write(`There is no program '${word}'; easel --help lists them.\n`);
	process.exitCode = EXIT_USAGE;
} else {
	if (!isOption) process.argv.splice(2, 1);
	await PROGRAMS[name]?.[1]();
}
