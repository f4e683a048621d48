import { dollars } from '../../domain/money.ts';
import { clip, oneLine } from '../../domain/text.ts';
import { type Translate, translatorFor } from '../../i18n/translator.ts';
import { monthName } from './calendar.ts';
import { count, type Figures, sumOf } from './figures.ts';
import type { Report } from './summary.ts';

/** https://docs.discord.com/developers/resources/message#create-message */
const DISCORD_CHARACTERS = 2000;

/** Enough to know somebody by, and a line that a phone does not break more than once. */
const NAME_CHARACTERS = 24;

/**
 * Who used what, most calls first, as a Markdown code block: of what Discord and Slack both show, only that keeps columns.
 * Names come last in their lines, so that no alphabet can push figures out of line. Rows that don't fit are added up in one,
 * so the columns always sum to the last line. It needs some 250 characters to say anything.
 */
export function tableOf(
	report: Report,
	{ maxCharacters = DISCORD_CHARACTERS, t = translatorFor() }: { maxCharacters?: number; t?: Translate } = {},
): string {
	const { members, totals, month } = report;
	if (members.length === 0) return t('report.empty', { month: monthName(t, month) });

	const decimals = members.some(({ cost }) => cost % 10 !== 0) ? 3 : 2;
	const columns: { title: string; cell: (figures: Figures) => string }[] = [
		{ title: t('report.table.calls'), cell: ({ calls }) => count(t, calls) },
		{ title: t('report.table.pictures'), cell: ({ pictures }) => count(t, pictures) },
		{ title: t('report.table.failed'), cell: ({ failed }) => count(t, failed) },
		{ title: 'USD', cell: ({ cost }) => dollars(t, cost, decimals) },
	];
	if (totals.unknown > 0)
		columns.splice(3, 0, { title: t('report.table.unknown'), cell: ({ unknown }) => count(t, unknown) });
	// No figure is negative, so none is wider than the total of its column.
	const widths = columns.map(({ title, cell }) => Math.max(widthOf(title), cell(totals).length));
	const line = (cells: string[], name: string) =>
		[...cells.map((cell, index) => ' '.repeat((widths[index] ?? 0) - widthOf(cell)) + cell), name].join('  ');
	const row = (figures: Figures, name: string) =>
		line(
			columns.map(({ cell }) => cell(figures)),
			name,
		);
	const block = (shown: readonly string[], rest: Report['members']) =>
		[
			'```',
			line(
				columns.map(({ title }) => title),
				t('report.table.member'),
			),
			...shown,
			...(rest.length > 0 ? [row(sumOf(rest), t('report.table.more', { count: rest.length }))] : []),
			row(totals, t('report.table.total')),
			'```',
		].join('\n');

	const rows = members.map((member) => row(member, inert(member.name) || member.id));
	const whole = block(rows, []);
	if (whole.length <= maxCharacters) return whole;
	let room = maxCharacters - block([], members).length;
	let shown = 0;
	for (const { length } of rows) {
		room -= length + 1;
		if (room < 0) break;
		shown++;
	}
	return block(rows.slice(0, shown), members.slice(shown));
}

/** In columns of letters of one width, those of East Asia take two. https://www.unicode.org/reports/tr11/ */
const widthOf = (text: string) =>
	[...text].length + (text.match(/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}ー]/gu)?.length ?? 0);

/** In a code block only backticks mean something; what could be read as a mention is broken all the same. */
const inert = (name: string) => clip(oneLine(name).replaceAll('`', 'ˋ'), NAME_CHARACTERS).replace(/[@<#]/g, '$&\u200b');
