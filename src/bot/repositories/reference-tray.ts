import type { Keyv } from 'keyv';
import type { Person } from '../../domain/person.ts';
import type { Place } from '../../domain/place.ts';
import type { Upload } from '../../domain/reply.ts';
import type { PictureStore } from './picture-store.ts';
import { uploadOf } from './requests.ts';

/** A composition takes two or three pictures. */
export const TRAY_SIZE = 3;

const TRAY_TTL_MS = 3600_000;

/** The references that a person has collected for their next composition in a server: at most three, for an hour. */
export class ReferenceTray {
	readonly #keyv: Keyv;
	readonly #pictureStore: PictureStore;

	constructor(keyv: Keyv, pictureStore: PictureStore) {
		this.#keyv = keyv;
		this.#pictureStore = pictureStore;
	}

	/** Adds a picture, in place of the oldest when the tray is full. Returns how many there are now. */
	async add(place: Place, person: Person, bytes: Uint8Array): Promise<number> {
		const key = keyOf(place, person);
		const name = await this.#pictureStore.keepInput(bytes);
		const names = [...(await this.#names(key)).filter((other) => other !== name), name].slice(-TRAY_SIZE);
		await this.#keyv.set(key, names, TRAY_TTL_MS);
		return names.length;
	}

	/** Returns the pictures that are still kept, oldest first. */
	async pictures(place: Place, person: Person): Promise<Upload[]> {
		const uploads: Upload[] = [];
		for (const name of await this.#names(keyOf(place, person))) {
			const bytes = await this.#pictureStore.input(name);
			if (bytes) uploads.push(uploadOf(`image${uploads.length + 1}`, bytes));
		}
		return uploads;
	}

	async clear(place: Place, person: Person): Promise<void> {
		await this.#keyv.delete(keyOf(place, person));
	}

	async #names(key: string): Promise<string[]> {
		return (await this.#keyv.get<string[]>(key)) ?? [];
	}
}

const keyOf = ({ platform, server }: Place, { id }: Person) => `${platform}:${server}:${id}`;
