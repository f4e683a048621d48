import { columnsOf } from '../../domain/text.ts';

/** Platforms drop these characters, which would join the text around them. */
const CONTROLS = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g;

/** A zero-width space. It breaks mentions and links without being seen; discord.js used it for the same purpose. */
const BREAK = '\u200b';

/** The longest link, and the longest address in angle brackets, in UTF-16 units. */
const MAX_LINK = 1000;

/** A fence up to the next marks: code on every platform, where no marks before it are taken for something else. */
const CODE = /^```[\w+#.-]*[ \t]*\r?\n((?:(?!```)[\s\S])*)((?<=\n)```[ \t]*\r?$)?/gm;

/** A code span whose marks are a pair on every platform. */
const SPAN = /(?<![`\\])(`{1,2})(?!`)[^`\n]+\1(?!`)/g;

/**
 * The beginning of a link, and what is broken: `@everyone`, `<@1>`, `<#1>`, `<!here>`, `<https://evil|bank>`, which Slack shows as a link,
 * and a bracket that would end a link or define one. https://docs.slack.dev/messaging/formatting-message-text
 */
const SPECIAL =
	/\[|@(?=everyone|here|channel)|<(?=[@#]|!(?!--|doctype)|[a-z][\w+.-]{0,30}:(?![^\s<>|]{0,1000}>))|\](?=\(|:(?<=^[ \t>]{0,20}\[[^\n]{0,256}:))/gim;

/** What more text may turn into another character, a mention, an entity, the end of a link, or a fence. */
const UNDECIDED_END =
	/(?:@[a-z]{0,7}|<[^\s<>|]{0,1035}|\]|(?<![^\n])```[\w+#.-]*[ \t]*\r?|(?<!`)`+[ \t]*\r?|[\ud800-\udbff])$/i;

/**
 * Makes a model's Markdown harmless on every platform. Mentions and entities (`@everyone`, `<@1>`, `<!here>`) are broken by an
 * invisible character, a link whose text names another address shows both, and fences are left unchanged where no platform can take them
 * for anything else.
 *
 * @param isWhole false while more text may follow: an open link, fence or mention at the end is then left out, and the result is the
 * beginning of what the whole text becomes
 */
export function sanitizeMarkdown(text: string, isWhole = true): string {
	const cleaned = text.replace(CONTROLS, '');
	const decided = (isWhole ? cleaned : cleaned.replace(UNDECIDED_END, '')).toWellFormed();
	let output = '';
	let at = 0;
	// After other marks platforms differ in what they take for code. It is better to break an address in code without need than to let a
	// mention ping.
	for (const { index, 0: fence, 1: code = '', 2: end } of decided.matchAll(CODE)) {
		const before = decided.slice(at, index);
		if (hasStrayMarks(before)) break;
		output += sanitizeText(before) + fence;
		at = index + fence.length;
		// Discord does not take an empty fence for one, and looks for its end further on.
		if (end === undefined || !/[^\s`]/.test(code)) break;
	}
	return output + sanitizeText(decided.slice(at), isWhole);
}

/** Tells whether backticks or tildes may be taken for code that goes on. Some platforms take a backtick for part of the address before it. */
const hasStrayMarks = (text: string): boolean =>
	/`|~~~/.test(text.replace(SPAN, '')) ||
	text.split(/\s/).some((word) => word.includes('://') && word.lastIndexOf('`') > word.indexOf('://'));

/** Sanitizes text outside of fences, code spans included. */
function sanitizeText(text: string, isWhole = true): string {
	let output = '';
	for (let at = 0; at < text.length; ) {
		SPECIAL.lastIndex = at;
		const next = SPECIAL.exec(text)?.index ?? text.length;
		output += text.slice(at, next);
		const link =
			text[next] === '[' ? linkAt(text, next, isWhole) : { end: next + 1, shown: `${text[next] ?? ''}${BREAK}` };
		if (!link || next === text.length) break;
		output += link.shown;
		at = link.end;
	}
	return output;
}

