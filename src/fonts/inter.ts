import { readFileSync } from 'node:fs';
import opentype, { type Font } from 'opentype.js';

/**
 * Inter, a file for each script and weight, as @fontsource/inter 5.3 has them (https://fontsource.org/fonts/inter, SIL Open Font
 * License). The package has 250 files, of which these are used.
 */
type Script = 'latin' | 'cyrillic';
type Weight = 400 | 700;

/** Fonts that have been read; they never change. */
const fonts = new Map<string, Font>();

/** Returns a font, which is read when it is first used. */
export function interFont(script: Script, weight: Weight): Font {
	const name = `inter-${script}-${weight}-normal.woff`;
	const known = fonts.get(name);
	if (known) return known;
	const bytes = readFileSync(new URL(name, import.meta.url));
	const font = opentype.parse(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
	fonts.set(name, font);
	return font;
}
