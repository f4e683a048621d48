import { type PersonRef, personKey, personKeysOf } from '../../store/kinds.ts';

/**
 * The person that data is shown, exported or erased of. `server` is set where ids are unique within one server only. After a
 * restore only the key is known.
 */
export type Subject = { key: string; platform: string; server?: string | undefined; id?: string | undefined };

export const subjectOf = (person: PersonRef): Subject & { id: string } => ({ ...person, key: personKey(person) });

/** Tells whether an entry is about one of the subjects. */
export type IsSubject = (person: PersonRef) => boolean;

/** The people of one erasure are matched by their keys, so that a list without ids is enough. */
export function isAmong(subjects: readonly Subject[]): IsSubject {
	const keys = new Set(subjects.map(({ key }) => key));
	const known = new Map<string, boolean>();
	return (person) => {
		if (person.id === '') return false;
		const name = `${person.platform}/${person.server ?? ''}/${person.id}`;
		const cached = known.get(name);
		if (cached !== undefined) return cached;
		const is = personKeysOf(person).some((key) => keys.has(key));
		if (known.size < MAX_KNOWN) known.set(name, is);
		return is;
	};
}

/** The number of people whose keys are not computed again. */
const MAX_KNOWN = 10_000;
