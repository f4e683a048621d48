import { hash } from 'node:crypto';

/** A person as entries of the store name them. */
export type PersonRef = {
	platform: string;
	/** Absent where an entry does not say it. */
	server?: string | undefined;
	id: string;
};

/**
 * Returns a key that stands for a person without containing their id.
 * @param server where ids are unique within one server only
 */
export const personKey = ({ platform, server, id }: PersonRef): string =>
	hash('sha256', JSON.stringify([platform, server ?? '', id]));

/** Returns the keys that a person in an entry may be known by: ids are unique on the whole platform, or in one server. */
export const personKeysOf = (person: PersonRef): string[] => [
	...new Set([personKey({ ...person, server: undefined }), personKey(person)]),
];
