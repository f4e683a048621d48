import { z } from 'zod';
import { type FigureName, figures } from '../drawing/subjects/figures.ts';
import { RELATIONS, SIDES } from './names.ts';

export const hex = z.templateLiteral(['#', z.string().regex(/^[0-9a-f]{6}$/)]);

/** One thing of a scene, or several alike. */
export const subject = z.object({
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

/** The most subjects of a scene. */
export const MAX_SUBJECTS = 12;

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

/** Returns subjects that come to others, under ids that those do not have. */
export function joining(subjects: readonly Subject[], others: readonly Subject[]): Subject[] {
	const next = nextId(others);
	const ids = new Map(subjects.map(({ id }, index) => [id, next + index]));
	return renumbered(subjects, (id) => ids.get(id));
}

export const nextId = (subjects: readonly Subject[]): number => Math.max(0, ...subjects.map(({ id }) => id)) + 1;
