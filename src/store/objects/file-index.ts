import { timeKey } from '../pages.ts';
import type { IndexMember } from '../store.ts';

/** The entry of a file: which object has its bytes. It expires with the file. */
export type FileEntry = {
	object: string;
	/** Of the bytes, in hexadecimal digits. */
	sha256: string;
	/** Unix milliseconds; never when undefined. */
	expires?: number;
};

/** An object, and the file that it was written for. */
export type ObjectOfFile = { space: string; name: string; object: string };

/**
 * The index of objects, by the time when each has to be looked at: shortly after it was written, in case its process crashed, and
 * when it expires. An object is deleted then unless its file still has it, so no bucket ever has to be listed.
 */
export const OBJECTS = 'objects';

export const fileKey = (space: string, name: string) => `file:${space}:${name}`;

/** @param at Unix milliseconds */
export const dueMember = (at: number, { space, name, object }: ObjectOfFile): IndexMember => ({
	index: OBJECTS,
	member: [timeKey(at), space, name, object].join(' '),
});

export function parseDueMember(member: string): ObjectOfFile {
	const [, space = '', name = '', object = ''] = member.split(' ');
	return { space, name, object };
}
