import * as sitting from './sitting.ts';

/** Every subject that has a drawing, by the name that the vocabulary uses. */
export const figures = { ...sitting };

export type FigureName = keyof typeof figures;
