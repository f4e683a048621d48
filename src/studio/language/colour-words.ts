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

/** Splits a colour off the end of a phrase: "the car light blue" is "the car" and a colour. */
export function endingColour(text: string): { before: string; colour: Hex } | undefined {
	const all = text.split(' ');
	for (const length of [3, 2, 1]) {
		if (all.length < length) continue;
		const colour = colourOf(all.slice(-length).join(' '));
		if (colour) return { before: all.slice(0, -length).join(' '), colour };
	}
	return undefined;
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
