import type { Skill } from '../talk.ts';

/** Deep enough for any sum that a person types, and far from the end of the stack. */
const MAX_DEPTH = 50;
const MAX_LENGTH = 300;

/** Words for signs, most specific first. */
const WORDS: readonly [RegExp, string][] = [
	[/(\d),(?=\d{3}\b)/g, '$1'],
	[/(?:the )?square root of|√/g, ' sqrt '],
	[/to the power of|\*\*/g, '^'],
	[/\bsquared\b|²/g, '^2'],
	[/\bcubed\b|³/g, '^3'],
	[/(?:%|\bpercent) of\b/g, '/100*'],
	[/\bplus\b/g, '+'],
	[/\bminus\b|−|–/g, '-'],
	[/\btimes\b|\bmultiplied by\b|×|·|(?<=\d\s)x(?=\s\d)/g, '*'],
	[/\bdivided by\b|\bover\b|÷/g, '/'],
	[/\bmod(?:ulo)?\b/g, ' mod '],
];

/** Sums that are asked for, or that are all there is. */
export const calculate: Skill = ({ said }) => {
	if (said.length > MAX_LENGTH) return undefined;
	const plain = WORDS.reduce((text, [pattern, sign]) => text.replaceAll(pattern, sign), said.toLowerCase());
	const asked = /\b(?:what(?:'s| is)|calculate|compute|how much is|work out|solve|evaluate)\b|=/.test(plain);
	const expression = /(?:sqrt|[-(\s]|\d|\.\d)(?:sqrt|mod|[\d\s.+\-*/^()])*/g;
	const candidates = (plain.match(expression) ?? []).map((text) => text.trim()).filter(isSum);
	const sum = candidates.toSorted((a, b) => b.length - a.length)[0];
	if (sum === undefined) return undefined;
	const alone = plain.replace(sum, '').replaceAll(/[\s=?!.]/g, '') === '';
	if (!asked && !alone) return undefined;
	const result = evaluate(sum);
	if (result === undefined) return undefined;
	if (Number.isNaN(result))
		return 'That has no answer: something is divided by zero, or a root taken of a negative number.';
	if (!Number.isFinite(result)) return 'That is too large for me.';
	return `\`${sum.replaceAll(/\s*([+*/^])\s*|\s+/g, (_, sign) => (sign ? ` ${sign} ` : ' '))}\` is **${Number(result.toPrecision(12))}**.`;
};

/** Has a sign between numbers; 2026-07-14 is a date. */
function isSum(text: string) {
	return /\d/.test(text) && /sqrt|mod|[\d)]\s*[+\-*/^]\s*[\d(.\-s]/.test(text) && !/^\d{4}-\d{1,2}-\d{1,2}$/.test(text);
}

/** By recursive descent; undefined when it is not well-formed. */
function evaluate(text: string): number | undefined {
	const tokens = text.match(/\d+(?:\.\d+)?|\.\d+|sqrt|mod|[-+*/^()]|\S/g) ?? [];
	let at = 0;
	let depth = 0;

	function sum(): number {
		let value = product();
		while (tokens[at] === '+' || tokens[at] === '-')
			value = tokens[at++] === '+' ? value + product() : value - product();
		return value;
	}
	function product(): number {
		let value = signed();
		for (;;) {
			if (tokens[at] === '*') {
				at++;
				value *= signed();
			} else if (tokens[at] === '/') {
				at++;
				value = divide(value, signed());
			} else if (tokens[at] === 'mod') {
				at++;
				value %= signed();
			} else return value;
		}
	}
	function signed(): number {
		if (++depth > MAX_DEPTH) throw new SyntaxError('The sum is nested too deeply.');
		try {
			if (tokens[at] === '-' || tokens[at] === '+') return tokens[at++] === '-' ? -signed() : signed();
			if (tokens[at] === 'sqrt') {
				at++;
				return Math.sqrt(signed());
			}
			const base = atom();
			if (tokens[at] !== '^') return base;
			at++;
			return base ** signed();
		} finally {
			depth--;
		}
	}
	function atom(): number {
		const token = tokens[at++] ?? '';
		if (token === '(') {
			const value = sum();
			if (tokens[at++] !== ')') throw new SyntaxError('A bracket is not closed.');
			return value;
		}
		if (!/^[\d.]/.test(token)) throw new SyntaxError('A number is missing.');
		return Number(token);
	}

	try {
		const value = sum();
		return at === tokens.length ? value : undefined;
	} catch (error) {
		if (error instanceof SyntaxError) return undefined;
		throw error;
	}
}

function divide(value: number, by: number) {
	return by === 0 ? Number.NaN : value / by;
}
