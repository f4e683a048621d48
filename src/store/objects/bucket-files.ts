import type { ExternalFiles } from '../files/files.ts';
import { type Space, StoreError } from '../store.ts';
import { ObjectFiles } from './object-files.ts';
import { ObjectSweeper } from './object-sweeper.ts';
import type { S3Bucket } from './s3-bucket.ts';

/** The object of the checks. */
const CHECKED = 'health';

/** A check that succeeded counts for so long, unless a call fails, because services charge for every call. */
const CHECK_EVERY_MS = 60_000;

/** The files of a store in a bucket, with the sweeps that delete expired ones. */
export class BucketFiles implements ExternalFiles {
	readonly #bucket: S3Bucket;
	readonly #index: Space;
	readonly #sweeper: ObjectSweeper;
	#checkedAt = Number.NEGATIVE_INFINITY;

	constructor(bucket: S3Bucket, index: Space) {
		this.#bucket = bucket;
		this.#index = index;
		this.#sweeper = new ObjectSweeper(bucket, index);
		this.#sweeper.start();
	}

	space(name: string): ObjectFiles {
		return new ObjectFiles(name, this.#bucket, this.#index);
	}

	async check(): Promise<void> {
		if (!this.#bucket.isFailing && performance.now() < this.#checkedAt + CHECK_EVERY_MS) return;
		await this.#bucket.put(CHECKED, new Uint8Array(1));
		if ((await this.#bucket.get(CHECKED))?.length !== 1)
			throw new StoreError('The object store does not return what was written.');
		await this.#bucket.delete(CHECKED);
		this.#checkedAt = performance.now();
	}

	async close(): Promise<void> {
		await this.#sweeper.stop();
		await this.#bucket.close();
	}
}
