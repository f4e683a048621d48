import { setImmediate } from 'node:timers/promises';
import { stringify } from 'csv-stringify/sync';
import type { Place } from '../../domain/channel.ts';
import type { Period, Receipt } from '../../domain/job.ts';
import { columnsOf, decimalsOf, dollars, inCode, oneLine } from '../../domain/text.ts';
import type { Easel } from '../../easel.ts';
import type { Translate } from '../../i18n/translator.ts';
import { DAY_MS } from '../../store/store.ts';
import { receiptsOf } from '../jobs.ts';
import { type DayTotal, type Figures, figuresOf, isReported, sumOf, totalsOf, withoutReceipts } from '../totals.ts';
import { windowsAt, zoneAt } from '../windows.ts';
import { count, monthName, type Report, spanOf, summarize } from './summary.ts';

export type MonthReport = { table: string; csv: Uint8Array; chart: { png: Uint8Array; alt: string }; month: string };

/** The length of a table that fits into one message with the text around it. Discord allows 2,000 characters. */
const TABLE_CHARACTERS = 1800;

/**
 * Makes the report of a server's month. The modules that draw charts are loaded with the first report.
 *
 * @param month `2026-11`; the running month when undefined
 */
export async function monthReport(
	easel: Easel,
	place: Place,
	month: string | undefined,
	t: Translate,
): Promise<MonthReport> {
	const { chartOf } = await import('./chart.ts');
	const report = await readReport(easel, place, month);
	const [csv, chart] = await Promise.all([csvOf(report, place.platform), chartOf(report, t)]);
	return { month: report.month, table: tableOf(t, report, TABLE_CHARACTERS), csv, chart };
}

/** Reads what a report says: the totals of a month, and its receipts as far as they are stored. */
export async function readReport(easel: Easel, place: Place, requestedMonth?: string): Promise<Report> {
	const { plan } = easel;
	const space = easel.store.space('ledger');
	const now = easel.now();
	const settings = await easel.settings.get(place);
	const timeZone = zoneAt(settings, now);
	const month = requestedMonth ?? windowsAt(now, timeZone).month.id;
	const { from, to } = spanOf(month, timeZone);
	const totals = await totalsOf(space, place, month);
	const near = await Array.fromAsync(receiptsOf(space, place, { from: from - DAY_MS, to: to + DAY_MS }));
	const receipts = near.filter((receipt) => isReported(receipt) && receipt.day?.startsWith(month));
	const capOf = (period: Period) =>
		settings.limits.find((limit) => limit.what !== 'chat' && limit.scope === 'server' && limit.period === period);
	const [day, whole] = [capOf('day'), capOf('month')];
	return summarize(receipts, {
		...{ month, timeZone, now, price: plan.prices ? undefined : plan.price * 1000 },
		caps: {
			...{ day: day?.images, month: whole?.images, usdPerDay: day?.usd, usdPerMonth: whole?.usd },
			overage: settings.overageMills * 1000,
		},
		dayTotals: await withoutReceipts(totals, receipts),
	});
}

/** Enough to recognize a name, and short enough that a phone breaks a line no more than once. */
const NAME_CHARACTERS = 24;

/**
 * Formats usage by member as a Markdown code block, most calls first. Of what Discord and Slack both display, only a
 * code block keeps columns aligned. Names are last in their lines, because letters of some scripts would push the
 * figures out of line. Rows that do not fit are summed up in one, so that the columns always add up to the last line.
 *
 * @param maxCharacters at least about 250
 */
export function tableOf(t: Translate, { members, totals, month }: Report, maxCharacters: number): string {
	if (members.length === 0) return t('report.empty', { month: monthName(t, month) });
	const columns = figuresIn(t, members, totals).map((column) => {
		// No figure is negative, so none is wider than the total of its column.
		return { ...column, width: Math.max(columnsOf(column.title), columnsOf(column.cell(totals))) };
	});
	const line = (name: string, figures?: Figures) => {
		const cells = columns.map(({ title, cell, width }) => {
			const text = figures ? cell(figures) : title;
			return ' '.repeat(Math.max(0, width - columnsOf(text))) + text;
		});
		return [...cells, name].join('  ');
	};
	const rows = members.map((member) => line(sanitizeName(member.name) || member.id, member));
	const block = (shown: readonly string[], rest: readonly Figures[]) => {
		const more = rest.length > 0 ? [line(t('report.table.more', { count: rest.length }), sumOf(rest))] : [];
		const lines = [line(t('report.table.member')), ...shown, ...more, line(t('report.table.total'), totals)];
		return ['```', ...lines, '```'].join('\n');
	};

	const whole = block(rows, []);
	if (whole.length <= maxCharacters) return whole;
	let available = maxCharacters - block([], members).length;
	let shown = 0;
	for (const { length } of rows) {
		available -= length + 1;
		if (available < 0) break;
		shown++;
	}
	return block(rows.slice(0, shown), members.slice(shown));
}

function figuresIn(t: Translate, members: readonly Figures[], totals: Figures) {
	const decimals = Math.max(...members.map(({ usd }) => decimalsOf(usd)));
	const column = (title: string, figure: (figures: Figures) => number) => ({
		title,
		cell: (figures: Figures) => count(t, figure(figures)),
	});
	return [
		column(t('report.table.calls'), ({ calls }) => calls),
		column(t('report.table.pictures'), ({ pictures }) => pictures),
		column(t('report.table.failed'), ({ failed }) => failed),
		...(totals.unknown > 0 ? [column(t('report.table.unknown'), ({ unknown }) => unknown)] : []),
		...(totals.tokens
			? [column(t('report.table.tokens'), ({ tokens }) => (tokens ? tokens.input + tokens.output : 0))]
			: []),
		{ title: 'USD', cell: ({ usd }: Figures) => dollars(t, usd, decimals) },
	];
}

/** In a code block only backticks have a meaning. What could be read as a mention is broken up nevertheless. */
const sanitizeName = (name: string) => inCode(name, NAME_CHARACTERS).replace(/[@<#]/g, '$&\u200b');

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

const cellsOf = ({ calls, pictures, usd, tokens }: Figures) => ({
	calls,
	pictures,
	cost_usd: (usd / 1_000_000).toFixed(decimalsOf(usd)),
	...(tokens && { input_tokens: tokens.input, output_tokens: tokens.output }),
});

/** A spreadsheet rounds numbers to 15 digits. The platform's name makes an id text. */
const qualify = (platform: string, id: string) => text(`${platform}:${id}`);

/**
 * Returns a text as one line. Where semicolons separate cells, a spreadsheet splits cells at them, and each part may be
 * a formula.
 */
const text = (value: string) => oneLine(value).replace(/;(?=[\s"']*[=+\-@＝＋－＠])/g, ";'");
