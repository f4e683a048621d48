import { codeOf, connectionStep } from './text.ts';

/** What the checks of `npm run doctor` find, which each part offers about its own counterpart. */

/** `warning`: works, but the operator should know. `fault`: something does not work. `skipped`: not checked, and never counted as passed. */
export type Level = 'ok' | 'warning' | 'fault' | 'skipped';

export type Finding = {
	level: Level;
	/** One sentence that contains no secret. */
	message: string;
	/** The variable to change. */
	variable?: string;
	/** What to do, exactly. */
	step?: string;
};

/** Checks of one counterpart by name, which are printed together. What a check throws is a fault. */
export type Checks = Readonly<Record<string, Check>>;

export type Check = (signal: AbortSignal) => Findings | Promise<Findings>;

/** Checks variables before they are set, as `npm run doctor` does afterwards. */
export type TryOut = (variables: Readonly<Record<string, string>>) => Promise<readonly Finding[]>;

export type Findings = Finding | readonly Finding[];

const findingOf =
	(level: Level) =>
	(message: string, step?: string, variable?: string): Finding => ({ level, message, variable, step });

export const ok = findingOf('ok');
export const skipped = findingOf('skipped');
export const warning = findingOf('warning');
export const fault = findingOf('fault');

/** A counterpart that does not answer, such as `Slack cannot be reached`. */
export function unreachable(sentence: string, error: unknown, variable?: string): Finding {
	const code = codeOf(error);
	return fault(`${sentence} (${code}).`, connectionStep(code), variable);
}

/** Returns a function that makes something at its first call: several checks look at one answer. */
export function once<Made>(make: () => Made): () => Made {
	let made: { it: Made } | undefined;
	return () => {
		made ??= { it: make() };
		return made.it;
	};
}

/** How many names a line has at most. */
const MAX_NAMES = 6;

/** Lists names, the last of them as their number where there are many. */
export function namesOf(names: readonly string[]): string {
	const shown =
		names.length <= MAX_NAMES ? names : [...names.slice(0, MAX_NAMES - 1), `${names.length - MAX_NAMES + 1} others`];
	return new Intl.ListFormat('en').format(shown);
}
