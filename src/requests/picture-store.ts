import { hash } from 'node:crypto';
import type { Keyv } from 'keyv';
import type { PictureShape, Place, Upload } from '../domain/channel.ts';
import type { Easel } from '../easel.ts';
import { sniff } from '../pictures/parts.ts';
import { PictureError, type Prepared, prepare } from '../pictures/prepare.ts';
import type { InputImage } from '../service/service.ts';
import type { Change, Files, Space } from '../store/store.ts';
import { type ReadUpload, withUploads } from './uploads.ts';

/** The most pictures that one request has. */
export const MAX_PICTURES = 4;

/** How long originals are kept that were posted as smaller copies. */
const ORIGINAL_MS = 24 * 3600_000;

/** How long pictures of requests are kept that are not counted yet, or were given back. */
const BROUGHT_MS = 3600_000;

/**
 * The pictures in the store. Those that the service made are kept from their arrival until they are delivered, so that a crash does
 * not lose them. Those that people brought are kept so that **Again** works, once each, however often they are sent.
 */
export class PictureStore {
	readonly #files: Files;
	readonly #keyv: Keyv;

	readonly #ttlMs: number;

	/** @param ttlMs how long pictures are kept at most */
	constructor({ files, keyv }: Space, ttlMs: number) {
		this.#files = files;
		this.#keyv = keyv;
		this.#ttlMs = ttlMs;
	}

	/** Keeps the finished pictures of a job until they are dropped, or expire. */
	async keep(job: string, images: readonly Uint8Array[]): Promise<void> {
		for (const [index, bytes] of images.entries()) await this.#files.put(resultKey(job, index), bytes, this.#ttlMs);
	}

