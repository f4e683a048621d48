import { setImmediate } from 'node:timers/promises';
import { stringify } from 'csv-stringify/sync';
import type { Receipt } from '../../domain/job.ts';
import { decimalsOf, oneLine } from '../../domain/text.ts';
import { type DayTotal, type Figures, figuresOf } from './figures.ts';
import type { Report } from './summary.ts';

const COLUMNS = [
	'local_time',
	'utc_time',
	'member',
	'member_id',
	'command',
	'channel_id',
	'outcome',
	'calls',
	'pictures',
	'cost_usd',
	'job_id',
	'input_tokens',
	'output_tokens',
] as const;

/** How many rows are formatted at once. Other work goes on between them. */
const ROWS_PER_TURN = 200;

/**
 * Formats the calls of a month as CSV, one row each, oldest first. A pivot table can compute every total from it, and each row
 * answers what was billed and why. Calls of which no receipts are kept any more come first, as one row for each day of a member.
 * `calls` is 1 where a call counts against caps. Chat turns have rows when the service counts their tokens, with 0 calls.
 *
 * The format is RFC 4180 in UTF-8, with a byte order mark, because without it Excel assumes the machine's own code page. A cell
 * that a spreadsheet would take for a formula begins with an apostrophe. https://owasp.org/www-community/attacks/CSV_Injection
 */
export async function csvOf({ receipts, dayTotals, timeZone }: Report, platform: string): Promise<Uint8Array> {
	const parts = [format([], { bom: true, header: true })];
	const add = async <Each>(all: readonly Each[], toRow: (each: Each) => Row) => {
		for (let start = 0; start < all.length; start += ROWS_PER_TURN) {
			parts.push(format(all.slice(start, start + ROWS_PER_TURN).map(toRow)));
			await setImmediate();
		}
	};
	await add(dayTotals, (total) => totalRowOf(total, platform));
	await add(receipts, (receipt) => rowOf(receipt, timeZone));
	return Buffer.concat(parts);
}

const format = (rows: readonly Row[], head: { bom?: true; header?: true } = {}): Buffer =>
	Buffer.from(
		stringify([...rows], { ...head, columns: [...COLUMNS], record_delimiter: 'windows', escape_formulas: true }),
	);

type Row = Partial<Record<(typeof COLUMNS)[number], string | number>>;

function rowOf(receipt: Receipt, timeZone: string): Row {
	const { id, command, place, person, outcome, at } = receipt;
	const instant = Temporal.Instant.fromEpochMilliseconds(at);
	const local = instant.toZonedDateTimeISO(timeZone).toPlainDateTime();
	return {
		local_time: local.toString({ smallestUnit: 'second' }).replace('T', ' '),
		utc_time: instant.toString({ smallestUnit: 'second' }),
		member: text(person.name),
		member_id: qualify(place.platform, person.id),
		command: text(command),
		channel_id: qualify(place.platform, place.channel),
		outcome,
		...cellsOf(figuresOf(receipt)),
		job_id: qualify(place.platform, id),
	};
}

const totalRowOf = (total: DayTotal, platform: string): Row => ({
	local_time: total.day,
	member_id: qualify(platform, total.person),
	command: text(total.command),
	...cellsOf(total),
});

const cellsOf = ({ calls, pictures, cost, tokens }: Figures) => ({
	calls,
	pictures,
	cost_usd: (cost / 1000).toFixed(decimalsOf(cost)),
	...(tokens && { input_tokens: tokens.input, output_tokens: tokens.output }),
});

/** A spreadsheet rounds numbers to 15 digits. The platform's name makes an id text. */
const qualify = (platform: string, id: string) => text(`${platform}:${id}`);

/**
 * Returns a text as one line. Where semicolons separate cells, a spreadsheet splits cells at them, and each part may be
 * a formula.
 */
const text = (value: string) => oneLine(value).replace(/;(?=[\s"']*[=+\-@＝＋－＠])/g, ";'");
