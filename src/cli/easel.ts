import { version } from '../domain/program.ts';
import { EXIT_USAGE } from './arguments.ts';

/** The programs of the command `easel`, each as the script of package.json with the same name. */
const PROGRAMS: Readonly<Record<string, [does: string, load: () => Promise<unknown>]>> = {
	start: ['starts Easel; also without a word', () => import('../main.ts')],
	studio: ['starts the image service that draws by rules, alone', () => import('./studio.ts')],
	doctor: ['checks the whole configuration, and says what to change', () => import('./doctor.ts')],
	backup: ['writes everything that is kept to a file', () => import('./backup.ts')],
	restore: ['reads a backup into an empty store', () => import('./restore.ts')],
	migrate: ['brings the store of an earlier version to this one', () => import('./migrate.ts')],
	register: ['registers the commands at Discord', () => import('./register.ts')],
	manifest: ['prints the manifest of the Slack app', () => import('./manifest.ts')],
};

const [word = 'start'] = process.argv.slice(2);
const isOption = word.startsWith('-');
const program = PROGRAMS[isOption ? 'start' : word];
if (word === '--version' || word === '-v') process.stdout.write(`${version}\n`);
else if (word === '--help' || word === '-h' || word === 'help') {
	const rows = Object.entries(PROGRAMS).map(([name, [does]]) => `  ${name.padEnd(9)} ${does}`);
	process.stdout.write(`easel [PROGRAM] [OPTIONS]

${rows.join('\n')}

easel PROGRAM --help explains a program; easel --version prints the version.
`);
} else if (!program) {
	process.stderr.write(`There is no program '${word}'; easel --help lists them.\n`);
	process.exitCode = EXIT_USAGE;
} else {
	if (!isOption) process.argv.splice(2, 1);
	await program[1]();
}
