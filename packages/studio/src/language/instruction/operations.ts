import type { Operation } from '../../scene/scene.ts';
import { coloursIn } from '../colour-words.ts';
import table from './operations.json' with { type: 'json' };
import { chooser, words } from './patterns.ts';

/** A match, the clause around it, and how strongly it is asked for. */
type Found = { groups: Readonly<Record<string, string | undefined>>; own: string; around: string; amount: number };

const degreeOf = chooser(table.degrees);

/** Returns the strength that these words ask for, as a factor; 1 when they name none. 40 % is clearly visible, as the bare word is. */
function amountOf(text: string): number {
	const share = /(\d{1,3})(?:\.\d+)?\s*(?:%|percent|prozent)/u.exec(text)?.[1];
	if (share !== undefined) return Math.min(2, Math.max(0.1, Number(share) / 40));
	return Number(degreeOf(text) ?? 1);
}

const RATIOS: Readonly<Record<string, number[]>> = table.ratios;

function rotation({ groups, around }: Found): Operation {
	const few = /slightly|a bit|a little/u.test(around) ? 8 : 90;
	const degrees = groups['degrees'] ? Number(groups['degrees']) : few;
	const isLeft = /left|counter-?clockwise|anti-?clockwise/u.test(around);
	return { do: 'rotate', degrees: Math.max(-360, Math.min(360, isLeft ? -degrees : degrees)) };
}

type Reader = (found: Found, ...words: string[]) => Operation | undefined;

/** What rules make of matches that say more than one thing; words after a name, as the table has them, say which one. */
const READERS = {
	frame({ own, amount }, style, usual) {
		const colour = coloursIn(own)[0]?.colour ?? (/wood/u.test(own) ? '#74462e' : usual);
		return { do: 'frame', style, colour, ...(amount !== 1 && { amount }) } as Operation;
	},
	crop({ groups, around }) {
		const [width, height] = RATIOS[groups['shape'] ?? ''] ?? [Number(groups['width']), Number(groups['height'])];
		const ratio = Number(width) / Number(height);
		if (!Number.isNaN(ratio)) return { do: 'crop', ratio: Math.min(10, Math.max(0.1, ratio)) };
		return /(?:left|right|top|bottom|upper|lower)/u.test(around) ? undefined : { do: 'zoom', factor: 1.25 };
	},
	rotation,
	straighten: (found) => (found.groups['degrees'] ? rotation(found) : undefined),
	resize({ groups: { width, height, percent } }) {
		const side = (pixels: string) => Math.min(2048, Math.max(1, Number(pixels)));
		if (width && height) return { do: 'resize', width: side(width), height: side(height) };
		return { do: 'scale', factor: Math.max(0.05, Number(percent) / 100) };
	},
} satisfies Record<string, Reader>;

/** The operations that apply to a whole picture, whatever it shows. A rule takes its words away from those after it. */
const RULES = Object.entries(table.rules).map(([pattern, action]) => {
	if (typeof action !== 'string')
		return { pattern: words(pattern), make: ({ amount }: Found) => scaled(action, amount) };
	const [name = '', ...more] = action.split(' ');
	const read: Reader = READERS[name as keyof typeof READERS];
	return { pattern: words(pattern), make: (found: Found) => read(found, ...more) };
});

const scaled = (operation: object, by: number) =>
	({ ...operation, ...('amount' in operation && { amount: Number(operation.amount) * by }) }) as Operation;

const REMOVAL = words('remove|delete|erase|take away|take off|get rid of|without|no|undo', 'yu');

/** Returns what is asked of the whole picture, and the clause without these words. */
export function readOperations(clause: string): { operations: Operation[]; rest: string } {
	if (clause.search(REMOVAL) === 0 && !/colou?rs?$/u.test(clause)) return { operations: [], rest: clause };
	const found: { at: number; operation: Operation }[] = [];
	let rest = clause;
	for (const rule of RULES) {
		for (const match of rest.matchAll(rule.pattern)) {
			const [own] = match;
			if (own.trim() === '') continue;
			const operation = rule.make({ groups: match.groups ?? {}, own, around: clause, amount: amountOf(clause) });
			if (!operation) continue;
			found.push({ at: match.index, operation });
			rest = rest.slice(0, match.index) + '\u0002'.repeat(own.length) + rest.slice(match.index + own.length);
		}
	}
	const operations = found.sort((one, other) => one.at - other.at).map(({ operation }) => operation);
	return { operations, rest: rest.replace(/[\s\u0002]+/gu, ' ').trim() };
}

export const holdsOperation = (clause: string) => readOperations(clause).operations.length > 0;
