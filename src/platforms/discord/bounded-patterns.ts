import { createContext, Script } from 'node:vm';

/** A part of a text, from its first UTF-16 unit to behind its last. */
export type Span = readonly [start: number, end: number];

/** Patterns that other people have written, run so that none of them can hold up this process. */
export type BoundedPatterns = {
	/** What of a text each of these patterns matches; those that take too long are left out, from then on for good. */
	matches(patterns: readonly string[], text: string): Span[];
};

/** No prompt is longer. */
const MAX_TEXT = 2000;

/** Milliseconds that the patterns of one rule may take together; what a person waits at most, and everybody else with them. */
const MAX_MS = 25;

/** Of each pattern. */
const MAX_MATCHES = 50;

/** Patterns that are known to be of no use. */
const REMEMBERED = 5000;

/** Runs where a limit of time is kept, which V8 does also within a regular expression. https://nodejs.org/api/vm.html */
const script = new Script(`
	for (; at < patterns.length; at++) {
		let left = ${MAX_MATCHES};
		for (const match of text.matchAll(new RegExp(patterns[at], 'giu'))) {
			spans.push([match.index, match.index + match[0].length]);
			if (--left === 0) break;
		}
	}
`);

/** @param useless told once of each pattern that is left out, and why */
export function createBoundedPatterns(useless: (why: 'not readable' | 'too slow') => void): BoundedPatterns {
	const known = new Map<string, boolean>();

	function leaveOut(pattern: string, why: Parameters<typeof useless>[0]) {
		remember(pattern, false);
		useless(why);
	}

	function remember(pattern: string, isUseful: boolean) {
		const oldest = known.keys().next();
		if (known.size >= REMEMBERED && !oldest.done) known.delete(oldest.value);
		known.set(pattern, isUseful);
	}

	function isUseful(pattern: string): boolean {
		if (!known.has(pattern)) {
			if (isReadable(pattern)) remember(pattern, true);
			else leaveOut(pattern, 'not readable');
		}
		return known.get(pattern) ?? false;
	}

	return {
		matches(patterns, text) {
			const useful = patterns.filter(isUseful);
			if (useful.length === 0) return [];
			const sandbox = {
				...{ at: 0, spans: [] as Span[] },
				...{ patterns: useful.map(inJavaScript), text: text.slice(0, MAX_TEXT).toWellFormed() },
			};
			const context = createContext(sandbox);
			// Each time it takes too long, the pattern that was being tried is the last of its kind.
			for (const end = performance.now() + 2 * MAX_MS; ; sandbox.at++) {
				try {
					script.runInContext(context, { timeout: MAX_MS });
					return sandbox.spans;
				} catch (error) {
					if (!(error instanceof Error && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'))
						throw error;
					leaveOut(useful[sandbox.at] ?? '', 'too slow');
					if (performance.now() > end) return sandbox.spans;
				}
			}
		},
	};
}

/**
 * Discord's patterns are Rust's, with no regard to case. What the two languages write differently is put right here where it
 * is no more than a way of writing; flags at the start are in force anyway.
 */
const inJavaScript = (pattern: string) => pattern.replace(/^\(\?[iu]+\)/, '').replaceAll('(?P<', '(?<');

/** Classes within classes mean something else in JavaScript, which would not complain. */
const NESTED_CLASS = /\[(?:[^\]\\]|\\.)*?(?:\[|&&|--|~~)/su;

function isReadable(pattern: string): boolean {
	try {
		return Boolean(new RegExp(inJavaScript(pattern), 'iu')) && !NESTED_CLASS.test(pattern);
	} catch {
		return false;
	}
}
