import { RE2JS } from 're2js';

/** A part of a text: the index of its first UTF-16 unit, and the index after its last. */
export type TextSpan = readonly [start: number, end: number];

/** The longest prompt. Longer texts are cut. */
const MAX_TEXT = 2000;

/** https://docs.discord.com/developers/resources/auto-moderation#auto-moderation-rule-object-trigger-metadata-field-limits */
const MAX_PATTERN = 260;

/** Largest program of one pattern, and of all patterns of a server together, in instructions. A match takes their number × the text's length. */
const MAX_INSTRUCTIONS = 500;
const MAX_SERVER_INSTRUCTIONS = 10_000;

/** A pattern is not compiled, which takes a millisecond for 100 instructions, when it may have more than this. */
const MAX_ESTIMATE = 2 * MAX_INSTRUCTIONS;

/** The longest search for further matches of a pattern in one text, in instructions × characters. */
const MAX_STEPS = 2_000_000;

/** How long all patterns of a server may take per minute, in milliseconds, before they are ignored for its rest. Ordinary ones take one a text. */
const MAX_MS_PER_MINUTE = 500;

/** Why a pattern is ignored. */
export type Defect = 'not readable' | 'too large' | 'too slow';

/** A pattern of other people, which takes time in proportion to the text. */
export type LinearPattern = {
	/** Returns what the pattern matches, in order; a bounded number. */
	matches(text: string): readonly TextSpan[];
};

/** Compiles the patterns of one server, within common bounds, and reports those that are ignored. */
export class PatternCompiler {
	readonly #onDefect: (why: Defect) => void;
	#instructionsLeft = MAX_SERVER_INSTRUCTIONS;
	/** What the patterns have taken in the minute since `#since`. */
	#spentMs = 0;
	#since = 0;

	constructor(onDefect: (why: Defect) => void) {
		this.#onDefect = onDefect;
	}

	compile(pattern: string): LinearPattern | undefined {
		const program = isReadable(pattern) ? compile(pattern) : 'not readable';
		if (typeof program === 'string') return void this.#onDefect(program);
		const size = program.re2().numberOfInstructions();
		if (size > Math.min(this.#instructionsLeft, MAX_INSTRUCTIONS)) return void this.#onDefect('too large');
		this.#instructionsLeft -= size;
		return {
			matches: (text) => this.#timed(() => matchesOf(program, bounded(text), MAX_STEPS / size)) ?? [],
		};
	}

	/** Returns undefined when the patterns have taken too long in this minute. */
	#timed<T>(work: () => T): T | undefined {
		const start = performance.now();
		if (start - this.#since > 60_000) [this.#since, this.#spentMs] = [start, 0];
		if (this.#spentMs > MAX_MS_PER_MINUTE) return void this.#onDefect('too slow');
		const result = work();
		this.#spentMs += performance.now() - start;
		return result;
	}
}

function matchesOf(program: RE2JS, text: string, maxCharacters: number): TextSpan[] {
	const spans: TextSpan[] = [];
	const matcher = program.matcher(text);
	while (spans.length * text.length < maxCharacters && matcher.find()) spans.push([matcher.start(), matcher.end()]);
	return spans;
}

const bounded = (text: string) => text.slice(0, MAX_TEXT).toWellFormed();

/** Discord's patterns are written in Rust's syntax, and ignore case. Those that RE2 does not know, such as look-around, Rust refuses as well. */
function compile(pattern: string): RE2JS | Defect {
	if (estimate(pattern) > MAX_ESTIMATE) return 'too large';
	try {
		return RE2JS.compile(pattern.replace(/^\(\?[iu]+\)/, ''), RE2JS.CASE_INSENSITIVE);
	} catch {
		return 'not readable';
	}
}

/** Returns at least as many instructions as a pattern has: a counted repetition repeats what it stands behind. */
function estimate(pattern: string): number {
	let [single, groups] = [pattern.length, 1];
	for (const [, isGroup, from, to] of pattern.matchAll(/(\)?)\{(\d+)(?:,(\d*))?\}/g)) {
		const times = Math.max(2 * Number(to ?? 0), Number(from), 1);
		if (isGroup) groups *= times;
		else single += times;
	}
	return single * groups;
}

/** Operators within character classes have another meaning in RE2, which reports no error. Bounded: at most 260 characters. */
const CLASS_OPERATOR = /\[(?:[^\]\\]|\\.)*?(?:\[(?!:)|&&|--|~~)/su;

const isReadable = (pattern: string) => pattern.length <= MAX_PATTERN && !CLASS_OPERATOR.test(pattern);
