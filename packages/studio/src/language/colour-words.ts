import { adjust } from '../drawing/tools/colour.ts';
import type { Hex } from '../scene/scene.ts';
import { lookUp } from './lexicon.ts';

/** A colour, and the words before and after it. */
type Named = { colour: Hex; before: string; after: string };

/** Returns the colours that a text names, such as "light blue", "gold". */
export function coloursIn(text: string): Named[] {
	const words = text.split(' ');
	return words.flatMap((word, at) => {
		const own = /^#[0-9a-f]{6}$/u.test(word) ? (word as Hex) : undefined;
		const { colour = own, style, hair } = lookUp(word)?.meaning ?? {};
		if (!colour || style || hair) return [];
		const shade = lookUp(words[at - 1] ?? '')?.meaning.shade;
		const before = words.slice(0, shade ? at - 1 : at).join(' ');
		return [{ colour: shade ? adjust(colour, shade) : colour, before, after: words.slice(at + 1).join(' ') }];
	});
}

/** Returns the colour that these words name and nothing else. */
export const colourOf = (text: string): Hex | undefined =>
	coloursIn(text).find(({ before, after }) => before + after === '')?.colour;