	/** Returns the kept pictures of a job, in order; none while they are dropped. */
	async kept(job: string): Promise<Uint8Array[]> {
		const pictures: Uint8Array[] = [];
		for (;;) {
			const bytes = await this.#files.get(resultKey(job, pictures.length));
			if (!bytes) break;
			pictures.push(bytes);
		}
		// The first one is dropped first: while it is there, no other was missing because another process drops them.
		return pictures.length > 0 && !(await this.#files.get(resultKey(job, 0))) ? [] : pictures;
	}

	/** @param count how many pictures are kept, if that is known */
	async drop(job: string, count = Number.POSITIVE_INFINITY): Promise<void> {
		for (let index = 0; index < count && (await this.#files.delete(resultKey(job, index))); index++);
	}

	/** Keeps the originals of pictures that were posted as smaller copies, for a day. @param indexes of those among the job's pictures */
	async keepOriginals(job: string, images: readonly Uint8Array[], indexes: readonly number[]): Promise<void> {
		for (const index of indexes) {
			const bytes = images[index];
			if (bytes) await this.#files.put(originalKey(job, index), bytes, Math.min(ORIGINAL_MS, this.#ttlMs));
		}
	}

	/** Returns the original of a picture that was posted as a smaller copy; undefined once it has expired. */
	original(job: string, index: number): Promise<Uint8Array | undefined> {
		return this.#files.get(originalKey(job, index));
	}

	/** Drops all that is kept of the finished pictures of a job. */
	async forget(job: string): Promise<void> {
		await this.drop(job);
		for (let index = 0; index < MAX_PICTURES; index++) await this.#files.delete(originalKey(job, index));
	}

	/** Returns the change that stores which job has made these pictures, by their bytes. */
	remembering(job: string, images: readonly Uint8Array[]): Change {
		const keys = images.map((bytes) => madeKey(hash('sha256', bytes)));
		return { put: keys.map((key) => ({ space: 'pictures', key, value: job, ttlMs: this.#ttlMs })) };
	}

	/** Returns the job that has made a picture. @param digest the SHA-256 of its bytes, in hexadecimal */
	jobOf(digest: string): Promise<string | undefined> {
		return this.#keyv.get<string>(madeKey(digest));
	}

	/** Keeps a picture that a person brought, for an hour: its request may still be refused. Returns its name for `input`. */
	async keepInput(bytes: Uint8Array): Promise<string> {
		const name = hash('sha256', bytes);
		await this.#files.put(broughtKey(name), bytes, Math.min(BROUGHT_MS, this.#ttlMs));
		return name;
	}

	/** Keeps the pictures of a request that was counted as long as all others. */
	async retainInputs(names: readonly string[]): Promise<void> {
		for (const name of names) {
			const bytes = await this.#files.get(broughtKey(name));
			if (bytes) await this.#files.put(inputKey(name), bytes, this.#ttlMs);
			await this.#files.delete(broughtKey(name));
		}
	}

	/** Returns a picture that a person brought; undefined once it has expired. */
	async input(name: string): Promise<Uint8Array | undefined> {
		for (const key of [inputKey(name), broughtKey(name), inputKey(name)]) {
			const bytes = await this.#files.get(key);
			if (bytes) return bytes;
		}
		// It was not retained between the two.
		return undefined;
	}

	async dropInput(name: string): Promise<void> {
		await this.#files.delete(inputKey(name));
		await this.#files.delete(broughtKey(name));
	}
}

const resultKey = (job: string, index: number) => `kept:${job}:${index}`;
const originalKey = (job: string, index: number) => `original:${job}:${index}`;
const madeKey = (digest: string) => `made:${digest}`;
const broughtKey = (name: string) => `brought:${name}`;
const inputKey = (name: string) => `input:${name}`;

/**
 * Reads and checks the pictures that a person brings for a request, and keeps all of them in the store, or none. They wait there rather
 * than in memory: a request has at most three of 10 MB, and any number of requests may be waiting.
 *
 * @returns their names there, by option, and the shape of the first
 * @throws PictureError when one cannot be used or is somebody else's, or the person has no bytes left for them today
 */
export async function keepInputs(
	easel: Easel,
	place: Place,
	person: { id: string },
	uploads: readonly (readonly [name: string, upload: Upload])[],
	signal?: AbortSignal,
): Promise<{ names: Record<string, string>; shape?: PictureShape | undefined }> {
	const { temporaryUploads, pictureStore, consent } = easel;
	const files = uploads.map(([, upload]) => upload);
	const keep = async (read: ReadUpload) => {
		// All are checked first: a refused request costs nothing, so that nothing limits how often it is made.
		const prepared: [name: string, picture: Prepared][] = [];
		for (const [name, upload] of uploads) {
			const bytes = await read(upload);
			const picture = await prepare(bytes, signal);
			await consent.check({ place, person }, upload, bytes, picture.bytes);
			prepared.push([name, picture]);
		}
		const total = prepared.reduce((sum, [, { bytes }]) => sum + bytes.length, 0);
		if (total > 0) await temporaryUploads.count({ place, person }, total);
		const names: Record<string, string> = {};
		for (const [name, { bytes }] of prepared) names[name] = await pictureStore.keepInput(bytes);
		const [[, first] = []] = prepared;
		return { names, shape: first && { width: first.width, height: first.height } };
	};
	return withUploads(easel, { place, person }, files, keep, { signal });
}

/**
 * Returns kept pictures to send. Each is read once now, so that none is missing when the request is under way, and again when it is
 * sent: a request has one of its pictures in memory at a time.
 * @throws PictureError when one has expired
 */
export async function inputImages(
	{ pictureStore }: Easel,
	names: Readonly<Record<string, string>>,
): Promise<Record<string, InputImage>> {
	const images: Record<string, InputImage> = {};
	for (const [option, name] of Object.entries(names)) {
		const read = async () => {
			const bytes = await pictureStore.input(name);
			if (!bytes) throw new PictureError('errors.picture.fetch');
			return bytes;
		};
		const bytes = await read();
		images[option] = { type: sniff(bytes)?.type ?? 'application/octet-stream', size: bytes.length, read };
	}
	return images;
}
