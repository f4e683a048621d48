import looksTable from '../scene/looks.json' with { type: 'json' };
import type { Operation } from '../scene/scene.ts';
import { type Picture, pipeline, settle } from './picture.ts';

type Rgb = readonly [red: number, green: number, blue: number];
type Adjustment = Extract<Operation, { do: 'adjust' }>['what'];
type LookName = Extract<Operation, { do: 'look' }>['name'];

/** A change of light and colour that is the same for every pixel. 1 changes nothing, except for `hue` and `share`. */
export type Tone = {
	readonly saturation?: number;
	/** Degrees. */
	readonly hue?: number;
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
	const { saturation = 1, hue = 0, brightness = 1, contrast = 1, gains = [1, 1, 1], share = 0 } = tone;
	const [dark, light] = [rgbOf(tone.shadows ?? '#000000'), rgbOf(tone.highlights ?? '#ffffff')];
	// All of it is linear in each channel: v → a·v + b.
	const channels = gains.map((gain, index) => {
		const [low = 0, high = 255] = [dark[index], light[index]];
		const range = 1 - share + (share * (high - low)) / 255;
		return [brightness * gain * contrast * range, 128 * (1 - contrast) * brightness * gain * range + share * low];
	});
	const image = saturation === 1 && hue === 0 ? pipeline(picture) : pipeline(picture).modulate({ saturation, hue });
	return settle(
		image.linear(
			channels.map(([factor = 1]) => factor),
			channels.map(([, offset = 0]) => offset),
		),
	);
}

export function rgbOf(hex: string): Rgb {
	const value = Number.parseInt(hex.slice(1), 16);
	return [value >> 16, (value >> 8) & 255, value & 255];
}

/** Returns the tone of "brighter", "less contrast" and the like. */
export function adjustment(what: Adjustment, amount: number): Tone {
	// Halving undoes doubling: a negative amount divides.
	const by = (most: number) => (amount >= 0 ? 1 + (most - 1) * amount : 1 / (1 + (most - 1) * -amount));
	// Brighter lifts the shadows too, so that the highlights keep their drawing.
	if (what === 'brightness')
		return {
			brightness: by(amount > 0 ? 1.13 : 1.34),
			shadows: '#484848',
			share: amount > 0 ? Math.min(0.6, 0.3 * amount) : 0,
		};
	if (what === 'contrast') return { contrast: by(1.45) };
	if (what === 'saturation') return { saturation: amount >= 0 ? by(1.6) : Math.max(0, 1 + 0.6 * amount) };
	return { gains: [by(1.14), 1 / by(1.02), 1 / by(1.2)] };
}

/** Returns the tone that moves everything towards a colour and keeps light and dark. */
export function tint(colour: string, amount: number): Tone {
	const [red, green, blue] = rgbOf(colour);
	const lightness = (0.299 * red + 0.587 * green + 0.114 * blue) / 255;
	const share = Math.min(0.85, 0.6 * Math.abs(amount));
	const towards = (goal: number, part: number) =>
		`#${[red, green, blue].map((value) => hexByte(value + (goal - value) * part)).join('')}`;
	return {
		saturation: 1 - share * 0.8,
		shadows: towards(0, 0.4 + 0.4 * lightness),
		highlights: towards(255, 0.55 - 0.35 * lightness),
		share,
	};
}

function hexByte(value: number) {
	return Math.round(value).toString(16).padStart(2, '0');
}
