import { hash } from 'node:crypto';
import { FileGoneError, FileTooLargeError, type PersonOn, type Upload } from '../domain/channel.ts';
import { MemberQueue } from '../domain/queues.ts';
import { megabytes } from '../domain/text.ts';
import { PlatformRefusedError } from '../i18n/translator.ts';
import type { Log } from '../log.ts';
import { fileMemory } from '../pictures/decoding.ts';
import { check, MAX_INPUT_BYTES, PictureError } from '../pictures/prepare.ts';
import { DAY_MS, HOUR_MS, type Space } from '../store/store.ts';

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

/** How many pieces of work with uploads a person has at once, and all people together. */
const AT_ONCE = 2;
const ALL_AT_ONCE = 8;

/** Whose turn it is. The memory that they share is this process's, so there is one line. */
const queue = new MemberQueue(ALL_AT_ONCE);

/** A result is at most as large as the messages that it is posted in. */
const MAX_POSTED_BYTES = 25 * 1024 * 1024;

/**
 * Reads one of the uploads.
 * @throws PictureError when it is too large, gone, or at an origin that is not allowed
 * @throws PlatformRefusedError when the platform refuses it for a reason that people can remove
 */
export type ReadUpload = (upload: Upload) => Promise<Uint8Array>;

/**
 * Does work that reads uploads, when it is the person's turn and there is memory for all of them. What was read must not be needed after
 * the work has ended.
 * @param options.most how many bytes an upload may have: those of a picture that people may send by default
 * @throws the signal's reason when it is aborted
 */
export async function withUploads<Result>(
	{ log, stopping }: { log: Log; stopping: AbortSignal },
	{ place, person }: PersonOn,
	uploads: readonly Upload[],
	work: (read: ReadUpload) => Promise<Result>,
	{ most = MAX_INPUT_BYTES, signal = stopping }: { most?: number; signal?: AbortSignal | undefined } = {},
): Promise<Result> {
	const read: ReadUpload = async (upload) => {
		const { unreadable: why } = upload;
		if (why) throw new PictureError('errors.picture.unreadable', { why });
		try {
			if ((upload.size ?? 0) > most) throw new FileTooLargeError(upload.size);
			return await upload.read(signal, most);
		} catch (error) {
			signal.throwIfAborted();
			if (error instanceof FileTooLargeError && error.size !== undefined)
				throw new PictureError('errors.picture.bytes', { size: megabytes(error.size), most: megabytes(most) });
			if (error instanceof FileGoneError)
				throw new PictureError('errors.picture.unreadable', { why: 'deleted' }, { cause: error });
			log.warn({ err: error }, 'A file could not be fetched');
			if (error instanceof PlatformRefusedError) throw error;
			throw new PictureError('errors.picture.fetch', undefined, { cause: error });
		}
	};
	if (uploads.length === 0) return work(read);
	const bytes = uploads.reduce((sum, { size = most }) => sum + Math.min(size, most), 0);
	const leave = await queue.enter(`${place.platform}:${person.id}`, AT_ONCE, signal);
	try {
		return await fileMemory.use(bytes, signal, () => work(read));
	} finally {
		leave();
	}
}

/** Does work with the pictures of posted messages, in the same line. Results may be larger than what people may send. */
export const withPosted = <Result>(
	easel: { log: Log; stopping: AbortSignal },
	requester: PersonOn,
	pictures: readonly Upload[],
	work: (images: Uint8Array[]) => Promise<Result>,
): Promise<Result> => {
	const readAll = async (read: ReadUpload) => {
		const images: Uint8Array[] = [];
		for (const picture of pictures) images.push(await read(picture));
		return work(images);
	};
	return withUploads(easel, requester, pictures, readAll, { most: MAX_POSTED_BYTES });
};
