import { luma, type Rgb } from './colours.ts';
import { type Mask, type Picture, pipeline, settle } from './picture.ts';

/** A colour grade as data, in the order in which it is applied. What is left out changes nothing. */
export type Grade = {
	/** Degrees round the colour circle. */
	hue?: number;
	/** 0 is grey, 1 as it is. */
	saturation?: number;
	/** Factors of red, green and blue. */
	gains?: Rgb;
	/** A factor of light. */
	brightness?: number;
	/** Below 1 opens the shadows. */
	gamma?: number;
	/** A factor of the distance from the middle. */
	contrast?: number;
	/** 0–1: blacks are lifted and whites lowered towards the middle. */
	fade?: number;
	/** Colours that shadows and highlights lean to, without getting lighter or darker. */
	shadows?: Rgb;
	highlights?: Rgb;
	/** Strength, 0–1; 0.5 by default. */
	toning?: number;
};

/**
 * Applies a grade, mixed with the picture as it was.
 * @param amount 0 changes nothing, 1 is the grade, up to 2 goes past it
 * @param mask where, and how much of it
 */
export function graded(picture: Picture, grade: Grade, amount = 1, mask?: Mask): Picture {
	const { data } = picture;
	const result = new Uint8Array(data);
	const [rr, rg, rb, gr, gg, gb, br, bg, bb] = colourMatrix(grade);
	const [reds, greens, blues] = curves(grade);
	const tones = toning(grade);
	for (let at = 0; at < data.length; at += 4) {
		const share = mask ? (amount * (mask[at >> 2] ?? 0)) / 255 : amount;
		if (share === 0) continue;
		const r = data[at]!;
		const g = data[at + 1]!;
		const b = data[at + 2]!;
		let red = reds[byte(rr * r + rg * g + rb * b)]!;
		let green = greens[byte(gr * r + gg * g + gb * b)]!;
		let blue = blues[byte(br * r + bg * g + bb * b)]!;
		if (tones) {
			const tone = byte(luma(red, green, blue)) * 3;
			red += tones[tone]!;
			green += tones[tone + 1]!;
			blue += tones[tone + 2]!;
		}
		result[at] = byte(r + (red - r) * share);
		result[at + 1] = byte(g + (green - g) * share);
		result[at + 2] = byte(b + (blue - b) * share);
	}
	return { ...picture, data: result };
}

export function byte(value: number): number {
	return value <= 0 ? 0 : value >= 255 ? 255 : (value + 0.5) | 0;
}

type Matrix = [number, number, number, number, number, number, number, number, number];

/** Saturation and hue at once. https://www.w3.org/TR/filter-effects-1/#feColorMatrixElement (hueRotate, saturate) */
function colourMatrix({ saturation = 1, hue = 0 }: Grade): Matrix {
	const angle = (hue * Math.PI) / 180;
	const c = Math.cos(angle) * saturation;
	const s = Math.sin(angle) * saturation;
	const [r, g, b] = [0.213, 0.715, 0.072];
	return [
		r + c * (1 - r) - s * r,
		g - c * g - s * g,
		b - c * b + s * (1 - b),
		r - c * r + s * 0.143,
		g + c * (1 - g) + s * 0.14,
		b - c * b - s * 0.283,
		r - c * r - s * (1 - r),
		g - c * g + s * g,
		b + c * (1 - b) + s * b,
	];
}

function curves(grade: Grade): [Float32Array, Float32Array, Float32Array] {
	const { gains = [1, 1, 1], brightness = 1, gamma = 1, contrast = 1, fade = 0 } = grade;
	const curve = (gain: number) =>
		Float32Array.from({ length: 256 }, (_, value) => {
			const light = Math.min(1, (value / 255) * gain * brightness) ** gamma;
			const contrasted = contrast > 1 ? steeper(light, contrast - 1) : 0.5 + (light - 0.5) * contrast;
			return 255 * (contrasted * (1 - fade * 0.45) + fade * 0.2);
		});
	return [curve(gains[0]), curve(gains[1]), curve(gains[2])];
}

/** An S that bends most in the middle and clips nothing, laid over the value by its strength. */
function steeper(light: number, strength: number): number {
	const bent = light * light * (3 - 2 * light);
	return Math.min(1, Math.max(0, light + (bent - light) * strength * 1.6));
}

