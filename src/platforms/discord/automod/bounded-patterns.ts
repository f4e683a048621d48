import { createContext, Script } from 'node:vm';

/** A part of a text, from its first UTF-16 unit to behind its last. */
export type Span = readonly [start: number, end: number];

/** Patterns that other people have written, run so that none of them can hold up this process. */
export type BoundedPatterns = {
	/** What of a text these patterns match. Those that take too long are left out, and before long for good. */
	matches(patterns: readonly string[], text: string): Span[];
};

/** No prompt is longer. */
const MAX_TEXT = 2000;

/** Milliseconds that the patterns of one rule may take together: so long everybody waits. */
const MAX_MS = 50;

/** So many patterns may take too long at once; the others are not tried any more. */
const MAX_TIMEOUTS = 2;

/** A pattern that took too long so often is left out for good; once, the machine may have been busy. */
const MAX_STRIKES = 3;

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
	/** How often each took too long; `Infinity` for what can't be read. */
	const strikes = new Map<string, number>();

	function strike(pattern: string, count: number, why: Parameters<typeof useless>[0]) {
		const oldest = strikes.keys().next();
		if (strikes.size >= REMEMBERED && !oldest.done) strikes.delete(oldest.value);
		strikes.set(pattern, count);
		if (count >= MAX_STRIKES) useless(why);
	}

	function isUseful(pattern: string): boolean {
		if (!strikes.has(pattern) && !isReadable(pattern)) strike(pattern, Number.POSITIVE_INFINITY, 'not readable');
		return (strikes.get(pattern) ?? 0) < MAX_STRIKES;
	}

	return {
		matches(patterns, text) {
			const useful = patterns.filter(isUseful);
			if (useful.length === 0) return [];
			const sandbox = {
				at: 0,
				spans: [] as Span[],
				patterns: useful.map(inJavaScript),
				text: text.slice(0, MAX_TEXT).toWellFormed(),
			};
			const context = createContext(sandbox);
			for (let timeouts = 0; timeouts < MAX_TIMEOUTS; timeouts++) {
				try {
					script.runInContext(context, { timeout: MAX_MS });
					break;
				} catch (error) {
					if (!isTimeout(error)) throw error;
					const slow = useful[sandbox.at] ?? '';
					strike(slow, (strikes.get(slow) ?? 0) + 1, 'too slow');
					sandbox.at++;
				}
			}
			return sandbox.spans;
		},
	};
}

const isTimeout = (error: unknown) =>
	typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';

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
