import type { TokenUsage } from '../../domain/job.ts';
import { dollars, inCode } from '../../domain/text.ts';
import { type Translate, translatorFor } from '../../i18n/translator.ts';
import { monthName } from './calendar.ts';
import { count, type Figures, sumOf } from './figures.ts';
import type { Report } from './summary.ts';

/** https://docs.discord.com/developers/resources/message#create-message */
const DISCORD_CHARACTERS = 2000;

/** Enough to recognize a name, and short enough that a phone breaks a line no more than once. */
const NAME_CHARACTERS = 24;

type Column = { title: string; cell: (figures: Figures) => string; width: number };

/**
 * Formats usage by member as a Markdown code block, most calls first. Of what Discord and Slack both display, only a
 * code block keeps columns aligned. Names are last in their lines, because letters of some scripts would push the
 * figures out of line. Rows that do not fit are summed up in one, so that the columns always add up to the last line.
 *
 * @param maxCharacters at least about 250
 */
export function tableOf(
	report: Report,
	{ maxCharacters = DISCORD_CHARACTERS, t = translatorFor() }: { maxCharacters?: number; t?: Translate } = {},
): string {
	const { members, totals, month } = report;
	if (members.length === 0) return t('report.empty', { month: monthName(t, month) });

	const columns = columnsOf(t, report);
	const header = line(
		columns,
		columns.map(({ title }) => title),
		t('report.table.member'),
	);
	const rows = members.map((member) => row(columns, member, sanitizeName(member.name) || member.id));
	const block = (shown: readonly string[], rest: readonly Figures[]) => {
		const more = rest.length > 0 ? [row(columns, sumOf(rest), t('report.table.more', { count: rest.length }))] : [];
		return ['```', header, ...shown, ...more, row(columns, totals, t('report.table.total')), '```'].join('\n');
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

function columnsOf(t: Translate, { members, totals }: Report): Column[] {
	const decimals = members.some(({ cost }) => cost % 10 !== 0) ? 3 : 2;
	const column = (title: string, cell: Column['cell']): Column => ({
		title,
		cell,
		// No figure is negative, so none is wider than the total of its column.
		width: Math.max(widthOf(title), cell(totals).length),
	});
	return [
		column(t('report.table.calls'), ({ calls }) => count(t, calls)),
		column(t('report.table.pictures'), ({ pictures }) => count(t, pictures)),
		column(t('report.table.failed'), ({ failed }) => count(t, failed)),
		...(totals.unknown > 0 ? [column(t('report.table.unknown'), ({ unknown }) => count(t, unknown))] : []),
		...(totals.tokens ? [column(t('report.table.tokens'), ({ tokens }) => count(t, totalOf(tokens)))] : []),
		column('USD', ({ cost }) => dollars(t, cost, decimals)),
	];
}

const totalOf = (tokens: TokenUsage | undefined) => (tokens ? tokens.input + tokens.output : 0);

const row = (columns: readonly Column[], figures: Figures, name: string) =>
	line(
		columns,
		columns.map(({ cell }) => cell(figures)),
		name,
	);

const line = (columns: readonly Column[], cells: readonly string[], name: string) =>
	[...cells.map((cell, index) => ' '.repeat((columns[index]?.width ?? 0) - widthOf(cell)) + cell), name].join('  ');

/**
 * Returns how many columns a text occupies in a fixed-width font, in which East Asian letters occupy two.
 * https://www.unicode.org/reports/tr11/
 */
const widthOf = (text: string) =>
	[...text].length + (text.match(/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}ー]/gu)?.length ?? 0);

/** In a code block only backticks have a meaning. What could be read as a mention is broken up nevertheless. */
const sanitizeName = (name: string) => inCode(name, NAME_CHARACTERS).replace(/[@<#]/g, '$&\u200b');
