import { z } from 'zod';

const amount = z.number().min(-2).max(2);
const colour = z.templateLiteral(['#', z.string().regex(/^[0-9a-f]{6}$/)]);

/** One operation on the pixels of any picture, as plain data. `amount` 1 is what the bare word means, 0.5 "slightly", 1.6 "much". */
export const operation = z.discriminatedUnion('do', [
	z.object({ do: z.literal('adjust'), what: z.enum(['brightness', 'contrast', 'saturation', 'warmth']), amount }),
	z.object({
		do: z.literal('look'),
		name: z.enum(['greyscale', 'sepia', 'vintage', 'noir', 'dramatic', 'dreamy', 'night', 'cold', 'invert']),
	}),
	z.object({ do: z.literal('tint'), colour, amount }),
	z.object({ do: z.literal('blur'), where: z.enum(['everything', 'edges']), amount }),
	z.object({ do: z.enum(['sharpen', 'vignette', 'pixelate', 'grain']), amount }),
	/** `ratio`: width by height, as large as fits, in the middle. */
	z.object({ do: z.literal('crop'), ratio: z.number().min(0.1).max(10) }),
	z.object({ do: z.literal('zoom'), factor: z.number().min(0.25).max(4) }),
	z.object({ do: z.literal('rotate'), degrees: z.number().min(-360).max(360) }),
	z.object({ do: z.literal('flip'), axis: z.enum(['horizontal', 'vertical']) }),
	z.object({ do: z.literal('frame'), style: z.enum(['plain', 'polaroid', 'ornate', 'rounded', 'circle']), colour }),
	z.object({
		do: z.literal('text'),
		text: z.string().max(200),
		place: z.enum(['top', 'centre', 'bottom']),
		colour: colour.optional(),
	}),
]);

export type Operation = z.output<typeof operation>;
