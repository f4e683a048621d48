import { z } from 'zod';
import { type Operation, operation } from '../../scene/operation.ts';
import { colourIn } from '../colour-words.ts';
import table from './operations.json' with { type: 'json' };
import { words } from './words.ts';

/** A match, the clause around it, and how strongly it is asked for. */
type Found = { groups: Readonly<Record<string, string | undefined>>; own: string; around: string; amount: number };

const DEGREES = table.degrees.map(({ pattern, factor }) => ({ pattern: words(pattern), factor }));

/** Returns the strength that these words ask for, as a factor; 1 when they name none. 40 % is clearly visible, as the bare word is. */
function amountOf(text: string): number {
	const share = /(\d{1,3})(?:\.\d+)?\s*(?:%|percent|prozent)/u.exec(text)?.[1];
	if (share !== undefined) return Math.min(2, Math.max(0.1, Number(share) / 40));
	return DEGREES.find(({ pattern }) => text.search(pattern) >= 0)?.factor ?? 1;
}

const THE =
	'(?: (?:it|this|the|all|its|whole|entire|picture|image|photo|scene|das|bild|es|l’image|la|el|los|les|imagen))*';
const MORE = `(?:more|increase${THE}|boost${THE}|raise${THE}|higher|stronger|add|mehr|plus de|más)`;
const LESS = `(?:less|reduce${THE}|lower${THE}|decrease${THE}|fewer|weaker|weniger|moins de|menos|not so|too much)`;
const WAY =
	'(?: (?:by|to|the|about|um|nach|vers la|à|hacia la|a la|left|right|links|rechts|gauche|droite|izquierda|derecha|(?:counter-?|anti-?)?clockwise|slightly|a bit|a little|(?<degrees>-?\\d{1,3})(?:\\.\\d+)?(?: ?(?:°|degrees?|deg|grad|degrés|grados))?))+';
const FRAGMENTS: Readonly<Record<string, string>> = { THE, MORE, LESS, WAY };

function frame(plain: Extract<Operation, { do: 'frame' }>, { own, amount }: Found): Operation {
	const colour = colourIn(own) ?? (/wood|holz|bois|madera/u.test(own) ? '#74462e' : plain.colour);
	return { ...plain, colour, ...(amount !== 1 && { amount }) };
}

const side = (text: string) => {
	if (/left|links|gauche|izquierda/u.test(text)) return 'left' as const;
	if (/right|rechts|droite|derecha/u.test(text)) return 'right' as const;
	return /top|upper|oben|haut|arriba/u.test(text) ? ('top' as const) : ('bottom' as const);
};

const OPPOSITE = { left: 'right', right: 'left', top: 'bottom', bottom: 'top' } as const;

function half({ groups, own }: Found): Operation {
	return { do: 'half', side: groups['away'] ? OPPOSITE[side(own)] : side(own) };
}

const RATIOS: Readonly<Record<string, number[]>> = table.ratios;

function crop({ groups, around }: Found): Operation | undefined {
	const [width, height] = RATIOS[groups['shape'] ?? ''] ?? [Number(groups['width']), Number(groups['height'])];
	const ratio = Number(width) / Number(height);
	if (!Number.isNaN(ratio)) return { do: 'crop', ratio: Math.min(10, Math.max(0.1, ratio)) };
	return /(?:left|right|top|bottom|upper|lower)/u.test(around) ? undefined : { do: 'zoom', factor: 1.25 };
}

function rotation({ groups, around }: Found): Operation {
	const degrees = groups['degrees']
		? Number(groups['degrees'])
		: /slightly|a bit|a little|leicht|etwas/u.test(around)
			? 8
			: 90;
	const isLeft = /left|counter-?clockwise|anti-?clockwise|links|gauche|izquierda|gegen den uhrzeigersinn/u.test(around);
	return { do: 'rotate', degrees: Math.max(-360, Math.min(360, isLeft ? -degrees : degrees)) };
}

function resize({ groups }: Found): Operation | undefined {
	const { width, height, percent, times } = groups;
	const side = (pixels: string) => Math.min(2048, Math.max(1, Number(pixels)));
	if (width && height) return { do: 'resize', width: side(width), height: side(height) };
	const factor = percent ? Number(percent) / 100 : Number(times ?? 2);
	return { do: 'scale', factor: Math.min(8, Math.max(0.05, factor)) };
}

const straighten = (found: Found) => (found.groups['degrees'] ? rotation(found) : undefined);

const READERS = { crop, half, rotation, straighten, resize };

/**
 * The operations that apply to a whole picture, whatever it shows. A rule takes its words away from those after it. Its operation is
 * multiplied by the strength that the clause asks for, unless it is exact; a reader makes one from the match.
 */
const RULES = z
	.array(
		z.object({
			pattern: z.string(),
			operation: operation.optional(),
			exact: z.boolean().optional(),
			reader: z.literal(Object.keys(READERS) as (keyof typeof READERS)[]).optional(),
		}),
	)
	.parse(table.rules)
	.map((rule) => ({
		...rule,
		pattern: words(rule.pattern.replace(/\{(THE|MORE|LESS|WAY)\}/g, (_, name: string) => FRAGMENTS[name] ?? '')),
	}));

function make({ operation, exact, reader }: (typeof RULES)[number], found: Found): Operation | undefined {
	if (reader) return READERS[reader](found);
	if (operation?.do === 'frame') return frame(operation, found);
	if (exact || !operation || !('amount' in operation)) return operation;
	return { ...operation, amount: Number(operation.amount) * found.amount };
}

/** Returns what is asked of the whole picture, and the clause without these words. */
export function readOperations(clause: string): { operations: Operation[]; rest: string } {
	if (
		/^(?:remove|delete|erase|take away|take off|get rid of|without|no|undo|entferne|enlève|supprime|quita|elimina) /u.test(
			clause,
		)
	) {
		if (!/colou?rs?$/u.test(clause)) return { operations: [], rest: clause };
	}
	const found: { at: number; operation: Operation }[] = [];
	let rest = clause;
	for (const rule of RULES) {
		for (const match of rest.matchAll(rule.pattern)) {
			if (match[0].trim() === '') continue;
			const operation = make(rule, {
				groups: match.groups ?? {},
				own: match[0],
				around: clause,
				amount: amountOf(clause),
			});
			if (!operation) continue;
			found.push({ at: match.index, operation });
			rest = rest.slice(0, match.index) + '\u0002'.repeat(match[0].length) + rest.slice(match.index + match[0].length);
		}
	}
	const operations = found.sort((one, other) => one.at - other.at).map(({ operation }) => operation);
	return {
		operations,
		rest: rest
			.replace(/\u0002+/gu, ' ')
			.replace(/\s+/gu, ' ')
			.trim(),
	};
}

export const holdsOperation = (clause: string) => readOperations(clause).operations.length > 0;
