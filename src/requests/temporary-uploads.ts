import { hash } from 'node:crypto';
import type { PersonOn } from '../domain/place.ts';
import { megabytes } from '../domain/text.ts';
import { check, PictureError } from '../pictures/prepare.ts';
import { DAY_MS, HOUR_MS } from '../store/collection.ts';
import type { Space } from '../store/store.ts';

/** How long a picture is kept. */
const TTL_MS = 3600_000;

/** The most that is kept for one person: four compositions of three pictures, six pictures of the largest size. */
const MAX_PICTURES = 12;
const MAX_BYTES = 60 * 1024 * 1024;

/** The most that is written for one person in a day (UTC), whatever becomes of it: thirty pictures of the largest size. */
const MAX_DAILY_BYTES = 300 * 1024 * 1024;

/** A picture of a person. Its file is named by its slot, so that even concurrent processes keep no more files than slots. */
type Entry = { slot: number; digest: string; size: number; expiresAt: number };

/**
 * Pictures that a person has brought without making a request yet: those of a refused form, and references. No cap counts them, so
 * each person has a bound across all servers, and the oldest are dropped.
 */
export class TemporaryUploads {
	readonly #space: Space;

	constructor(space: Space) {
		this.#space = space;
	}

	/**
	 * Keeps a picture for an hour at most.
	 * @returns its name; the same picture of the same person has the same name
	 * @throws PictureError when it is not a picture that can be sent to the service, or beyond the person's bytes of the day
	 */
	async keep({ place, person }: PersonOn, bytes: Uint8Array): Promise<string> {
		check(bytes);
		const owner = ownerOf(place, person);
		const digest = hash('sha256', bytes);
		const entries = await this.#entries(owner);
		const others = entries.filter((entry) => entry.digest !== digest);
		await this.count({ place, person }, bytes.length);
		const { kept, dropped } = withRoomFor(others, bytes.length);
		const slot = entries.find((entry) => entry.digest === digest)?.slot ?? freeSlot(kept);
		for (const entry of dropped) await this.#space.files.delete(fileOf(owner, entry.slot));
		await this.#space.files.put(fileOf(owner, slot), bytes, TTL_MS);
		const entry: Entry = { slot, digest, size: bytes.length, expiresAt: Date.now() + TTL_MS };
		await this.#space.keyv.set(owner, [...kept, entry], TTL_MS);
		return `${fileOf(owner, slot)}:${digest}`;
	}

	/**
	 * Counts bytes that are about to be kept for a person, here or as pictures of a request: a request that is refused costs nothing.
	 * @throws PictureError when they would be more than a person has in a day; nothing is counted then
	 */
	async count({ place, person }: PersonOn, bytes: number): Promise<void> {
		const now = Date.now();
		const key = `bytes:${ownerOf(place, person)}:${Math.floor(now / DAY_MS)}`;
		const counter = { key, by: bytes, atMost: MAX_DAILY_BYTES, ttlMs: DAY_MS };
		if ((await this.#space.commit({ add: [counter] })) === 'done') return;
		const hours = Math.ceil((DAY_MS - (now % DAY_MS)) / HOUR_MS);
		throw new PictureError('errors.picture.daily', { most: megabytes(MAX_DAILY_BYTES), hours });
	}

	/** Returns a picture; undefined when it has expired or was dropped. */
	async read(name: string): Promise<Uint8Array | undefined> {
		const { file, digest } = parseName(name);
		const bytes = await this.#space.files.get(file);
		// Another picture may be in the slot by now.
		return bytes && hash('sha256', bytes) === digest ? bytes : undefined;
	}

	/** Tells whether a picture is still kept, without reading it. */
	async has({ place, person }: PersonOn, name: string): Promise<boolean> {
		const { digest } = parseName(name);
		return (await this.#entries(ownerOf(place, person))).some((entry) => entry.digest === digest);
	}

	/** Returns the pictures of a person, oldest first. */
	async of(requester: PersonOn): Promise<Uint8Array[]> {
		const owner = ownerOf(requester.place, requester.person);
		const entries = await this.#entries(owner);
		const pictures = await Promise.all(entries.map(({ slot }) => this.#space.files.get(fileOf(owner, slot))));
		return pictures.filter((bytes) => bytes !== undefined);
	}

	/** Deletes the pictures of a person. The bytes of the day stay counted, or erasing would be a way round their bound. */
	async erase({ place, person }: PersonOn): Promise<void> {
		const owner = ownerOf(place, person);
		for (let slot = 0; slot < MAX_PICTURES; slot++) await this.#space.files.delete(fileOf(owner, slot));
		await this.#space.keyv.delete(owner);
	}

	async #entries(owner: string): Promise<Entry[]> {
		const entries = (await this.#space.keyv.get<Entry[]>(owner)) ?? [];
		return entries.filter(({ expiresAt }) => expiresAt > Date.now());
	}
}

/** Drops the oldest entries until there is room for one more picture. */
function withRoomFor(entries: readonly Entry[], size: number): { kept: Entry[]; dropped: Entry[] } {
	const kept = [...entries];
	const dropped: Entry[] = [];
	const total = () => kept.reduce((sum, entry) => sum + entry.size, size);
	while (kept.length > 0 && (kept.length >= MAX_PICTURES || total() > MAX_BYTES)) dropped.push(...kept.splice(0, 1));
	return { kept, dropped };
}

function freeSlot(entries: readonly Entry[]): number {
	let slot = 0;
	while (entries.some((entry) => entry.slot === slot)) slot++;
	return slot;
}

/** File names have a fixed length, because ids of platforms may be long. */
const ownerOf = ({ platform }: { platform: string }, { id }: { id: string }) =>
	hash('sha256', `${platform}:${id}`).slice(0, 32);

const fileOf = (owner: string, slot: number) => `${owner}:${slot}`;

function parseName(name: string): { file: string; digest: string } {
	const end = name.lastIndexOf(':');
	return { file: name.slice(0, Math.max(0, end)) || 'none', digest: name.slice(end + 1) };
}
