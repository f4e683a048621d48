import type { Catalogue } from './en.ts';

export const ru = {} as Partial<Catalogue>;
