import type { Keyv } from 'keyv';
import type { Person } from '../../domain/person.ts';
import type { Place } from '../../domain/place.ts';
import type { Upload } from '../../domain/reply.ts';
import type { TemporaryUploads } from './temporary-uploads.ts';

/** A composition takes two or three pictures. */
export const TRAY_SIZE = 3;

const TRAY_TTL_MS = 3600_000;

/** The references that a person has collected for their next composition in a server: at most three, for an hour. */
export class ReferenceTray {
	readonly #keyv: Keyv;
	readonly #uploads: TemporaryUploads;

	constructor(keyv: Keyv, uploads: TemporaryUploads) {
		this.#keyv = keyv;
		this.#uploads = uploads;
	}

	/**
	 * Adds a picture, in place of the oldest when the tray is full. Returns how many there are now.
	 * @throws PictureError when it is not a picture that can be sent to the service
	 */
	async add(place: Place, person: Person, bytes: Uint8Array): Promise<number> {
		const key = keyOf(place, person);
		const name = await this.#uploads.keep({ place, person }, bytes);
		const names = [...(await this.#names(key)).filter((other) => other !== name), name].slice(-TRAY_SIZE);
		await this.#keyv.set(key, names, TRAY_TTL_MS);
		return names.length;
	}

	/** Returns the pictures that are still kept, oldest first. Their bytes are read when they are needed. */
	async pictures(place: Place, person: Person): Promise<Upload[]> {
		const uploads: Upload[] = [];
		for (const name of await this.#names(keyOf(place, person))) {
			if (!(await this.#uploads.has({ place, person }, name))) continue;
			uploads.push({ name: `image${uploads.length + 1}`, read: () => this.#read(name) });
		}
		return uploads;
	}

	async clear(place: Place, person: Person): Promise<void> {
		await this.#keyv.delete(keyOf(place, person));
	}

	async #read(name: string): Promise<Uint8Array> {
		const bytes = await this.#uploads.read(name);
		if (!bytes) throw new Error('A reference is no longer kept');
		return bytes;
	}

	async #names(key: string): Promise<string[]> {
		return (await this.#keyv.get<string[]>(key)) ?? [];
	}
}

const keyOf = ({ platform, server }: Place, { id }: Person) => `${platform}:${server}:${id}`;
