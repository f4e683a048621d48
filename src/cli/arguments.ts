import { type ParseArgsOptionDescriptor, type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import type { variables } from '../config/variables.ts';
import { callWith } from '../domain/program.ts';

/** EX_USAGE. https://man.freebsd.org/cgi/man.cgi?query=sysexits */
export const EXIT_USAGE = 64;

/** With a `value`, the option takes one, such as `ID`; without, it is a switch. */
type Option = { value?: string; help: string };

/** A script of package.json, as its `--help` explains it. */
export type Script<Options extends Readonly<Record<string, Option>>> = {
	name: string;
	/** What it does: the lines of a paragraph. */
	does: string;
	/** The words that it takes besides options: exactly one, or any number. None by default. */
	words?: { name: string; count: 'one' | 'any' };
	options?: Options;
	/** The variables that matter to it. */
	variables?: readonly (keyof typeof VARIABLES)[];
};

type Values<Options extends Readonly<Record<string, Option>>> = {
	[Name in keyof Options]: Options[Name] extends { value: string } ? string | undefined : boolean;
};

const VARIABLES = {
	SERVICE_BASE_URL: 'address of the image service; without it, the embedded studio draws',
	SERVICE_API_KEY: 'key of that service',
	SERVICE_PROFILE: 'its API; auto asks the service (default)',
	STORE_URL: 'sqlite:PATH, redis://… or memory:; default sqlite:data/easel.db',
	FILES_URL: 'a folder or s3://BUCKET?endpoint=… for pictures; default beside the store',
	DISCORD_TOKEN: 'turns Discord on',
	DISCORD_API_URL: 'address of the REST API; default https://discord.com/api',
	SLACK_BOT_TOKEN: 'turns Slack on, with SLACK_APP_TOKEN or SLACK_SIGNING_SECRET',
	SANDBOX: 'the chat in the browser: on, off, or auto: on without Discord and Slack (default)',
	HOST: 'address to listen at; default 127.0.0.1',
	PORT: 'port to listen at; 0 takes a free one; default 3000',
	STUDIO_API_KEY: 'key that the studio asks for; without it, any key',
	LOG_FORMAT: 'json, pretty, or auto: pretty in a terminal (default)',
} satisfies Partial<Record<keyof (typeof variables)['shape'], string>>;

/**
 * Reads the arguments of a script. `--help` explains the script and ends it with 0; wrong arguments end it with one sentence and 64.
 *
 * @returns the options by name, and the other words in order
 */
export function readArguments<const Options extends Readonly<Record<string, Option>> = Record<never, Option>>(
	script: Script<Options>,
): { options: Values<Options>; words: string[] } {
	// The reader of a pipe, such as head, may leave before the script has finished its work.
	for (const stream of [process.stdout, process.stderr])
		stream.on('error', (error: NodeJS.ErrnoException) => {
			if (error.code !== 'EPIPE') throw error;
		});
	const { name, words, options = {} as Options } = script;
	const declared = Object.entries(options).map(([option, { value }]): [string, ParseArgsOptionDescriptor] => [
		option,
		value === undefined ? { type: 'boolean', default: false } : { type: 'string' },
	]);
	const { values, positionals } = parsed(Object.fromEntries(declared), name);
	const { help, ...given } = values;
	if (help) {
		process.stdout.write(helpOf(script));
		process.exit(0);
	}
	if (words?.count === 'one' && !positionals[0]) refuseArguments(name, `${words.name} is missing`);
	const unexpected = positionals[words === undefined ? 0 : words.count === 'one' ? 1 : Number.POSITIVE_INFINITY];
	if (unexpected !== undefined) refuseArguments(name, `Unexpected argument '${unexpected}'`);
	return { options: given as Values<Options>, words: positionals };
}

/** Ends a script that is used wrongly. */
export function refuseArguments(name: string, fault: string): never {
	process.stderr.write(`${fault}; ${callWith(name, '--help')} explains the arguments.\n`);
	process.exit(EXIT_USAGE);
}

function parsed(options: ParseArgsOptionsConfig, name: string) {
	try {
		return parseArgs({ options: { ...options, help: { type: 'boolean', short: 'h' } }, allowPositionals: true });
	} catch (error) {
		// What follows the first sentence are hints for other programs.
		const [fault = ''] = (error as Error).message.split(/\.\s|\n/);
		return refuseArguments(name, fault.replace(/\.$/, ''));
	}
}

function helpOf({ name, does, words, options = {}, variables = [] }: Script<Readonly<Record<string, Option>>>): string {
	const rows = Object.entries({ ...options, help: { help: 'prints this' } as Option }).map(
		([option, { value, help }]) => [`--${option}${value === undefined ? '' : ` ${value}`}`, help] as const,
	);
	const operand = words === undefined ? '' : words.count === 'one' ? ` ${words.name}` : ` [${words.name}…]`;
	const explained = variables.map((variable) => [variable, VARIABLES[variable]] as const);
	const sections = [
		callWith(name, `[OPTIONS]${operand}`),
		does,
		tableOf('Options:', rows),
		tableOf('Variables, of the environment or .env (docs/configuration.md has all):', explained),
	];
	return `${sections.filter(Boolean).join('\n\n')}\n`;
}

/** Returns lines of two columns below a title; nothing without any. */
function tableOf(title: string, rows: readonly (readonly [string, string])[]): string {
	const width = Math.max(...rows.map(([left]) => left.length));
	const lines = rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
	return lines.length === 0 ? '' : [title, ...lines].join('\n');
}
