/**
 * Colours as `#rrggbb`, mixed and shaded in OKLab and OKLCH (Björn Ottosson, https://bottosson.github.io/posts/oklab/),
 * where equal steps look equal.
 */
export type Hex = `#${string}`;

/** Lightness 0–1, chroma 0–0.37, hue in degrees. */
export interface Lch {
	readonly l: number;
	readonly c: number;
	readonly h: number;
}

type Triple = readonly [number, number, number];

const clamp = (value: number, low = 0, high = 1) => Math.min(high, Math.max(low, value));
const toLinear = (v: number) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
const fromLinear = (v: number) => (v <= 0.0031308 ? v * 12.92 : 1.055 * v ** (1 / 2.4) - 0.055);

function linear(hex: Hex): Triple {
	const value = Number.parseInt(hex.slice(1), 16);
	return [toLinear((value >> 16) / 255), toLinear(((value >> 8) & 255) / 255), toLinear((value & 255) / 255)];
}

function hex([r, g, b]: Triple): Hex {
	const byte = (v: number) =>
		Math.round(fromLinear(clamp(v)) * 255)
			.toString(16)
			.padStart(2, '0');
	return `#${byte(r)}${byte(g)}${byte(b)}`;
}

function toLab([r, g, b]: Triple): Triple {
	const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
	const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
	const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
	return [
		0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
		1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
		0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
	];
}

function fromLab([L, a, b]: Triple): Triple {
	const l = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3;
	const m = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3;
	const s = (L - 0.0894841775 * a - 1.291485548 * b) ** 3;
	return [
		4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
		-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
		-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
	];
}

/** Chroma beyond sRGB is lowered until it fits, which keeps hue and lightness. */
export function lch(l: number, c: number, h: number): Hex {
	const radians = (h * Math.PI) / 180;
	let rgb: Triple = [0, 0, 0];
	for (let chroma = c; chroma >= 0; chroma -= 0.012) {
		rgb = fromLab([clamp(l), chroma * Math.cos(radians), chroma * Math.sin(radians)]);
		if (rgb.every((v) => v >= -0.002 && v <= 1.002)) break;
	}
	return hex(rgb);
}

export function toLch(colour: Hex): Lch {
	const [l, a, b] = toLab(linear(colour));
	return { l, c: Math.hypot(a, b), h: ((Math.atan2(b, a) * 180) / Math.PI + 360) % 360 };
}

/** `share` 0 gives `from`, 1 gives `to`. */
export function mix(from: Hex, to: Hex, share: number): Hex {
	const [a, b] = [toLab(linear(from)), toLab(linear(to))];
	const at = clamp(share);
	return hex(fromLab([a[0] + (b[0] - a[0]) * at, a[1] + (b[1] - a[1]) * at, a[2] + (b[2] - a[2]) * at]));
}

/** Returns the colour of a surface under a coloured light. */
export function under(colour: Hex, light: Hex): Hex {
	const [a, b] = [linear(colour), linear(light)];
	return hex([a[0] * b[0], a[1] * b[1], a[2] * b[2]]);
}

export function adjust(colour: Hex, change: { l?: number; c?: number; h?: number }): Hex {
	const from = toLch(colour);
	return lch(clamp(from.l + (change.l ?? 0)), from.c * (change.c ?? 1), from.h + (change.h ?? 0));
}
