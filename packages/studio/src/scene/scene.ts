import { z } from 'zod';
import { type FigureName, figures } from '../drawing/subjects/figures.ts';
import { FRAMINGS, MOODS, PLACES, RELATIONS, SEASONS, SIDES, SKY_THINGS, STYLES, TIMES, WEATHERS } from './names.ts';
import { operation } from './operation.ts';

const hex = z.templateLiteral(['#', z.string().regex(/^[0-9a-f]{6}$/)]);

const subject = z.object({
	/** Unique in its scene, and kept through edits, so that what an edit does not name stays where it is. */
	id: z.int().min(1),
	/** The name of a drawing (`figures`). */
	figure: z.custom<FigureName>((value) => typeof value === 'string' && Object.hasOwn(figures, value)),
	/** Its noun phrase in the prompt, in English without article and count: "tabby cat". */
	name: z.string().max(80),
	colour: hex.optional(),
	/** The colour of clothes and other second parts: "in a yellow raincoat". */
	accent: hex.optional(),
	hair: hex.optional(),
	count: z.int().min(1).max(12),
	/** 1 is the drawing's own size. */
	scale: z.number().min(0.2).max(3),
	/** In the air although it usually is not: "flying". */
	aloft: z.boolean(),
	side: z.enum(SIDES).optional(),
	/** The rider is `on` the horse: the relation of this subject to the one with the id `to`. */
	relation: z.object({ kind: z.enum(RELATIONS), to: z.int() }).optional(),
});

/**
 * All that decides a picture of the studio, as plain data. The same scene in the same size gives the same pixels. It travels in the
 * picture's file, and an edit changes it and draws it again.
 */
export const scene = z.object({
	version: z.literal(1),
	/** Decides everything that chance does, together with `variation`. */
	seed: z.string().max(4000),
	/** 0 is the first picture of the words; others show the same scene differently. */
	variation: z.int().min(0),
	place: z.enum(PLACES),
	time: z.enum(TIMES),
	season: z.enum(SEASONS).optional(),
	weather: z.array(z.enum(WEATHERS)),
	sky: z.array(z.enum(SKY_THINGS)),
	mood: z.enum(MOODS).optional(),
	style: z.enum(STYLES).optional(),
	/** A colour of the whole, which belongs to no subject. */
	tint: hex.optional(),
	/** Another colour, of abstract pictures and logos. */
	second: hex.optional(),
	framing: z.enum(FRAMINGS).optional(),
	subjects: z.array(subject).max(12),
	/** Words that are written in the picture. */
	texts: z.array(z.string().max(200)).max(3),
	/** Letters are typeset instead of painted (the model `beta`). */
	sharpText: z.boolean(),
	/** 1 shows the scene as it was composed, 2 its middle at twice the size. */
	zoom: z.number().min(0.25).max(4),
	/** Done with the drawn picture, in their order. */
	operations: z.array(operation).max(12),
});

export type Scene = z.output<typeof scene>;
export type Subject = z.output<typeof subject>;
export type Hex = z.output<typeof hex>;
