import { columnsOf } from '../../domain/text.ts';

/** The widest table that is shown in columns, in the columns of a code block: what fits on a phone. */
const MAX_COLUMNS = 60;

/** A longer table is laid out in parts of so many rows, each with the head, so that its beginning is shown while more is written. */
const MAX_ROWS = 40;

/** A row that begins with a bar, as models write them. https://github.github.com/gfm/#tables-extension- */
const ROW = /^ {0,3}\|/;
const DELIMITER_ROW = /^ {0,3}\|(?:[ \t]*:?-+:?[ \t]*\|)*(?:[ \t]*:?-+:?)?[ \t]*$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** The end of a text that may become a row. */
const OPEN_ROW = /(?:^|\n) {0,3}(?:\|[^\n]*)?$/;

type Align = 'left' | 'right' | 'center';
type Table = { head: string[]; align: Align[]; rows: string[][] };

/**
 * Lays out the tables of a model's Markdown for platforms that show them as they are written: in columns in a code block where they are
 * narrow enough, else as lists of `header: value`. Tables in code stay as they are.
 *
 * @param isWhole false while more text may follow: a table at the end is then left out, and the result is the beginning of what the whole
 * text becomes
 */
export function layOutTables(text: string, isWhole = true): string {
	const open = isWhole ? text.length : (OPEN_ROW.exec(text)?.index ?? text.length);
	// The first line may be a row.
	if (open === 0 && !text.startsWith('\n')) return '';
	const lines = text.slice(0, open).split('\n');
	const output: string[] = [];
	let fence = '';
	for (let at = 0; at < lines.length; at++) {
		const line = lines[at]!;
		const marks = FENCE.exec(line)?.[1] ?? '';
		if (fence === '' && marks) fence = marks;
		else if (fence !== '' && marks.startsWith(fence) && line.trim() === marks) fence = '';
		const head = fence === '' && ROW.test(line) ? cellsOf(line) : [];
		const delimiters = DELIMITER_ROW.test(lines[at + 1] ?? '') ? cellsOf(lines[at + 1]!) : [];
		if (head.length === 0 || head.length !== delimiters.length) {
			// The line after a row decides whether it is a head.
			if (!isWhole && head.length > 0 && at + 1 === lines.length) break;
			output.push(line);
			continue;
		}
		let end = at + 2;
		while (end < lines.length && ROW.test(lines[end]!)) end++;
		const rows = lines.slice(at + 2, end).map(cellsOf);
		const isOpen = !isWhole && end === lines.length;
		const align = delimiters.map(alignOf);
		for (let from = 0; from === 0 || from < rows.length; from += MAX_ROWS) {
			// Until the part is complete, its columns are not known.
			if (isOpen && from + MAX_ROWS > rows.length) return joined(output, true);
			output.push(...layOut({ head, align, rows: rows.slice(from, from + MAX_ROWS) }));
		}
		if (isOpen) return joined(output, true);
		at = end - 1;
	}
	return joined(output, lines.length > 0 && open < text.length);
}

/** @param goesOn a line follows, so that the last one has its end */
const joined = (lines: readonly string[], goesOn: boolean) =>
	lines.join('\n') + (goesOn && lines.length > 0 ? '\n' : '');

/** Returns the cells of a row. A bar in a cell is escaped. */
function cellsOf(line: string): string[] {
	const cells = line
		.trim()
		.replace(/^\|/, '')
		.split(/(?<!\\)\|/);
	if (cells.at(-1)?.trim() === '') cells.pop();
	return cells.map((cell) => cell.replaceAll('\\|', '|').trim());
}

function alignOf(delimiter: string): Align {
	if (!delimiter.endsWith(':')) return 'left';
	return delimiter.startsWith(':') ? 'center' : 'right';
}

function layOut({ head, align, rows }: Table): string[] {
	const whole = rows.map((row) => head.map((_, index) => row[index] ?? ''));
	const plain = [head, ...whole].map((row) => row.map(plainText));
	const widths = head.map((_, index) => Math.max(1, ...plain.map((row) => columnsOf(row[index] ?? ''))));
	const width = widths.reduce((sum, one) => sum + one + 2, -2);
	// Links work, and code spans can be told from words, outside of code alone.
	const needsMarkup = [head, ...whole].some((row) => row.some((cell) => /\]\(|```|https?:/.test(cell)));
	if (width > MAX_COLUMNS || needsMarkup)
		return whole.length === 0 ? [head.join(' · ')] : whole.flatMap((row) => listOf(head, row));
	const lined = plain.map((row) =>
		row
			.map((cell, index) => aligned(cell, widths[index]!, align[index]!))
			.join('  ')
			.trimEnd(),
	);
	const [first = '', ...others] = lined;
	return ['```', first, widths.map((one) => '─'.repeat(one)).join('  '), ...others, '```'];
}

/** Returns a row as an item of a list, with the other cells below its first one. */
const listOf = (head: readonly string[], row: readonly string[]): string[] =>
	row.flatMap((cell, index) => {
		if (cell === '' && index > 0) return [];
		const label = plainText(head[index] ?? '');
		const value = label === '' ? cell : `**${label}:** ${cell}`;
		return [`${index === 0 ? '' : '  '}- ${value}`.trimEnd()];
	});

/** Removes the marks of emphasis and code, which a code block would show. */
const plainText = (cell: string): string =>
	cell
		.replace(/\*\*|__|`/g, '')
		.replace(/(?<![\w*])[*_](?=\S)|(?<=\S)[*_](?![\w*])/g, '')
		.replace(/<br ?\/?>/gi, ' ');

function aligned(cell: string, width: number, align: Align): string {
	const left = width - columnsOf(cell);
	const before = align === 'right' ? left : align === 'center' ? left >> 1 : 0;
	return ' '.repeat(before) + cell + ' '.repeat(left - before);
}
