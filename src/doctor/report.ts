import { styleText } from 'node:util';
import type { Level } from './check.ts';
import { type Result, worstOf } from './run-checks.ts';

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
