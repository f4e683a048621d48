import { randomUUID } from 'node:crypto';
import type { FilesDriver } from '../files/files.ts';
import { type Space, StoreError } from '../store.ts';
import { dueMember, type FileEntry, fileKey } from './file-index.ts';
import { type S3Bucket, sha256 } from './s3-bucket.ts';

/**
 * How long an object is left alone that belongs to no file: one that is being written, or that was replaced and may still be read.
 * Much longer than any call takes.
 */
export const GRACE_MS = 3600_000;

/**
 * The files of one space in a bucket. Every put writes a new object, and an entry in the store says which object a file has. So
 * nothing depends on how a service orders two writes of one object, a file is replaced in one step, and its expiry is known without
 * asking the service. `ObjectSweeper` deletes the objects that no file has.
 */
export class ObjectFiles implements FilesDriver {
	readonly #space: string;
	readonly #bucket: S3Bucket;
	readonly #index: Space;

	/** @param index the space in which the entries of all files are */
	constructor(space: string, bucket: S3Bucket, index: Space) {
		this.#space = space;
		this.#bucket = bucket;
		this.#index = index;
	}

	async put(name: string, bytes: Uint8Array, expires?: number): Promise<void> {
		const object = `${this.#space}/${randomUUID()}`;
		const written = dueMember(Date.now() + GRACE_MS, this.#of(name, object));
		await this.#index.commit({ index: [written] });
		const digest = await sha256(bytes);
		await this.#bucket.put(object, bytes);
		const replaced = await this.#find(name);
		const entry: FileEntry = {
			object,
			sha256: Buffer.from(digest).toString('hex'),
			...(expires !== undefined && { expires }),
		};
		const ttl = expires === undefined ? {} : { ttlMs: Math.max(1, expires - Date.now()) };
		await this.#index.commit({
			put: [{ key: fileKey(this.#space, name), value: entry, ...ttl }],
			index: [
				...(expires === undefined ? [] : [dueMember(expires, this.#of(name, object))]),
				...(replaced ? [dueMember(Date.now() + GRACE_MS, this.#of(name, replaced.object))] : []),
			],
			// A file that never expires keeps this member: a concurrent put may replace it unnoticed.
			...(expires !== undefined && { unindex: [written] }),
		});
	}

	async get(name: string): Promise<Uint8Array | undefined> {
		const entry = await this.#find(name);
		const bytes = entry && (await this.#bucket.get(entry.object));
		if (!bytes) return undefined;
		if (Buffer.from(await sha256(bytes)).toString('hex') === entry.sha256) return bytes;
		throw new StoreError('The object store returned other bytes than were written.');
	}

	async expiryOf(name: string): Promise<number | undefined> {
		return (await this.#find(name))?.expires;
	}

	/** Deletes the object first: an entry without an object is an absent file, and expires. */
	async delete(name: string): Promise<boolean> {
		const entry = await this.#find(name);
		if (!entry) return false;
		await this.#bucket.delete(entry.object);
		const { expires, object } = entry;
		await this.#index.commit({
			remove: [fileKey(this.#space, name)],
			...(expires !== undefined && { unindex: [dueMember(expires, this.#of(name, object))] }),
		});
		return true;
	}

	/** Lists the store, not the bucket. */
	async names(): Promise<string[]> {
		const prefix = fileKey(this.#space, '');
		const names: string[] = [];
		for await (const [key] of this.#index.list(prefix)) names.push(key.slice(prefix.length));
		return names;
	}

	#find(name: string): Promise<FileEntry | undefined> {
		return this.#index.keyv.get<FileEntry>(fileKey(this.#space, name));
	}

	#of = (name: string, object: string) => ({ space: this.#space, name, object });
}
