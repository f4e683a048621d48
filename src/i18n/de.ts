import type { Catalogue } from './en.ts';

export const de = {} as Partial<Catalogue>;