/** Returns the amounts that split toning adds to red, green and blue at each of 256 lightnesses. */
function toning({ shadows, highlights, toning: strength = 0.5 }: Grade): Float32Array | undefined {
	if (!shadows && !highlights) return undefined;
	const table = new Float32Array(256 * 3);
	const lean = (colour: Rgb | undefined, channel: 0 | 1 | 2) => (colour ? colour[channel] - luma(...colour) : 0);
	for (let value = 0; value < 256; value++) {
		const light = value / 255;
		// Black and white have no room for colour.
		const dark = (1 - light) ** 1.5 * Math.min(1, light * 6 + 0.25) * strength;
		const bright = light ** 1.5 * Math.min(1, (1 - light) * 6 + 0.25) * strength;
		for (const channel of [0, 1, 2] as const) {
			table[value * 3 + channel] = lean(shadows, channel) * dark + lean(highlights, channel) * bright;
		}
	}
	return table;
}

/** Every colour replaced by the one that its lightness stands for on a line of colours, darkest first. */
export function mapped(picture: Picture, line: readonly [Rgb, Rgb, ...Rgb[]]): Picture {
	const table = new Uint8Array(256 * 3);
	for (let value = 0; value < 256; value++) {
		const place = (value / 255) * (line.length - 1);
		const low = Math.min(line.length - 2, Math.floor(place));
		const [from, to] = [line[low] ?? line[0], line[low + 1] ?? line[1]];
		for (const channel of [0, 1, 2] as const) {
			table[value * 3 + channel] = byte(from[channel] + (to[channel] - from[channel]) * (place - low));
		}
	}
	const data = new Uint8Array(picture.data);
	for (let at = 0; at < data.length; at += 4) {
		const value = byte(luma(data[at]!, data[at + 1]!, data[at + 2]!)) * 3;
		data[at] = table[value]!;
		data[at + 1] = table[value + 1]!;
		data[at + 2] = table[value + 2]!;
	}
	return { ...picture, data };
}

/**
 * `over` where the mask is 255, `under` where it is 0; both of one size.
 * @param strength a factor of the mask, 0–1
 */
export function mixed(under: Picture, over: Picture, mask: Mask | undefined, strength = 1): Picture {
	const data = new Uint8Array(under.data);
	const from = over.data;
	for (let at = 0, pixel = 0; at < data.length; at += 4, pixel++) {
		// Shares in 256ths, so that the loop stays with whole numbers.
		const share = ((mask ? mask[pixel]! : 255) * strength * 1.004) | 0;
		if (share === 0) continue;
		const rest = 256 - share;
		data[at] = (data[at]! * rest + from[at]! * share) >> 8;
		data[at + 1] = (data[at + 1]! * rest + from[at + 1]! * share) >> 8;
		data[at + 2] = (data[at + 2]! * rest + from[at + 2]! * share) >> 8;
		data[at + 3] = (data[at + 3]! * rest + from[at + 3]! * share) >> 8;
	}
	return { ...under, data };
}

/** The same, but with the alpha of `under`. */
export function toned(under: Picture, over: Picture, mask: Mask | undefined, strength = 1): Picture {
	const result = mixed(under, over, mask, strength);
	for (let at = 3; at < result.data.length; at += 4) result.data[at] = under.data[at]!;
	return result;
}

/** Blurred by `radius` pixels (standard deviation). */
export async function blurred(picture: Picture, radius: number): Promise<Picture> {
	if (radius < 0.3) return picture;
	// A wide blur holds nothing fine: it is done on a smaller picture, at the same looks and a fraction of the time.
	const shrink = Math.min(8, Math.floor(radius / 4));
	if (shrink < 2) return settle(pipeline(picture).blur(radius));
	const [width, height] = [Math.ceil(picture.width / shrink), Math.ceil(picture.height / shrink)];
	const small = await settle(pipeline(picture).resize(width, height, { fit: 'fill' }));
	const soft = await settle(pipeline(small).blur(radius / shrink));
	return settle(pipeline(soft).resize(picture.width, picture.height, { fit: 'fill', kernel: 'cubic' }));
}
