import { opendir, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** The minimum time between two cleanings of a folder, by any process. */
const CLEAN_EVERY_MS = 3600_000;

/** Few files at a time, with pauses in between, so that a large folder takes a minute rather than the whole process. */
const FILES_PER_PAGE = 50;
const PAUSE_MS = 20;

/** An empty file whose time of change is when the last cleaning began. It is never over. */
const CLEANED_FILE = '.cleaned';

/** Deletes files of a folder in the background. One process does it at a time. */
export class FolderCleaner {
	readonly #folder: string;
	readonly #isOver: (path: string, now: number) => Promise<boolean>;
	#nextAt = 0;

	/** @param isOver tells whether a file is of the store and can be deleted; rejects for a file that is gone */
	constructor(folder: string, isOver: (path: string, now: number) => Promise<boolean>) {
		this.#folder = folder;
		this.#isOver = isOver;
		// A process in which nothing happens cleans as well.
		setInterval(() => void this.cleanIfDue(), CLEAN_EVERY_MS).unref();
	}

	/** Cleans the folder, unless this or another process did within the last hour. Never rejects. */
	async cleanIfDue(): Promise<void> {
		const now = Date.now();
		if (now < this.#nextAt) return;
		this.#nextAt = now + CLEAN_EVERY_MS;
		// The folder may not exist yet, and what fails is made up for by the next cleaning.
		if (await this.#claim(now)) await this.#clean(now).catch(() => {});
	}

	async #clean(now: number): Promise<void> {
		let files = 0;
		for await (const entry of await opendir(this.#folder)) {
			if (!entry.isFile()) continue;
			const path = join(this.#folder, entry.name);
			// Another process may be deleting the same file.
			if (await this.#isOver(path, now).catch(() => false)) await unlink(path).catch(() => {});
			files += 1;
			if (files % FILES_PER_PAGE === 0) await sleep(PAUSE_MS, undefined, { ref: false });
		}
	}

	/** Returns false when it is another process's turn. On a full disk, every process may clean. */
	async #claim(now: number): Promise<boolean> {
		const path = join(this.#folder, CLEANED_FILE);
		const last = await stat(path).catch(() => undefined);
		if (last && Math.abs(now - last.mtimeMs) < CLEAN_EVERY_MS) return false;
		const write = async () => {
			await writeFile(path, '', { mode: 0o600 });
			await utimes(path, now / 1000, now / 1000);
		};
		await write().catch(() => {});
		return true;
	}
}
