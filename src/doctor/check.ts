import { styleText } from 'node:util';
import { secretsIn } from '../config/config.ts';
import { type Check, type Checks, type Finding, fault, type Level } from '../domain/findings.ts';
import { codeOf } from '../domain/text.ts';
import { redactor } from '../log.ts';

/** How long a check may take, in milliseconds. */
const TIMEOUT_MS = 15_000;

/** All receipts are read; and two requests are made for each server, at the pace of Discord's rate limits. */
const LONGER_TIMEOUTS: Readonly<Record<string, number>> = { counters: 120_000, permissions: 120_000 };

export type Result = Finding & { group: string; check: string };

/**
 * Runs all checks at the same time. Never rejects.
 *
 * @param clean removes secrets from a text; every text of a result goes through it
 * @returns the results in the order of the groups and checks
 */
export async function runChecks(
	groups: Readonly<Record<string, Checks>>,
	clean: (text: string) => string,
	timeouts = LONGER_TIMEOUTS,
): Promise<Result[]> {
	const all = Object.entries(groups).flatMap(([group, checks]) =>
		Object.entries(checks).map(async ([check, run]) => {
			const findings = await findingsOf(run, timeouts[check] ?? TIMEOUT_MS);
			return findings.map(({ level, message, variable, step }) => {
				const [said, named, remedy] = [message, variable, step].map((text) => text && clean(text));
				return { group, check, level, message: said ?? '', variable: named, step: remedy };
			});
		}),
	);
	return (await Promise.all(all)).flat();
}

async function findingsOf(check: Check, timeoutMs: number): Promise<readonly Finding[]> {
	const stop = new AbortController();
	const { promise: late, resolve } = Promise.withResolvers<Finding>();
	const timer = setTimeout(() => {
		resolve(fault(`There was no answer within ${timeoutMs / 1000} s.`));
		stop.abort();
	}, timeoutMs);
	try {
		const found = await Promise.race([check(stop.signal), late]);
		return 'level' in found ? [found] : found;
	} catch (error) {
		// The message of an unexpected error may quote anything, a secret too.
		return [fault(`The check failed (${codeOf(error)}).`)];
	} finally {
		clearTimeout(timer);
		stop.abort();
	}
}

const SEVERITY: readonly Level[] = ['skipped', 'ok', 'warning', 'fault'];

/** Returns the worst level of all results. */
export const worstOf = (results: readonly Result[]): Level =>
	SEVERITY.findLast((level) => results.some((result) => result.level === level)) ?? 'skipped';

type Style = Parameters<typeof styleText>[0];

const MARKS: Readonly<Record<Level, readonly [mark: string, word: string, style: Style]>> = {
	ok: ['✓', 'ok', 'green'],
	warning: ['!', 'warning', 'yellow'],
	fault: ['✗', 'fault', 'red'],
	skipped: ['–', 'skipped', 'gray'],
};

/** Writes one line for each result, and one below it for what to do. */
export function textReport(results: readonly Result[], hasColours: boolean): string {
	const paint = (style: Style, text: string) => (hasColours ? styleText(style, text, { validateStream: false }) : text);
	const lines = [...Map.groupBy(results, ({ group }) => group)].flatMap(([group, members]) => [
		paint('bold', group),
		...merged(members).flatMap(({ level, check, message, variable, step }) => {
			const [mark, word, style] = MARKS[level];
			const remedy = [variable && !message.includes(variable) && variable, step].filter(Boolean).join(': ');
			return [
				`  ${paint(style, `${mark} ${word.padEnd(7)}`)}  ${check}: ${message}`,
				...(remedy === '' ? [] : [`             ${paint(style, '→')} ${remedy}`]),
			];
		}),
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
	const redact = redactor(secretsIn(env).flatMap(spellingsOf));
	// Redacted twice: a control character may have split a secret.
	return (text: string): string => redact(redact(text).replace(CONTROL, ' '));
}

/** Returns a secret as it is, trimmed, and as addresses and encodings write it. */
function spellingsOf(secret: string): string[] {
	const trimmed = secret.trim();
	const encoded = trimmed.isWellFormed() ? [encodeURIComponent(trimmed), encodeURI(trimmed)] : [];
	return [secret, trimmed, ...encoded, Buffer.from(trimmed).toString('base64')];
}
