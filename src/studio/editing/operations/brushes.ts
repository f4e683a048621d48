import { luma } from '../colours.ts';
import { byte } from '../grade.ts';
import { type Mask, type Picture, pipeline, settle } from '../picture.ts';

export function lumaOf({ data }: Picture): Uint8Array {
	const values = new Uint8Array(data.length / 4);
	for (let at = 0; at < values.length; at++) values[at] = luma(data[at * 4]!, data[at * 4 + 1]!, data[at * 4 + 2]!);
	return values;
}

export function grey(picture: Picture, values: Uint8Array): Picture {
	const data = new Uint8Array(picture.data);
	for (let at = 0; at < data.length; at += 4) data[at] = data[at + 1] = data[at + 2] = values[at >> 2]!;
	return { ...picture, data };
}

/** Strength of edges (Sobel), 0–255. */
export async function outlines(picture: Picture, gain: number): Promise<Mask> {
	const { width, height } = picture;
	const calm = Math.min(width, height) < 8 ? picture : await settle(pipeline(picture).median(3));
	const values = lumaOf(calm);
	const mask = new Uint8Array(width * height);
	for (let y = 1; y < height - 1; y++) {
		for (let x = 1; x < width - 1; x++) {
			const at = y * width + x;
			const [nw, n, ne] = [values[at - width - 1]!, values[at - width]!, values[at - width + 1]!];
			const [sw, s, se] = [values[at + width - 1]!, values[at + width]!, values[at + width + 1]!];
			const across = ne + 2 * values[at + 1]! + se - nw - 2 * values[at - 1]! - sw;
			const down = sw + 2 * s + se - nw - 2 * n - ne;
			mask[at] = byte((Math.sqrt(across * across + down * down) - 16) * 0.5 * gain);
		}
	}
	return mask;
}

export function harden(mask: Mask): Mask {
	return mask.map((value) => byte((value - 36) * 3.4));
}

/** Lightness in steps, colours kept. */
export function stepped(picture: Picture, steps: number): Picture {
	const data = new Uint8Array(picture.data);
	for (let at = 0; at < data.length; at += 4) {
		const light = Math.max(1, luma(data[at]!, data[at + 1]!, data[at + 2]!));
		const place = (light / 256) * steps;
		const band = Math.floor(place);
		// The border between two steps is a few levels wide, so that it isn't jagged.
		const eased = band + Math.min(1, Math.max(0, (place - band - 0.9) * 10));
		const factor = ((eased + 0.5) / steps) * (255 / light);
		for (let channel = 0; channel < 3; channel++) data[at + channel] = byte(data[at + channel]! * factor);
	}
	return { ...picture, data };
}

/**
 * Every pixel takes the mean of that of the four squares at it which is most even: flat patches with kept edges, like
 * brush strokes. Sums over squares come from summed areas, so that their size costs nothing.
 */
export function kuwahara(picture: Picture, size: number): Picture {
	const { data, width, height } = picture;
	const stride = width + 1;
	const sums = [0, 1, 2, 3, 4].map(() => new Float64Array(stride * (height + 1)));
	const [reds, greens, blues, lights, squares] = sums as [
		Float64Array,
		Float64Array,
		Float64Array,
		Float64Array,
		Float64Array,
	];
	for (let y = 0; y < height; y++) {
		let [red, green, blue, light, square] = [0, 0, 0, 0, 0];
		for (let x = 0; x < width; x++) {
			const at = (y * width + x) * 4;
			const value = luma(data[at]!, data[at + 1]!, data[at + 2]!);
			red += data[at]!;
			green += data[at + 1]!;
			blue += data[at + 2]!;
			light += value;
			square += value * value;
			const to = (y + 1) * stride + x + 1;
			reds[to] = reds[to - stride]! + red;
			greens[to] = greens[to - stride]! + green;
			blues[to] = blues[to - stride]! + blue;
			lights[to] = lights[to - stride]! + light;
			squares[to] = squares[to - stride]! + square;
		}
	}
	const result = new Uint8Array(data);
	for (let y = 0; y < height; y++) {
		for (let x = 0; x < width; x++) {
			let least = Number.POSITIVE_INFINITY;
			const at = (y * width + x) * 4;
			for (let quarter = 0; quarter < 4; quarter++) {
				const x0 = Math.max(0, quarter & 1 ? x : x - size);
				const x1 = Math.min(width, (quarter & 1 ? x + size : x) + 1);
				const y0 = Math.max(0, quarter & 2 ? y : y - size) * stride;
				const y1 = Math.min(height, (quarter & 2 ? y + size : y) + 1) * stride;
				const count = ((x1 - x0) * (y1 - y0)) / stride;
				const mean = (lights[y1 + x1]! - lights[y0 + x1]! - lights[y1 + x0]! + lights[y0 + x0]!) / count;
				const variance =
					(squares[y1 + x1]! - squares[y0 + x1]! - squares[y1 + x0]! + squares[y0 + x0]!) / count - mean * mean;
				if (variance >= least) continue;
				least = variance;
				result[at] = (reds[y1 + x1]! - reds[y0 + x1]! - reds[y1 + x0]! + reds[y0 + x0]!) / count;
				result[at + 1] = (greens[y1 + x1]! - greens[y0 + x1]! - greens[y1 + x0]! + greens[y0 + x0]!) / count;
				result[at + 2] = (blues[y1 + x1]! - blues[y0 + x1]! - blues[y1 + x0]! + blues[y0 + x0]!) / count;
			}
		}
	}
	return { ...picture, data: result };
}

/** Lit from the top left, as if lightness were height: canvas, plaster, paper. */
export function relief(picture: Picture, depth: number, heights = picture): Picture {
	const { width, height } = picture;
	const values = lumaOf(heights);
	const data = new Uint8Array(picture.data);
	for (let y = 1; y < height; y++) {
		for (let x = 1; x < width; x++) {
			const at = y * width + x;
			const light = Math.max(-60, Math.min(60, values[at]! - values[at - width - 1]!)) * depth;
			for (let channel = 0; channel < 3; channel++) data[at * 4 + channel] = byte(data[at * 4 + channel]! + light);
		}
	}
	return { ...picture, data };
}
