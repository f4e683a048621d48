import type { Catalogue } from './en.ts';

export const es = {} as Partial<Catalogue>;
