import { colourOf, colourPattern, type Rgb } from '../colours.ts';
import type { Place } from '../operation.ts';
import { words } from './rule.ts';

const degrees: readonly (readonly [RegExp, number])[] = [
	[
		words(
			'slightly|slight|a bit|a little bit|a little|a touch|a tad|subtle|subtly|gently|gentle|softly|somewhat|faint|light|small|thin|etwas|leicht|ein wenig|ein bisschen|un peu|légèrement|un poco|ligeramente',
		),
		0.5,
	],
	[
		words(
			'extremely|extreme|completely|totally|fully|maximum|insanely|as much as possible|ganz|völlig|extrem|complètement|totalmente',
		),
		2,
	],
	[
		words(
			'much|very|a lot|lots of|many|strongly|strong|really|super|heavily|heavy|intense|intensely|so|way|big|large|thick|huge|viel|sehr|stark|kräftig|beaucoup|très|muy|mucho',
		),
		1.6,
	],
];
const percent = /(\d{1,3})(?:\.\d+)?\s*(?:%|percent|prozent)/u;

/** Returns the strength that these words ask for, as a factor; undefined when they name none. 40 % is clearly visible, as the bare word is. */
export function amountOf(text: string): number | undefined {
	const share = percent.exec(text)?.[1];
	if (share !== undefined) return Math.min(2, Math.max(0.1, Number(share) / 40));
	for (const [pattern, amount] of degrees) {
		pattern.lastIndex = 0;
		if (pattern.test(text)) return amount;
	}
	return undefined;
}

const tops = words('top|upper|above|up|oben|haut|arriba');
const bottoms = words('bottom|lower|below|under|underneath|beneath|unten|bas|abajo');
const lefts = words('left|links|gauche|izquierda');
const rights = words('right|rechts|droite|derecha');
const middles = words('cent(?:er|re|red|ered)|middle|mitte|mittig|milieu|centro');
const corners = words('corner|ecke|coin|esquina');

/** Returns the place that these words name, or undefined. A bare “corner” is the bottom right one. */
export function placeOf(words: string): Place | undefined {
	const text = words.replace(/on top of/gu, ' ');
	const has = (pattern: RegExp) => {
		pattern.lastIndex = 0;
		return pattern.test(text);
	};
	const x = has(lefts) ? 0 : has(rights) ? 1 : undefined;
	const y = has(tops) ? 0 : has(bottoms) ? 1 : undefined;
	if (has(corners)) return { x: x ?? 1, y: y ?? 1 };
	if (x === undefined && y === undefined) return has(middles) ? { x: 0.5, y: 0.5 } : undefined;
	return { x: x ?? 0.5, y: y ?? 0.5 };
}

const anyColour = words(colourPattern);

/** The first colour that these words name. */
export function colourIn(text: string): Rgb | undefined {
	const [match] = text.match(anyColour) ?? [];
	return match === undefined ? undefined : colourOf(match)?.rgb;
}
