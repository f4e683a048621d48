import { createOnce } from '../once.ts';
import { pagesOf, timeKey } from '../pages.ts';
import type { IndexMember, Space } from '../store.ts';
import { dueMember, type FileEntry, fileKey, OBJECTS, parseDueMember } from './file-index.ts';
import type { S3Bucket } from './s3-bucket.ts';

const SWEEP_EVERY_MS = 600_000;

/** Deletes at the same time. */
const AT_ONCE = 8;

/**
 * Deletes the objects that no file has any more. One process on the store does it at a time, and it reads the objects that are due,
 * never all of them.
 */
export class ObjectSweeper {
	readonly #bucket: S3Bucket;
	readonly #index: Space;
	readonly #isFirst: ReturnType<typeof createOnce>;
	#timer: NodeJS.Timeout | undefined;
	#running: Promise<void> = Promise.resolve();
	#isStopping = false;

	constructor(bucket: S3Bucket, index: Space) {
		this.#bucket = bucket;
		this.#index = index;
		this.#isFirst = createOnce(index);
	}

	/** Sweeps from now on, until `stop`. A sweep that fails is made up for by the next one. */
	start(): void {
		const run = () => {
			this.#running = this.#sweepUnlessOthersDo().catch(() => {});
		};
		this.#timer = setInterval(run, SWEEP_EVERY_MS).unref();
		run();
	}

	async stop(): Promise<void> {
		clearInterval(this.#timer);
		this.#isStopping = true;
		await this.#running;
	}

	/**
	 * Deletes what is due, and returns how many objects that were.
	 *
	 * @param now Unix milliseconds
	 * @throws StoreError at the first object that cannot be deleted; it remains due
	 */
	async sweep(now: number): Promise<number> {
		let deleted = 0;
		for await (const page of pagesOf(this.#index, OBJECTS, { before: timeKey(now) })) {
			for (let start = 0; start < page.length && !this.#isStopping; start += AT_ONCE)
				deleted += await this.#collect(page.slice(start, start + AT_ONCE));
			if (this.#isStopping) break;
		}
		return deleted;
	}

	async #sweepUnlessOthersDo(): Promise<void> {
		if (await this.#isFirst('sweep', SWEEP_EVERY_MS / 2)) await this.sweep(Date.now());
	}

	async #collect(members: string[]): Promise<number> {
		const due = members.map(parseDueMember);
		const entries = await this.#index.keyv.getMany<FileEntry>(due.map(({ space, name }) => fileKey(space, name)));
		const later: IndexMember[] = [];
		const abandoned: string[] = [];
		for (const [at, file] of due.entries()) {
			const entry = entries[at];
			if (entry?.object !== file.object) abandoned.push(file.object);
			else if (entry.expires !== undefined) later.push(dueMember(entry.expires, file));
		}
		await Promise.all(abandoned.map((object) => this.#bucket.delete(object)));
		// An expiry of this very moment is the same member.
		const unindex = members.filter((member) => !later.some((other) => other.member === member));
		await this.#index.commit({ index: later, unindex: unindex.map((member) => ({ index: OBJECTS, member })) });
		return abandoned.length;
	}
}
