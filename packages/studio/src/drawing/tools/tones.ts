import type { Tone } from '../subjects/figure.ts';
import { adjust, type Hex, mix, toLch } from './colour.ts';
import { type Light, lit } from './light.ts';

type Colours = { base: Hex; accent?: Hex | undefined; skin?: Hex; hair?: Hex };

const LAMP: Hex = '#ffdf9f';

/** Returns the colour of each tone in a light; `depth` 0 is beside the viewer, 1 at the horizon. */
export function tonesOf(light: Light, { base, accent: second, skin, hair }: Colours, depth: number) {
	const { l } = toLch(base);
	const accent = second ?? adjust(base, { l: l > 0.5 ? -0.25 : 0.25, h: 40 });
	const local: Partial<Record<Tone, Hex>> = {
		base,
		shade: adjust(base, { l: -0.09 * (0.5 + l), c: 1.02, h: -6 }),
		deep: mix(adjust(base, { l: -0.22, h: -10 }), '#2b1d2e', 0.5),
		light: adjust(base, { l: (1 - l) * 0.28, h: 5 }),
		pale: mix(adjust(base, { l: (1 - l) * 0.6, c: 0.4 }), '#fff6ea', 0.72),
		accent,
		accentShade: adjust(accent, { l: -0.09, h: -6 }),
		ink: '#2a2030',
		white: '#fffaf2',
		skin,
		hair,
	};
	return (tone: Tone): Hex =>
		tone === 'glow'
			? mix(lit(light, LAMP, depth), LAMP, Math.max(0.35, light.lamps))
			: lit(light, local[tone] ?? (tone as Hex), depth);
}
