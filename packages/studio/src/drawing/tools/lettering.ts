/**
 * Text as outlines, so that a picture's letters need no font on the machine that rasterises them.
 *
 * Letters come from Inter, which is split into files by alphabet; a file is read when its first letter is asked for.
 * Latin, Greek, Cyrillic and Vietnamese are covered, and Japanese by Noto Sans JP. Other characters are left out (`legible`).
 * There is no shaping beyond kerning: one character, one glyph.
 */
import { readFileSync } from 'node:fs';
import opentype, { type Font, type Glyph } from 'opentype.js';

/** 400 has the letters of charts alone: Latin and Cyrillic ones. */
export type Weight = 400 | 700 | 800;

const alphabets = ['latin', 'latin-ext', 'cyrillic', 'greek', 'vietnamese', 'cyrillic-ext', 'greek-ext'] as const;

/** Inter's vertical metrics, the same in every file of the family, in em. */
const metrics = { ascender: 1984 / 2048, descender: 494 / 2048, capital: 1490 / 2048, lineGap: 0.02 };

/** From baseline to baseline, in em. */
const lineStep = metrics.ascender + metrics.descender + metrics.lineGap;

/** In one weight. */
const NOTO = 'noto-sans-jp-japanese-700';

/** Fonts that have been read, of @fontsource/inter and @fontsource/noto-sans-jp 5.3 (https://fontsource.org, SIL Open Font License). */
const fonts = new Map<string, Font>();

function fontOf(name: string): Font {
	const known = fonts.get(name);
	if (known) return known;
	const bytes = readFileSync(new URL(`../../fonts/${name}-normal.woff`, import.meta.url));
	const font = opentype.parse(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
	fonts.set(name, font);
	return font;
}

const JAPANESE = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]/u;

/** Looks in Latin first, so that the common case reads one file. */
function faceOf(character: string, weight: Weight): Font | undefined {
	const inter = weight === 400 ? (['latin', 'cyrillic'] as const) : alphabets;
	const [latin = '', ...others] = inter.map((alphabet) => `inter-${alphabet}-${weight}`);
	const name = [latin, ...(JAPANESE.test(character) ? [NOTO] : others)].find((one) => fontOf(one).hasChar(character));
	return name === undefined ? undefined : fontOf(name);
}

/** Returns a text without the characters that no face has, and those. */
export function legible(text: string): { text: string; leftOut: string[] } {
	let [kept, gone] = ['', ''];
	for (const character of text.normalize('NFC')) {
		const isKept = /\s/u.test(character) || faceOf(character, 700) !== undefined;
		kept += isKept ? character : '';
		gone += isKept ? ' ' : character;
	}
	return { text: kept.replace(/\s+/gu, ' ').trim(), leftOut: gone.split(' ').filter(Boolean) };
}

/** One character in em, from the start of its line. */
type Placed = { readonly x: number; readonly glyph: Glyph };

/** Places the characters of a line. */
function setLine(text: string, weight: Weight): { letters: Placed[]; width: number } {
	const letters: Placed[] = [];
	let x = 0;
	let previous: { font: Font; glyph: Glyph } | undefined;
	for (const character of text.normalize('NFC')) {
		const font = faceOf(character, weight);
		const glyph = font?.charToGlyph(character);
		if (font && glyph) {
			if (previous?.font === font) x += font.getKerningValue(previous.glyph, glyph) / font.unitsPerEm;
			letters.push({ x, glyph });
			x += (glyph.advanceWidth ?? 0) / font.unitsPerEm;
		}
		previous = font && glyph && { font, glyph };
	}
	return { letters, width: x };
}

/** Rounds by itself: the library's own path data has NaN where a number prints with an exponent. */
const number = (value: number) => String(Math.round(value * 100) / 100);

const COORDINATES = ['x1', 'y1', 'x2', 'y2', 'x', 'y'] as const;
type Command = { type: string } & Partial<Record<(typeof COORDINATES)[number], number>>;

function outline({ glyph }: Placed, x: number, baseline: number, size: number): string {
	const commands = glyph.getPath(x, baseline, size).commands as Command[];
	return commands
		.map(
			(one) =>
				one.type +
				COORDINATES.flatMap((name) => one[name] ?? [])
					.map(number)
					.join(' '),
		)
		.join('');
}

/**
 * Sets `text` in Inter at `size` pixels to the em; line feeds begin new, centred lines.
 * @returns the `d` of an SVG path, to be filled non-zero, whose box begins at 0, 0 and is high from the ascender of the first line to the
 * descender of the last; the distance from its top to the first baseline; and the height of a capital, for optical centring
 */
export function letterPath(text: string, { size, weight = 700 }: { size: number; weight?: Weight }) {
	const rows = text.split(/\r\n|[\n\r]/).map((row) => setLine(row, weight));
	const step = size * lineStep;
	const width = size * Math.max(0, ...rows.map((row) => row.width));
	const path = rows.flatMap((row, index) => {
		const start = (width - row.width * size) / 2;
		const baseline = size * metrics.ascender + index * step;
		return row.letters.map((letter) => outline(letter, start + letter.x * size, baseline, size));
	});
	const height = step * (rows.length - 1) + size * (metrics.ascender + metrics.descender);
	return { path: path.join(''), width, height, baseline: size * metrics.ascender, capital: size * metrics.capital };
}

type Fit = { width: number; height: number; largest?: number };

/**
 * Breaks `text` between words into the number of lines that lets it stand largest in `width` × `height`, at no more than
 * `largest` pixels to the em. A word too long for its line makes all of it smaller.
 */
export function fitLetters(text: string, { width, height, largest = height }: Fit) {
	const weight = 800;
	const words = text.split(/\s+/).filter(Boolean);
	const widths = new Map([' ', ...words].map((word) => [word, setLine(word, weight).width]));
	const widthOf = (word: string) => widths.get(word) ?? 0;
	const wide = (row: string) => row.split(' ').reduce((sum, word) => sum + widthOf(word) + widthOf(' '), -widthOf(' '));
	let best: { size: number; lines: string[] } = { size: 0, lines: [] };
	for (let count = 1; count <= Math.min(words.length, 12); count++) {
		const lines = balanced(words, count);
		const ems = metrics.capital + metrics.descender * 0.6 + (lines.length - 1) * lineStep;
		const size = Math.min(largest, width / Math.max(0.01, ...lines.map(wide)), height / ems);
		if (size > best.size) best = { size, lines };
	}
	return { ...letterPath(best.lines.join('\n'), { size: best.size, weight }), ...best };
}

/** Splits words into at most `count` lines of about the same number of characters. */
function balanced(words: readonly string[], count: number): string[] {
	const target = words.join(' ').length / count;
	const lines: string[] = [];
	for (const word of words) {
		const line = lines.at(-1);
		const longer = `${line} ${word}`;
		const isFull = line === undefined || (longer.length - target > target - line.length && lines.length < count);
		if (isFull) lines.push(word);
		else lines[lines.length - 1] = longer;
	}
	return lines;
}
