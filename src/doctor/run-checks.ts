import { codeOf } from '../domain/text.ts';
import { type Check, type CheckGroup, type Finding, fault, type Level } from './check.ts';

/** How long a check may take, in milliseconds, unless it says otherwise. */
const TIMEOUT_MS = 15_000;

export type Result = Finding & { group: string; check: string };

/**
 * Runs all checks at the same time. Never rejects.
 *
 * @param clean removes secrets from a text; every text of a result goes through it
 * @returns the results in the order of the groups and checks
 */
export async function runChecks(
	groups: readonly CheckGroup[],
	clean: (text: string) => string,
	timeoutMs = TIMEOUT_MS,
): Promise<Result[]> {
	const results = await Promise.all(
		groups.flatMap(({ name: group, checks }) =>
			checks.map(async (check) => {
				const findings = await findingsOf(check, check.timeoutMs ?? timeoutMs);
				return findings.map((finding) => ({ group, check: check.name, ...cleaned(finding, clean) }));
			}),
		),
	);
	return results.flat();
}

async function findingsOf(check: Check, timeoutMs: number): Promise<readonly Finding[]> {
	const stop = new AbortController();
	const { promise: late, resolve } = Promise.withResolvers<Finding>();
	const timer = setTimeout(() => {
		resolve(fault(`There was no answer within ${timeoutMs / 1000} s.`, {}));
		stop.abort();
	}, timeoutMs);
	try {
		const found = await Promise.race([check.run(stop.signal), late]);
		return 'level' in found ? [found] : found;
	} catch (error) {
		// The message of an unexpected error may quote anything, a secret too.
		return [fault(`The check failed (${codeOf(error)}).`, {})];
	} finally {
		clearTimeout(timer);
		stop.abort();
	}
}

function cleaned({ level, message, variable, step }: Finding, clean: (text: string) => string): Finding {
	return {
		level,
		message: clean(message),
		...(variable !== undefined && { variable: clean(variable) }),
		...(step !== undefined && { step: clean(step) }),
	};
}

const SEVERITY: readonly Level[] = ['skipped', 'ok', 'warning', 'fault'];

/** Returns the worst level of all results. */
export const worstOf = (results: readonly Pick<Result, 'level'>[]): Level =>
	results.reduce<Level>(
		(worst, { level }) => (SEVERITY.indexOf(level) > SEVERITY.indexOf(worst) ? level : worst),
		'skipped',
	);
