import type { Hex } from '../scene/scene.ts';
import { readPhrases } from './read-phrases.ts';

/** Returns the colour that these words name and nothing else, such as "light blue", "gold", "bleu". */
export function colourOf(text: string): Hex | undefined {
	if (/^#[0-9a-f]{6}$/u.test(text)) return text as Hex;
	if (text === 'orange') return '#f28a22';
	const { subjects, surroundings, notUnderstood } = readPhrases(text);
	const { tint, ...others } = surroundings;
	return tint && subjects.length === 0 && notUnderstood.length === 0 && Object.keys(others).length === 0
		? tint
		: undefined;
}

const SHADE = /^(?:light|dark|pale|deep|bright|hot|baby|sky|navy|royal|vivid|pastel|soft|dusty|forest|lime|midnight)$/u;

/** Splits a colour off the end of a phrase: "the car light blue" is "the car" and a colour. */
export function endingColour(text: string): { before: string; colour: Hex } | undefined {
	const all = text.split(' ');
	const plain = colourOf(all.at(-1) ?? '');
	if (!plain) return undefined;
	const shaded = SHADE.test(all.at(-2) ?? '') ? colourOf(all.slice(-2).join(' ')) : undefined;
	return { before: all.slice(0, shaded ? -2 : -1).join(' '), colour: shaded ?? plain };
}

/** Returns the first colour that a text names. */
export function colourIn(text: string): Hex | undefined {
	const all = text.split(' ');
	for (let at = 0; at < all.length; at++) {
		const colour = colourOf(all.slice(at, at + 2).join(' ')) ?? colourOf(all[at] ?? '');
		if (colour) return colour;
	}
	return undefined;
}
