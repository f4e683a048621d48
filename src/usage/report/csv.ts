import { stringify } from 'csv-stringify/sync';
import { decimalsOf } from '../../domain/money.ts';
import type { Receipt } from '../../domain/receipt.ts';
import { oneLine } from '../../domain/text.ts';
import { figuresOf } from './figures.ts';
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
 * The month's calls, oldest first, one row each: every total can be made from these by a pivot table, and "why was I billed"
 * is answered by a row. `calls` is 1 where the call counts against caps.
 *
 * RFC 4180 in UTF-8, with a byte order mark, without which Excel takes it for the machine's own code page.
 * A cell that a spreadsheet would take for a formula begins with an apostrophe. https://owasp.org/www-community/attacks/CSV_Injection
 */
export function csvOf({ receipts, timeZone }: Report): Uint8Array {
	const text = stringify(
		receipts.map((receipt) => rowOf(receipt, timeZone)),
		{ bom: true, header: true, columns: [...COLUMNS], record_delimiter: 'windows', escape_formulas: true },
	);
	return new TextEncoder().encode(text);
}

function rowOf(receipt: Receipt, timeZone: string): Record<(typeof COLUMNS)[number], string | number> {
	const { id, command, place, person, outcome, at } = receipt;
	const { calls, pictures, cost } = figuresOf(receipt);
	const instant = Temporal.Instant.fromEpochMilliseconds(at);
	const local = instant.toZonedDateTimeISO(timeZone).toPlainDateTime();
	// A spreadsheet rounds long ids, which are numbers, to 15 digits; the platform's name before them makes them text.
	const identify = (name: string) => text(`${place.platform}:${name}`);
	return {
		local_time: local.toString({ smallestUnit: 'second' }).replace('T', ' '),
		utc_time: instant.toString({ smallestUnit: 'second' }),
		member: text(person.name),
		member_id: identify(person.id),
		command: text(command),
		channel_id: identify(place.channel),
		outcome,
		calls,
		pictures,
		cost_usd: (cost / 1000).toFixed(decimalsOf(cost)),
		job_id: identify(id),
	};
}

/** One line; where lists are parted by semicolons, the spreadsheet cuts cells at them, and each piece may be a formula. */
const text = (value: string) => oneLine(value).replace(/;(?=[\s"']*[=+\-@＝＋－＠])/g, ";'");