/** The text in a link's brackets. It may contain code spans, escapes and one level of brackets. */
const LABEL = /^\[(?:[^[\]`\\\n]|\\(?:\\(?!`)|[^\\\n])|`[^`\n]+`|\[[^[\]`\n]*\])*\]/;
/** Bounded: at most 1,000 characters, a link's. */
const TARGET = /^\(\s*(<(?![@#!])[^<>\n]*>|(?:[^\s()<>]|\([^\s()<>]*\))*)(?:\s+(?:"[^"\n]*"|'[^'\n]*'))?\s*\)/;

/** Returns a link, with its address where its text names another one, or a bracket alone; undefined when that needs more text. */
function linkAt(text: string, at: number, isWhole: boolean): { end: number; shown: string } | undefined {
	const [line = ''] = text.slice(at, at + MAX_LINK).split('\n', 1);
	const isComplete = isWhole || line.length === MAX_LINK || text[at + line.length] === '\n';
	const label = LABEL.exec(line)?.[0] ?? line;
	const next = line[label.length];
	const target = next === '(' ? TARGET.exec(line.slice(label.length)) : undefined;
	if (!target) return isComplete || (next !== undefined && next !== '(') ? { end: at + 1, shown: '[' } : undefined;
	const words = sanitizeText(label.slice(1, -1));
	const address = target[1]!.replace(/@(?=everyone|here|channel)/gi, '%40');
	const shown = isSpoofedLink(words, address) ? `${words} (${address})` : `[${words}](${address})`;
	return { end: at + label.length + target[0].length, shown };
}

/** Characters of a link's text that are invisible, or markup. */
const INVISIBLE = /[`*_~\\\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff]/g;
/** The longest text of a link that is looked at, since normalizing makes some texts longer. */
const MAX_SHOWN = 2000;
/** Bounded: at most 2,000 characters. */
const ADDRESS = /(?:[a-z][a-z\d+.-]*:\/\/|www\.)[^\s/?#]+|(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}(?=[/:?#]|$)/giu;
/** File endings, which products are named after too. None is a top-level domain. */
const FILE_ENDING = /\.(?:js|mjs|cjs|ts|tsx|jsx|json|html?|css|txt|cpp|java|ya?ml|toml|xml|csv|pdf|png|jpe?g)$/i;

/** Tells whether a link's text looks like an address on another host than the one that the link goes to, or is too long to tell. */
function isSpoofedLink(label: string, target: string): boolean {
	const shown = label.normalize('NFKC').replace(INVISIBLE, '').trim();
	if (shown.length > MAX_SHOWN) return true;
	const host = hostOf(target.replace(/^<|>$/g, ''));
	return (shown.match(ADDRESS) ?? []).some((address) => !FILE_ENDING.test(address) && hostOf(address) !== host);
}

function hostOf(address: string): string | undefined {
	const url = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(address) ? address : `http://${address}`);
	return url?.hostname.replace(/^www\./, '');
}

/** The widest table that is shown in columns, in the columns of a code block: what fits on a phone. */
const MAX_COLUMNS = 60;

/** A longer table is laid out in parts of so many rows, each with the head, of which a message holds some. */
const MAX_ROWS = 40;

/** A row that begins with a bar, as models write them. https://github.github.com/gfm/#tables-extension- */
const ROW = /^ {0,3}\|/;
const DELIMITER_ROW = /^ {0,3}\|(?:[ \t]*:?-+:?[ \t]*\|)*(?:[ \t]*:?-+:?)?[ \t]*$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/**
 * Lays out the tables of a model's Markdown for platforms that show them as they are written: in columns in a code block where they are
 * narrow enough, else as lists of `header: value`. Tables in code stay as they are.
 *
 * @param isWhole false while more text may follow: a table at the end is then left out, and the result is the beginning of what the whole
 * text becomes
 */
export function layOutTables(text: string, isWhole = true): string {
	const lines = text.split('\n');
	const last = lines.findLastIndex(
		(line, index) => !(ROW.test(line) || (index === lines.length - 1 && /^ {0,3}$/.test(line))),
	);
	const decided = isWhole ? lines : lines.slice(0, last + 1);
	const output: string[] = [];
	let fence = '';
	for (let at = 0; at < decided.length; ) {
		const line = decided[at]!;
		const marks = FENCE.exec(line)?.[1] ?? '';
		if (fence === '' && marks) fence = marks;
		else if (fence !== '' && marks.startsWith(fence) && line.trim() === marks) fence = '';
		const head = fence === '' && ROW.test(line) ? cellsOf(line) : [];
		const delimiters = DELIMITER_ROW.test(decided[at + 1] ?? '') ? cellsOf(decided[at + 1]!) : [];
		if (head.length > 0 && head.length === delimiters.length) {
			const end = decided.findIndex((other, index) => index > at && !ROW.test(other));
			const rows = decided.slice(at + 2, end < 0 ? undefined : end).map(cellsOf);
			for (let from = 0; from === 0 || from < rows.length; from += MAX_ROWS)
				output.push(...layOut(head, delimiters, rows.slice(from, from + MAX_ROWS)));
			at += rows.length + 2;
		} else {
			output.push(line);
			at++;
		}
	}
	return output.join('\n') + (decided.length > 0 && decided.length < lines.length ? '\n' : '');
}

/** Returns the cells of a row. A bar in a cell is escaped. */
function cellsOf(line: string): string[] {
	const cells = line
		.trim()
		.replace(/^\|/, '')
		.split(/(?<!\\)\|/);
	if (cells.at(-1)?.trim() === '') cells.pop();
	return cells.map((cell) => cell.replaceAll('\\|', '|').trim());
}

function layOut(head: readonly string[], delimiters: readonly string[], rows: readonly string[][]): string[] {
	const whole = rows.map((row) => head.map((_, index) => row[index] ?? ''));
	const plain = [head, ...whole].map((row) => row.map(plainText));
	const widths = head.map((_, index) => Math.max(1, ...plain.map((row) => columnsOf(row[index] ?? ''))));
	const width = widths.reduce((sum, one) => sum + one + 2, -2);
	// Links work, and code spans can be told from words, outside of code alone.
	const needsMarkup = [head, ...whole].some((row) => row.some((cell) => /\]\(|```|https?:/.test(cell)));
	if (width > MAX_COLUMNS || needsMarkup)
		return whole.length === 0 ? [head.join(' · ')] : whole.flatMap((row) => listOf(head, row));
	const aligned = (cell: string, index: number) => {
		const left = widths[index]! - columnsOf(cell);
		const marks = delimiters[index]!;
		const before = marks.endsWith(':') ? left >> (marks.startsWith(':') ? 1 : 0) : 0;
		return ' '.repeat(before) + cell + ' '.repeat(left - before);
	};
	const [first = '', ...others] = plain.map((row) => row.map(aligned).join('  ').trimEnd());
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
