import type { Hex } from '../scene.ts';
import captions from './captions.json' with { type: 'json' };

/** Plain names of colours; several shades may share one. */
const NAMES = Object.entries(captions.colours) as [name: string, shades: Hex[]][];

const channels = (hex: Hex) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));

/** Returns the name of the nearest plain colour. */
export function colourName(hex: Hex): string {
	const [red = 0, green = 0, blue = 0] = channels(hex);
	let best = { name: '', distance: Number.POSITIVE_INFINITY };
	for (const [name, shades] of NAMES) {
		for (const shade of shades) {
			const [r = 0, g = 0, b = 0] = channels(shade);
			// Weighted roughly as eyes do. https://www.compuphase.com/cmetric.htm
			const distance = 2 * (red - r) ** 2 + 4 * (green - g) ** 2 + 3 * (blue - b) ** 2;
			if (distance < best.distance) best = { name, distance };
		}
	}
	return best.name;
}

/** Words that name a colour or shade in a noun phrase, so that "black cat" need not be called black again. */
const COLOUR_WORD = new RegExp(
	`\\b(?:${NAMES.map(([name]) => name).join('|')}|gray|gold|crimson|scarlet|violet|cream|ginger|snowy|dark|light|pale|bright|deep)\\b`,
	'i',
);

export const namesColour = (phrase: string) => COLOUR_WORD.test(phrase);

/** Returns a noun phrase without its colours: "black cat" becomes "cat". */
export function withoutColour(phrase: string): string {
	return phrase.replace(new RegExp(`${COLOUR_WORD.source}\\s+(?=\\S)(?!retriever)`, 'gi'), '');
}
