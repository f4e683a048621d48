import { type Hex, mix, toLch } from '../drawing/tools/colour.ts';
import looksTable from '../scene/looks.json' with { type: 'json' };
import type { Operation } from '../scene/scene.ts';
import { type Picture, pipeline, settle } from './picture.ts';

type Rgb = readonly [red: number, green: number, blue: number];
type Adjustment = Extract<Operation, { do: 'adjust' }>['what'];
type LookName = Extract<Operation, { do: 'look' }>['name'];

/** A change of light and colour that is the same for every pixel. 1 changes nothing, except for `share`. */
export type Tone = {
	readonly saturation?: number;
	readonly brightness?: number;
	/** About the middle grey. */
	readonly contrast?: number;
	readonly gains?: Rgb;
	/** The colours that black and white move towards, and how far. */
	readonly shadows?: string;
	readonly highlights?: string;
	readonly share?: number;
};

/** A tone, and effects after it. */
export type Look = { readonly tone: Tone; readonly effects?: readonly Operation[] };

export const looks = looksTable as unknown as Readonly<Record<Exclude<LookName, 'invert'>, Look>>;

/** Changes the tones of a picture; its transparency stays. */
export function toned(picture: Picture, tone: Tone): Promise<Picture> {
	const { saturation = 1, brightness = 1, contrast = 1, gains = [1, 1, 1], share = 0 } = tone;
	const [dark, light] = [rgbOf(tone.shadows ?? '#000000'), rgbOf(tone.highlights ?? '#ffffff')];
	const ranges = dark.map((low, channel) => 1 - share + (share * (light[channel]! - low)) / 255);
	// All of it is linear in each channel: v → a·v + b.
	const lit = gains.map((gain, channel) => brightness * gain * ranges[channel]!);
	const offsets = lit.map((factor, channel) => 128 * (1 - contrast) * factor + share * dark[channel]!);
	const image = saturation === 1 ? pipeline(picture) : pipeline(picture).modulate({ saturation });
	const factors = lit.map((factor) => factor * contrast);
	return settle(image.linear(factors, offsets));
}

function rgbOf(hex: string): Rgb {
	const value = Number.parseInt(hex.slice(1), 16);
	return [value >> 16, (value >> 8) & 255, value & 255];
}

/** The tones of "brighter", "less contrast" and the like. */
const ADJUSTED: Readonly<Record<Adjustment, (by: (most: number) => number, amount: number) => Tone>> = {
	brightness: (by, amount) => ({
		brightness: by(amount > 0 ? 1.13 : 1.34),
		// The shadows are lifted too, so that the highlights keep their drawing.
		shadows: '#484848',
		share: Math.max(0, Math.min(0.6, 0.3 * amount)),
	}),
	contrast: (by) => ({ contrast: by(1.45) }),
	saturation: (by, amount) => ({ saturation: amount >= 0 ? by(1.6) : Math.max(0, 1 + 0.6 * amount) }),
	warmth: (by) => ({ gains: [by(1.14), 1 / by(1.02), 1 / by(1.2)] }),
};

/** Halving undoes doubling: a negative amount divides. */
export const adjustment = (what: Adjustment, amount: number): Tone =>
	ADJUSTED[what]((most) => (1 + (most - 1) * Math.abs(amount)) ** Math.sign(amount), amount);

/** Returns the tone that moves everything towards a colour and keeps light and dark. */
export function tint(colour: Hex, amount: number): Tone {
	const { l } = toLch(colour);
	const share = Math.min(0.85, 0.6 * amount);
	return {
		saturation: 1 - share * 0.8,
		shadows: mix(colour, '#000000', 0.4 + 0.4 * l),
		highlights: mix(colour, '#ffffff', 0.55 - 0.35 * l),
		share,
	};
}
