import type { Hex } from './scene.ts';

/** Plain names of colours; several shades may share one. */
const NAMES: readonly (readonly [name: string, ...hexes: readonly Hex[]])[] = [
	['black', '#23222a', '#2c2a33', '#141416'],
	['white', '#f7f5f0', '#ffffff', '#eef2f6'],
	['grey', '#8d9096', '#6f6f74', '#b0b3ba'],
	['silver', '#c3c9d2'],
	['red', '#d8262c', '#b22222', '#8b1a1a'],
	['orange', '#f28a22', '#ff7f2a'],
	['golden', '#efb93a', '#f2c230', '#daa520'],
	['yellow', '#f7d038', '#fff05a'],
	['green', '#3c9a4b', '#14532d', '#1f9d63', '#7cc46a'],
	['lime', '#8be02d'],
	['olive', '#808000'],
	['mint', '#9fe0c3'],
	['teal', '#15888a'],
	['turquoise', '#40d0c4', '#00c9dd'],
	['light blue', '#79bfea', '#add8e6'],
	['blue', '#2f62d9', '#4169e1', '#1a237e', '#4682b4'],
	['navy', '#1d2d6b'],
	['purple', '#7a3fb0', '#8f4fd6', '#5a2a8a'],
	['lilac', '#c3a3e0', '#b9a7e6'],
	['magenta', '#e63bd2', '#c71585'],
	['pink', '#f58fb2', '#e8708f', '#ffc0cb'],
	['brown', '#7d4a2d', '#a0522d', '#5a3423'],
	['beige', '#e6d8bd', '#f5f5dc', '#d2b48c'],
];

const channels = (hex: Hex) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));

/** Returns the name of the nearest plain colour. */
export function colourName(hex: Hex): string {
	const [red = 0, green = 0, blue = 0] = channels(hex);
	let best = { name: '', distance: Number.POSITIVE_INFINITY };
	for (const [name, ...shades] of NAMES) {
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
