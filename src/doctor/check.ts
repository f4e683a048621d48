import { styleText } from 'node:util';
import { secretsIn } from '../config/config.ts';
import { codeOf } from '../domain/text.ts';
import { redactor } from '../log.ts';

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

/** A question about one counterpart. What a check throws is a fault. */
export type Check = {
	name: string;
	/** 15 seconds by default. */
	timeoutMs?: number;
	run(signal: AbortSignal): Promise<Finding | readonly Finding[]>;
};

/** Checks of one counterpart, which are printed together. */
export type CheckGroup = { name: string; checks: readonly Check[] };

type Remedy = { variable?: string; step?: string };

export const ok = (message: string): Finding => ({ level: 'ok', message });
export const skipped = (message: string, remedy: Remedy = {}): Finding => ({ level: 'skipped', message, ...remedy });
export const warning = (message: string, remedy: Remedy): Finding => ({ level: 'warning', message, ...remedy });
export const fault = (message: string, remedy: Remedy): Finding => ({ level: 'fault', message, ...remedy });

/** A check that needs nothing but what is known already. */
export const known = (name: string, finding: Finding | readonly Finding[]): Check => ({
	name,
	run: async () => finding,
});

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

const MARKS: Readonly<Record<Level, { mark: string; word: string; style: Parameters<typeof styleText>[0] }>> = {
	ok: { mark: '✓', word: 'ok', style: 'green' },
	warning: { mark: '!', word: 'warning', style: 'yellow' },
	fault: { mark: '✗', word: 'fault', style: 'red' },
	skipped: { mark: '–', word: 'skipped', style: 'gray' },
};

/** Writes one line for each result, and one below it for what to do. */
export function textReport(results: readonly Result[], hasColours: boolean): string {
	const paint = (style: Parameters<typeof styleText>[0], text: string) =>
		hasColours ? styleText(style, text, { validateStream: false }) : text;
	const groups = Map.groupBy(results, ({ group }) => group);
	const lines = [...groups].flatMap(([group, members]) => [
		paint('bold', group),
		...merged(members).flatMap((result) => linesOf(result, paint)),
		'',
	]);
	return `${lines.join('\n')}\n${summaryOf(results)}\n`;
}

/** Writes checks that were skipped for the same reason as one. */
function merged(results: readonly Result[]): Result[] {
	return [...Map.groupBy(results, (result) => (result.level === 'skipped' ? result.message : result)).values()].map(
		(same) => ({ ...(same[0] as Result), check: same.map(({ check }) => check).join(', ') }),
	);
}

function linesOf(
	{ level, check, message, variable, step }: Result,
	paint: (style: Parameters<typeof styleText>[0], text: string) => string,
): string[] {
	const { mark, word, style } = MARKS[level];
	const line = `  ${paint(style, `${mark} ${word.padEnd(7)}`)}  ${check}: ${message}`;
	const remedy = [variable !== undefined && !message.includes(variable) && variable, step].filter(Boolean).join(': ');
	return remedy === '' ? [line] : [line, `             ${paint(style, '→')} ${remedy}`];
}

function summaryOf(results: readonly Result[]): string {
	const count = (level: Level) => results.filter((result) => result.level === level).length;
	const [faults, warnings, skips] = [count('fault'), count('warning'), count('skipped')];
	if (faults + warnings === 0) return `All is well: ${count('ok')} checks passed, ${skips} were skipped.`;
	const some = (number: number, word: string) => `${number} ${word}${number === 1 ? '' : 's'}`;
	return `${some(faults, 'fault')}, ${some(warnings, 'warning')}, ${count('ok')} ok, ${skips} skipped.`;
}

/** The results for programs. `level` is the worst of all. */
export const jsonReport = (results: readonly Result[]): string =>
	`${JSON.stringify({ level: worstOf(results), checks: results }, undefined, 2)}\n`;

/** Characters that could change how a terminal shows a line: names of servers and channels are written by anybody. */
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069]+/g;

/** Returns a function that removes every secret of the environment, and control characters, from a text. */
export function createCleanText(env: Readonly<Record<string, string | undefined>>) {
	const redact = redactor([...secretsIn(env), ...passwordsIn(env['STORE_URL'] ?? '')].flatMap(spellingsOf));
	// Redacted twice: a control character may have split a secret.
	return (text: string): string => redact(redact(text).replace(CONTROL, ' '));
}

/** Returns a secret as it is, trimmed, and as addresses and encodings write it. */
function spellingsOf(secret: string): string[] {
	const trimmed = secret.trim();
	const encoded = trimmed.isWellFormed() ? [encodeURIComponent(trimmed), encodeURI(trimmed)] : [];
	return [secret, trimmed, ...encoded, Buffer.from(trimmed).toString('base64')];
}

/** The password of an address, also of one that cannot be parsed. */
function passwordsIn(address: string): string[] {
	const [, written] = /^[a-z]+:\/\/[^:@/]*:(.+)@/i.exec(address.trim()) ?? [];
	if (written === undefined) return [];
	try {
		return [written, decodeURIComponent(written)];
	} catch {
		return [written];
	}
}
