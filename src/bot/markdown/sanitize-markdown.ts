import { columnsOf } from '../../domain/text.ts';

/** The characters that need a decision. */
const SPECIAL = /[@<`[\]\\~]/g;

/** Platforms drop these characters, which would join the text around them. */
const CONTROLS = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g;

/** A zero-width space. It breaks mentions and links without being seen; discord.js used it for the same purpose. */
const BREAK = '\u200b';

/** UTF-16 units before a position that are looked at. */
const CONTEXT = 256;

/** The longest code span that is recognized, in UTF-16 units. */
const MAX_CODE = 300;

/** The longest link, and the longest address before a bar, in UTF-16 units. */
const MAX_LINK = 1000;

const FENCE_START = /^```[\w+#.-]*[ \t]*\r?$/;
const FENCE_END = /^```[ \t]*\r?$/;
const SPAN = /^(`{1,2})([^`]+)\1/;

/** What more text may turn into another character, a code span or the end of a fence. */
const UNDECIDED_END = /(?:(?<!`)`+[ \t]*\r?|[\ud800-\udbff])$/;

/**
 * Makes a model's Markdown harmless on every platform. Mentions and entities (`@everyone`, `<@1>`, `<!here>`) are broken by an
 * invisible character, a link whose text names another address shows both, and code is left unchanged where no platform can take it
 * for anything else.
 *
 * @param isWhole false while more text may follow: an open link, code span or mention at the end is then left out, and the result is
 * the beginning of what the whole text becomes
 */
export function sanitizeMarkdown(text: string, isWhole = true): string {
	const cleaned = text.replace(CONTROLS, '');
	const decided = isWhole ? cleaned : cleaned.replace(UNDECIDED_END, '');
	return new Scan(decided.toWellFormed(), isWhole, true).run();
}

/** Sanitizes a whole text, its code included. */
const sanitizeStrictly = (text: string): string => new Scan(text, true, false).run();

/** One decision about the text at a position: where it goes on, and what is put out instead of the text up to there. */
type Step = { end: number; output?: string };

/** One pass over a text. A decision is undefined when it needs more text. */
class Scan {
	readonly #text: string;
	readonly #isWhole: boolean;
	/**
	 * So far every backtick is one of a pair on its line, or of a plain fence. After that, platforms differ in what they take for code,
	 * so nothing counts as code any more: it is better to break an address in code without need than to let a mention ping.
	 */
	#isCodeReliable: boolean;

	constructor(text: string, isWhole: boolean, isCodeReliable: boolean) {
		this.#text = text;
		this.#isWhole = isWhole;
		this.#isCodeReliable = isCodeReliable;
	}

	run(): string {
		const text = this.#text;
		let output = '';
		for (let at = 0; at < text.length; ) {
			SPECIAL.lastIndex = at;
			const next = SPECIAL.exec(text)?.index ?? text.length;
			output += text.slice(at, next);
			if (next === text.length) break;
			const step = this.#decide(next);
			if (!step) break;
			output += step.output ?? text.slice(next, step.end);
			at = step.end;
		}
		return output;
	}

	#decide(at: number): Step | undefined {
		const text = this.#text;
		switch (text[at]) {
			case '@':
				return this.#mention(at);
			case '<':
				return this.#entity(at);
			case '[':
				return this.#link(at);
			case ']':
				return this.#closingBracket(at);
			case '`':
				return this.#backticks(at);
			case '~':
				// Fences of tildes are not code on every platform.
				if (text.startsWith('~~~', at)) this.#isCodeReliable = false;
				return { end: at + 1 };
			default: {
				const end = text[at + 1] === '\\' ? at + 2 : at + 1;
				if (text[end] === '`') this.#isCodeReliable = false;
				return { end: text[at + 1] === '`' ? at + 2 : end };
			}
		}
	}

	/** Breaks `@everyone` and its like. */
	#mention(at: number): Step | undefined {
		const word = this.#text.slice(at + 1, at + 9).toLowerCase();
		const isOpen = !this.#isWhole && at + 1 + word.length === this.#text.length;
		if (isOpen && NAMES.some((name) => name !== word && name.startsWith(word))) return undefined;
		return { end: at + 1, output: NAMES.some((name) => word.startsWith(name)) ? `@${BREAK}` : '@' };
	}

	/**
	 * Breaks `<@1>`, `<#1>`, `<!here>` and `<https://evil|bank>`, which Slack shows as a link.
	 * https://docs.slack.dev/messaging/formatting-message-text
	 */
	#entity(at: number): Step | undefined {
		const start = this.#text.slice(at, at + MAX_LINK);
		const isCut = start.length === MAX_LINK;
		if (!this.#isWhole && !isCut && /^<(?:[a-z][\w+.-]*(?::[^\s<>|]*)?)?$/i.test(start)) return undefined;
		const breaks = /^<(?:[@#!]|[a-z][\w+.-]*:[^\s<>|]*\|)/i.test(start) || (isCut && /^<[a-z][^\s<>|]*$/i.test(start));
		return { end: at + 1, output: breaks ? `<${BREAK}` : '<' };
	}

	/** Shows the address of a link whose text names another one. */
	#link(at: number): Step | undefined {
		const { line, isComplete } = this.#lineAfter(at, MAX_LINK);
		const bracket: Step = { end: at + 1 };
		const label = LABEL.exec(line)?.[0] ?? line;
		const next = line[label.length];
		if (next !== undefined && next !== '(') return bracket;
		const target = next && TARGET.exec(line.slice(label.length));
		if (!target) return isComplete ? bracket : undefined;
		const words = sanitizeStrictly(label.slice(1, -1));
		const address = target[1]!.replace(/@(?=everyone|here|channel)/gi, '%40').replaceAll('`', '%60');
		const output = isSpoofedLink(words, address) ? `${words} (${address})` : `[${words}](${address})`;
		return { end: at + label.length + target[0].length, output };
	}

	/** Breaks a closing bracket that ends no link: it must not become one, nor define one. */
	#closingBracket(at: number): Step | undefined {
		const next = this.#text[at + 1];
		if (next === undefined && !this.#isWhole) return undefined;
		const defines = next === ':' && /^[ \t>]*\[/.test(this.#lineBefore(at));
		return { end: at + 1, output: next === '(' || defines ? `]${BREAK}` : ']' };
	}

	/** Leaves a fence or a code span as it is. */
	#backticks(at: number): Step | undefined {
		const text = this.#text;
		const run = /^`+/.exec(text.slice(at, at + MAX_CODE))![0].length;
		if (!this.#isCodeReliable) return { end: at + run };
		const { line, isComplete } = this.#lineAfter(at, MAX_CODE);
		const span = SPAN.exec(line);
		if (!span && !isComplete && (run >= 3 || !line.includes('`', run))) return undefined;
		const newline = at + line.length;
		if (text[newline] === '\n' && this.#beginsLine(at) && FENCE_START.test(line)) return this.#fence(newline + 1);
		const end = at + (span?.[0].length ?? run);
		// Some platforms take a backtick for part of the address before it.
		const word = /(?<!\S)\S*$/.exec(this.#lineBefore(at))![0];
		this.#isCodeReliable = Boolean(span) && text[end] !== '`' && !word.includes('://') && word.length < CONTEXT - 1;
		if (!span || !this.#isCodeReliable) return { end: at + run };
		const [, ticks, code] = span as unknown as [string, string, string];
		// A bar may end a table's cell, and brackets may be a link: this is code on some platforms only.
		return { end, output: /\||\]\(/.test(code) ? ticks + sanitizeStrictly(code) + ticks : undefined };
	}

	/** @param from the beginning of the first line in the fence */
	#fence(from: number): Step {
		const text = this.#text;
		const mark = text.indexOf('```', from);
		if (mark < 0) return { end: text.length };
		const newline = text.indexOf('\n', mark);
		const line = text.slice(mark, newline < 0 ? text.length : newline);
		const isEnd = this.#beginsLine(mark) && FENCE_END.test(line);
		// Discord does not take an empty fence for one, and looks for its end further on.
		this.#isCodeReliable = isEnd && /[^\s`]/.test(text.slice(from, mark));
		return { end: isEnd ? mark + line.length : mark };
	}

	#beginsLine(at: number): boolean {
		return at === 0 || this.#text[at - 1] === '\n';
	}

	/** Returns the start of the line that a position is on, as far back as `CONTEXT` reaches. */
	#lineBefore(at: number): string {
		const context = this.#text.slice(Math.max(0, at - CONTEXT), at);
		return context.slice(context.lastIndexOf('\n') + 1);
	}

	/** Returns what follows on a line, up to a length, and whether that stays the same when more text arrives. */
	#lineAfter(at: number, most: number): { line: string; isComplete: boolean } {
		const text = this.#text.slice(at, at + most);
		const newline = text.indexOf('\n');
		const isComplete = this.#isWhole || newline >= 0 || text.length === most;
		return { line: newline < 0 ? text : text.slice(0, newline), isComplete };
	}
}

const NAMES = ['everyone', 'here', 'channel'];
/** The text in a link's brackets. It may contain code spans, escapes and one level of brackets. */
const LABEL = /^\[(?:[^[\]`\\\n]|\\(?:\\(?!`)|[^\\\n])|`[^`\n]+`|\[[^[\]`\n]*\])*\]/;
/** Bounded: at most 1,000 characters, a link's. */
const TARGET = /^\(\s*(<(?![@#!])[^<>\n]*>|(?:[^\s()<>]|\([^\s()<>]*\))*)(?:\s+(?:"[^"\n]*"|'[^'\n]*'))?\s*\)/;

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
