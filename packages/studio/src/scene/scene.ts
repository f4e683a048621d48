import { z } from 'zod';
import { type FigureName, figures } from '../drawing/subjects/figures.ts';
import looks from './looks.json' with { type: 'json' };
import { FRAMINGS, MOODS, PLACES, RELATIONS, SEASONS, SIDES, SKY_THINGS, STYLES, TIMES, WEATHERS } from './names.ts';

/** The most subjects of a scene. */
export const MAX_SUBJECTS = 12;

const hex = z.templateLiteral(['#', z.string().regex(/^[0-9a-f]{6}$/)]);

/** One thing of a scene, or several alike. */
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

export type Subject = z.output<typeof subject>;
export type Hex = z.output<typeof hex>;

const amount = z.number().min(-2).max(2);
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
	z.object({ do: z.literal('tint'), colour: hex, amount }),
	z.object({ do: z.literal('blur'), where: z.enum(['everything', 'edges']), amount }),
	z.object({ do: z.enum(['sharpen', 'vignette', 'pixelate', 'grain', 'glow']), amount }),
	/** `ratio`: width by height, as large as fits, in the middle. */
	z.object({ do: z.literal('crop'), ratio: z.number().min(0.1).max(10) }),
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
		colour: hex,
		amount: amount.optional(),
	}),
	/** Makes a background of one colour transparent. */
	z.object({ do: z.literal('cutOut') }),
	/** Lays drawings over the picture. */
	z.object({ do: z.literal('paste'), subjects: z.array(subject).max(MAX_SUBJECTS) }),
	z.object({
		do: z.literal('text'),
		text: z.string().max(200),
		place: z.enum(['top', 'centre', 'bottom']),
		colour: hex.optional(),
	}),
]);

export type Operation = z.output<typeof operation>;

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
	subjects: z.array(subject).max(MAX_SUBJECTS),
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

/** Returns subjects under other ids. A relation to one that has none ends. */
export function renumbered(subjects: readonly Subject[], newId: (id: number) => number | undefined): Subject[] {
	return subjects.map((subject) => {
		const to = subject.relation && newId(subject.relation.to);
		const relation = subject.relation && to ? { ...subject.relation, to } : undefined;
		return { ...subject, id: newId(subject.id) ?? subject.id, relation };
	});
}

/** Returns subjects whose relations are to one another alone. */
export function related(subjects: readonly Subject[]): Subject[] {
	const ids = new Set(subjects.map(({ id }) => id));
	return renumbered(subjects, (id) => (ids.has(id) ? id : undefined));
}

/** Returns subjects with what they hold and wear. */
export function withCarried(found: readonly Subject[], subjects: readonly Subject[]): Subject[] {
	const all = [...found];
	for (const { id } of all)
		all.push(
			...subjects.filter((one) => one.relation?.to === id && one.relation.kind.endsWith(' by') && !all.includes(one)),
		);
	return all;
}

/** Returns subjects that come to others, under ids that those do not have. */
export function joining(subjects: readonly Subject[], others: readonly Subject[]): Subject[] {
	const next = nextId(others);
	const ids = new Map(subjects.map(({ id }, index) => [id, next + index]));
	return renumbered(subjects, (id) => ids.get(id));
}

export const nextId = (subjects: readonly Subject[]): number => Math.max(0, ...subjects.map(({ id }) => id)) + 1;
