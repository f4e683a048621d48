import type { Catalogue } from './en.ts';

export const ptBR = {} as Partial<Catalogue>;
