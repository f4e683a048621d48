import type { Keyv } from 'keyv';
import type { Person } from '../../domain/person.ts';
import type { Place } from '../../domain/place.ts';
import type { Upload } from '../../domain/reply.ts';
import type { PictureStore } from './picture-store.ts';
import { uploadOf } from './requests.ts';

/** A composition takes two or three pictures. */
export const TRAY_SIZE = 3;

const TRAY_TTL_MS = 3600_000;

/** The references that a person has gathered for their next composition in a server: at most three, for an hour. */
export type ReferenceTray = {
	/** Adds a picture and says how many there are now; the oldest makes room. */
	add(place: Place, person: Person, bytes: Uint8Array): Promise<number>;
	pictures(place: Place, person: Person): Promise<Upload[]>;
	clear(place: Place, person: Person): Promise<void>;
};

export function createReferenceTray(keyv: Keyv, shelf: PictureStore): ReferenceTray {
	const keyOf = ({ platform, server }: Place, person: Person) => `${platform}:${server}:${person.id}`;
	const namesIn = async (key: string) => (await keyv.get<string[]>(key)) ?? [];
	return {
		async add(place, person, bytes) {
			const key = keyOf(place, person);
			const name = await shelf.keepInput(bytes);
			const names = [...(await namesIn(key)).filter((other) => other !== name), name].slice(-TRAY_SIZE);
			await keyv.set(key, names, TRAY_TTL_MS);
			return names.length;
		},
		async pictures(place, person) {
			const found: Upload[] = [];
			for (const name of await namesIn(keyOf(place, person))) {
				const bytes = await shelf.input(name);
				if (bytes) found.push(uploadOf(`image${found.length + 1}`, bytes));
			}
			return found;
		},
		async clear(place, person) {
			await keyv.delete(keyOf(place, person));
		},
	};
}
