import { type Config, ConfigError, loadConfig } from '../config/config.ts';
import { variables } from '../config/variables.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export type UsableConfig = {
	/** The configuration without the variables that have a fault. */
	config: Config;
	/** One line for each fault. */
	faults: readonly string[];
	/** The variables with a fault, which are left out. */
	broken: ReadonlySet<string>;
};

/** The names of all variables. */
export const VARIABLES: ReadonlySet<string> = new Set(Object.keys(variables.shape));

/** Reads the configuration. When it has faults, what can be read is still there, so that the rest can be checked. */
export function loadUsableConfig(env: Environment): UsableConfig {
	const usable = { ...env };
	const broken = new Set<string>();
	let all: readonly string[] | undefined;
	for (;;) {
		try {
			return { config: loadConfig(usable, { needsPlatform: all === undefined }), faults: all ?? [], broken };
		} catch (error) {
			if (!(error instanceof ConfigError)) throw error;
			all ??= error.faults;
			const named = error.faults.flatMap(variablesIn);
			for (const name of named.length > 0 ? named : VARIABLES) {
				broken.add(name);
				delete usable[name];
			}
		}
	}
}

/** Returns the variables that a fault names, and not what it has in examples of addresses, such as `redis://HOST`. */
export const variablesIn = (fault: string): string[] =>
	(fault.match(/(?<![/:@])\b[A-Z][A-Z0-9_]+\b/g) ?? []).filter((name) => VARIABLES.has(name));
