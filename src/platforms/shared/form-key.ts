import { hash } from 'node:crypto';

/** Returns one of 16 keys for the open forms of a person: a new form may replace one that was left open. @param id of the form */
export const formKeyOf = (person: string, id: string): string => `form:${person}:${hash('sha256', id).charAt(0)}`;
