import { z } from 'zod';
import looks from './looks.json' with { type: 'json' };
import { subject } from './subject.ts';

const amount = z.number().min(-2).max(2);
const colour = z.templateLiteral(['#', z.string().regex(/^[0-9a-f]{6}$/)]);
const pixels = z.int().min(1).max(2048);

/** Tones, with effects after them. Times of day and seasons are here for pictures without a scene: only the tones change. */
export const LOOKS = [...(Object.keys(looks) as (keyof typeof looks)[]), 'invert' as const];

/** Painted and drawn looks. */
export const PAINTERLY = ['sketch', 'watercolour', 'oil', 'poster'] as const;

/**
 * One operation on the pixels of any picture, as plain data. `amount` 1 is what the bare word means, 0.5 "slightly", 1.6
 * "much"; a negative one is the opposite ("darker").
 */
export const operation = z.discriminatedUnion('do', [
	z.object({ do: z.literal('adjust'), what: z.enum(['brightness', 'contrast', 'saturation', 'warmth']), amount }),
	z.object({ do: z.literal('look'), name: z.enum(LOOKS) }),
	z.object({ do: z.literal('style'), name: z.enum(PAINTERLY) }),
	z.object({ do: z.literal('tint'), colour, amount }),
	z.object({ do: z.literal('blur'), where: z.enum(['everything', 'edges']), amount }),
	z.object({ do: z.enum(['sharpen', 'vignette', 'pixelate', 'grain', 'glow']), amount }),
	/** `ratio`: width by height, as large as fits, in the middle. */
	z.object({ do: z.literal('crop'), ratio: z.number().min(0.1).max(10) }),
	/** Keeps one half. */
	z.object({ do: z.literal('half'), side: z.enum(['left', 'right', 'top', 'bottom']) }),
	/** Above 1: the middle, enlarged; below 1: the picture smaller, with out-of-focus surroundings. */
	z.object({ do: z.literal('zoom'), factor: z.number().min(0.25).max(4) }),
	/** Clockwise. */
	z.object({ do: z.literal('rotate'), degrees: z.number().min(-360).max(360) }),
	/** `horizontal` swaps left and right. */
	z.object({ do: z.literal('flip'), axis: z.enum(['horizontal', 'vertical']) }),
	z.object({ do: z.literal('scale'), factor: z.number().min(0.05).max(8) }),
	/** Covers exactly this size and crops what passes over the sides. */
	z.object({ do: z.literal('resize'), width: pixels, height: pixels }),
	z.object({
		do: z.literal('frame'),
		style: z.enum(['plain', 'polaroid', 'ornate', 'rounded', 'circle']),
		colour,
		amount: amount.optional(),
	}),
	/** Makes a background of one colour transparent. */
	z.object({ do: z.literal('cutOut') }),
	/** Lays drawings over the picture. */
	z.object({ do: z.literal('paste'), subjects: z.array(subject).max(12) }),
	z.object({
		do: z.literal('text'),
		text: z.string().max(200),
		place: z.enum(['top', 'centre', 'bottom']),
		colour: colour.optional(),
	}),
]);

export type Operation = z.output<typeof operation>;
