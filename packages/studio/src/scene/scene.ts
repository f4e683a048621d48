import { z } from 'zod';
import { FRAMINGS, MOODS, PLACES, SEASONS, SKY_THINGS, STYLES, TIMES, WEATHERS } from './names.ts';
import { operation } from './operation.ts';
import { hex, subject } from './subject.ts';

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

/** A meadow by day with nothing in it. */
export const emptyScene = (seed: string): Scene => ({
	version: 1,
	seed,
	variation: 0,
	place: 'meadow',
	time: 'day',
	weather: [],
	sky: [],
	subjects: [],
	texts: [],
	sharpText: false,
	zoom: 1,
	operations: [],
});

export type { Hex, Subject } from './subject.ts';
