/** Colours: their names in a few languages, and OKLab, in which hue, chroma and lightness move apart. */

/** Red, green, blue, each 0–255. */
export type Rgb = readonly [red: number, green: number, blue: number];

/** Name, colour, further names. The first name is the one that operations are read in. */
const names: readonly [name: string, hex: string, others?: string][] = [
	['red', 'd7263d', 'scarlet|crimson|rote?[nrs]?|rouges?|rojo|roja|rojos|rojas'],
	['orange', 'f28c28', 'orangefarbene?n?|naranja'],
	['gold', 'd4a017', 'golden|blonde?|goldene?[nrs]?|doré|dorée|dorado|dorada'],
	['yellow', 'f5d327', 'gelbe?[nrs]?|jaunes?|amarill[oa]s?'],
	['lime', '9bd41f', 'lime green'],
	['green', '2e9e4f', 'emerald|grüne?[nrs]?|verte?s?|verdes?'],
	['olive', '76802a'],
	['mint', '98e0bd'],
	['teal', '12808a'],
	['turquoise', '30c9c0', 'cyan|aqua|türkise?[nrs]?|turquesa'],
	['light blue', '7ec8f2', 'sky blue|baby blue|hellblaue?[nrs]?'],
	['blue', '2563d9', 'azure|blaue?[nrs]?|bleue?s?|azul|azules'],
	['navy', '14245c', 'dark blue|navy blue|dunkelblaue?[nrs]?'],
	['indigo', '46309e'],
	['purple', '7d3ac1', 'violet|lilac|lilane?[nrs]?|lila|violette?[nrs]?|mauve|morad[oa]s?'],
	['lavender', 'b79ce8'],
	['magenta', 'd02a9c', 'fuchsia'],
	['pink', 'f27bb0', 'rose|rosa|rosé'],
	['brown', '7b4a25', 'chocolate|braune?[nrs]?|bruns?|brune|marrons?|marrón'],
	['beige', 'dccbab', 'cream|ivory|sand'],
	['white', 'ffffff', 'weiße?[nrs]?|weisse?[nrs]?|weiß|blanche?s?|blancs?|blanc[oa]s?'],
	['silver', 'bcc2c9', 'silvery|silberne?[nrs]?'],
	['grey', '848890', 'gray|graue?[nrs]?|grise?s?'],
	['black', '141416', 'schwarze?[nrs]?|noire?s?|negr[oa]s?'],
];

/** Longer names first, so that “light blue” is not read as “blue”. */
const spellings = names
	.flatMap(([name, , others = '']) => [name, ...others.split('|')].filter(Boolean))
	.sort((a, b) => b.length - a.length);

/** Matches a colour in lower-case text, with a shade before it or as `#rrggbb`; for use in larger patterns. */
export const colourPattern = `(?:(?:light|pale|bright|dark|deep|pastel|hot|neon|vivid)\\s+)?(?:${spellings.join('|')})|#[0-9a-f]{6}|#[0-9a-f]{3}`;

const byName = names.map(([name, hex, others = '']) => ({
	spelling: new RegExp(`^(?:${[name, ...others.split('|')].filter(Boolean).join('|')})$`, 'u'),
	name,
	rgb: fromHex(hex),
}));

const shades: Readonly<Record<string, (colour: Rgb) => Rgb>> = {
	light: (colour) => mix(colour, [255, 255, 255], 0.45),
	pale: (colour) => mix(colour, [255, 255, 255], 0.55),
	pastel: (colour) => mix(colour, [255, 255, 255], 0.5),
	dark: (colour) => mix(colour, [0, 0, 0], 0.5),
	deep: (colour) => mix(colour, [0, 0, 0], 0.35),
};

export type NamedColour = { name: string; rgb: Rgb };

/** Reads what `colourPattern` matches. */
export function colourOf(text: string): NamedColour | undefined {
	if (text.startsWith('#')) return { name: text, rgb: fromHex(text.slice(1)) };
	const known = byName.find(({ spelling }) => spelling.test(text));
	if (known) return { name: known.name, rgb: known.rgb };
	const [shade = '', ...rest] = text.split(/\s+/);
	const plain = rest.length > 0 ? colourOf(rest.join(' ')) : undefined;
	return plain && { name: plain.name, rgb: shades[shade]?.(plain.rgb) ?? plain.rgb };
}

function fromHex(hex: string): Rgb {
	const six = hex.length === 3 ? [...hex].map((digit) => digit + digit).join('') : hex;
	const value = Number.parseInt(six, 16);
	return [value >> 16, (value >> 8) & 255, value & 255];
}

export function mix(a: Rgb, b: Rgb, share: number): Rgb {
	return [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share, a[2] + (b[2] - a[2]) * share];
}

export function css([red, green, blue]: Rgb, opacity = 1): string {
	return `rgba(${Math.round(red)},${Math.round(green)},${Math.round(blue)},${opacity})`;
}

/** Rec. 601 luma, 0–255. */
export function luma(red: number, green: number, blue: number): number {
	return 0.299 * red + 0.587 * green + 0.114 * blue;
}

const linear = Float32Array.from({ length: 256 }, (_, value) => {
	const share = value / 255;
	return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
});

/** sRGB by linear light in 4096 steps. */
const encoded = Uint8Array.from({ length: 4097 }, (_, step) => {
	const light = step / 4096;
	return Math.round(255 * (light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055));
});

/** Lightness 0–1, then the two opponent axes; chroma is their length, hue their angle. */
export type Lab = [lightness: number, a: number, b: number];

/** OKLab of an sRGB colour, written into `into` to spare millions of arrays. https://bottosson.github.io/posts/oklab/ */
export function toLab(red: number, green: number, blue: number, into: Lab): Lab {
	const r = linear[red] ?? 0;
	const g = linear[green] ?? 0;
	const b = linear[blue] ?? 0;
	const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
	const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
	const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
	into[0] = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s;
	into[1] = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
	into[2] = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
	return into;
}

/** Writes the sRGB colour of an OKLab one at `at`, clipped to what a screen shows. */
export function fromLab(lightness: number, a: number, b: number, into: Uint8Array, at: number): void {
	const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
	const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
	const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
	into[at] = encode(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s);
	into[at + 1] = encode(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s);
	into[at + 2] = encode(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s);
}

function encode(light: number): number {
	return encoded[light <= 0 ? 0 : light >= 1 ? 4096 : Math.round(light * 4096)] ?? 0;
}
