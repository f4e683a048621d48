import { stringify } from 'csv-stringify/sync';
import { decimalsOf } from '../../domain/money.ts';
import type { Receipt } from '../../domain/receipt.ts';
import { oneLine } from '../../domain/text.ts';
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
] as const;

/**
 * Formats the calls of a month as CSV, one row each, oldest first. A pivot table can compute every total from it, and each row
 * answers what was billed and why. Calls of which no receipts are kept any more come first, as one row for each day of a member. `calls` is 1 where a call counts against caps.
 *
 * The format is RFC 4180 in UTF-8, with a byte order mark, because without it Excel assumes the machine's own code page. A cell
 * that a spreadsheet would take for a formula begins with an apostrophe. https://owasp.org/www-community/attacks/CSV_Injection
 */
export function csvOf({ receipts, dayTotals, timeZone }: Report, platform: string): Uint8Array {
	const text = stringify(
		[...dayTotals.map((total) => totalRowOf(total, platform)), ...receipts.map((receipt) => rowOf(receipt, timeZone))],
		{ bom: true, header: true, columns: [...COLUMNS], record_delimiter: 'windows', escape_formulas: true },
	);
	return new TextEncoder().encode(text);
}

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

const cellsOf = ({ calls, pictures, cost }: Figures) => ({
	calls,
	pictures,
	cost_usd: (cost / 1000).toFixed(decimalsOf(cost)),
});

/** A spreadsheet rounds numbers to 15 digits. The platform's name makes an id text. */
const qualify = (platform: string, id: string) => text(`${platform}:${id}`);

/**
 * Returns a text as one line. Where semicolons separate cells, a spreadsheet splits cells at them, and each part may be
 * a formula.
 */
const text = (value: string) => oneLine(value).replace(/;(?=[\s"']*[=+\-@＝＋－＠])/g, ";'");
