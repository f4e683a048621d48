import type { Catalogue } from './en.ts';

export const ja = {} as Partial<Catalogue>;
