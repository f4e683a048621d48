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

/** Answers sums that are asked for, or that are the whole message. */
export const calculate: Skill = ({ said }) => {
	if (said.length > MAX_LENGTH) return undefined;
	const plain = WORDS.reduce((text, [pattern, sign]) => text.replaceAll(pattern, sign), said.toLowerCase());
	const asked = /\b(?:what(?:'s| is)|calculate|compute|how much is|work out|solve|evaluate)\b|=/.test(plain);
	const expression = /(?:sqrt|[-(\s]|\d|\.\d)(?:sqrt|mod|[\d\s.+\-*/^()])*/g;
	const candidates = (plain.match(expression) ?? []).map((text) => text.trim()).filter(isSum);
	const sum = candidates.toSorted((a, b) => b.length - a.length)[0];
	if (sum === undefined) return undefined;
	const alone = plain.replace(sum, '').replaceAll(/[\s=?!.]/g, '') === '';
	const result = asked || alone ? evaluate(sum) : undefined;
	if (result === undefined) return undefined;
	if (Number.isNaN(result)) return 'That has no answer: a division by zero, or the root of a negative number.';
	if (!Number.isFinite(result)) return 'That number is too large for me.';
	return `\`${sum.replaceAll(/\s*([+*/^])\s*|\s+/g, (_, sign) => (sign ? ` ${sign} ` : ' '))}\` is **${Number(result.toPrecision(12))}**.`;
};

/** Has a sign between numbers; 2026-07-14 is a date. */
function isSum(text: string) {
	return /\d/.test(text) && /sqrt|mod|[\d)]\s*[+\-*/^]\s*[\d(.\-s]/.test(text) && !/^\d{4}-\d{1,2}-\d{1,2}$/.test(text);
}

const SIGNED = 3;
const POWER = 4;
const OPERATORS: Readonly<Record<string, { level: number; apply: (a: number, b: number) => number }>> = {
	'+': { level: 1, apply: (a, b) => a + b },
	'-': { level: 1, apply: (a, b) => a - b },
	'*': { level: 2, apply: (a, b) => a * b },
	'/': { level: 2, apply: (a, b) => (b === 0 ? Number.NaN : a / b) },
	mod: { level: 2, apply: (a, b) => a % b },
	'^': { level: POWER, apply: (a, b) => a ** b },
};

/** Evaluates by precedence climbing; undefined when the text is not well-formed. */
function evaluate(text: string): number | undefined {
	const tokens = text.match(/\d+(?:\.\d+)?|\.\d+|sqrt|mod|[-+*/^()]|\S/g) ?? [];
	let at = 0;
	let depth = 0;

	function operand(): number {
		const token = tokens[at++] ?? '';
		if (token === '-') return -expression(SIGNED);
		if (token === '+') return expression(SIGNED);
		if (token === 'sqrt') return Math.sqrt(expression(SIGNED));
		if (token === '(') {
			const value = expression(0);
			if (tokens[at++] !== ')') throw new SyntaxError('A bracket is not closed.');
			return value;
		}
		if (!/^[\d.]/.test(token)) throw new SyntaxError('A number is missing.');
		return Number(token);
	}
	function expression(level: number): number {
		if (++depth > MAX_DEPTH) throw new SyntaxError('The sum is nested too deeply.');
		let value = operand();
		for (;;) {
			const operator = OPERATORS[tokens[at] ?? ''];
			if (!operator || operator.level < level) break;
			at++;
			// Powers associate to the right, everything else to the left.
			value = operator.apply(value, expression(operator.level === POWER ? POWER : operator.level + 1));
		}
		depth--;
		return value;
	}

	try {
		const value = expression(0);
		return at === tokens.length ? value : undefined;
	} catch (error) {
		if (error instanceof SyntaxError) return undefined;
		throw error;
	}
}
