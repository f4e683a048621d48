import type { Catalogue } from './en.ts';

export const fr = {} as Partial<Catalogue>;
