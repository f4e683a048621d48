import { randomBytes } from 'node:crypto';
import type { Upload } from '../../../../domain/channel.ts';
import { KeyedQueue } from '../../../../domain/queues.ts';
import type { SandboxBounds } from './bounds.ts';
import { cleanName, mediaTypeOf, pngSizeOf } from './file-format.ts';
import { type SandboxIndexMember, type SandboxSpace, type SpaceChange, timeText } from './space.ts';

/** A stored file, as messages carry it. Its bytes are stored under `id`. */
export type StoredFile = {
	/** Begins with the time at which it was saved, so that ids are in this order. */
	id: string;
	name: string;
	/** Derived from the bytes. */
	type: string;
	size: number;
	alt: string;
	/** Covered until a person uncovers it. */
	spoiler?: true;
	/** See `Picture.number`. */
	number?: number;
	/** Of a PNG, so that the page reserves its space before it has loaded. */
	width?: number;
	height?: number;
};

/** How a picture is shown. */
type Presentation = { alt?: string; spoiler?: true | undefined; number?: number | undefined };

type FileStoreOptions = { space: SandboxSpace; bounds: SandboxBounds; now: () => Date };

/** How long a file is kept that no message has yet. */
const PENDING_MS = 3600_000;

/** The files of messages, and those that no message has yet, as `ID:SIZE`. */
const ATTACHED = 'files';
const PENDING = 'pending';

/** A counter of the bytes of all files in both indexes. */
const BYTES = 'bytes';

const DROPPED_AT_ONCE = 20;
const WRITES = 'writes';

/**
 * Files of messages, bounded in bytes. Each is counted before its bytes are stored, and described after that, so that a file with a
 * description is complete.
 */
export class FileStore {
	readonly #space: SandboxSpace;
	readonly #bounds: SandboxBounds;
	readonly #now: () => Date;
	readonly #queue = new KeyedQueue();

	constructor({ space, bounds, now }: FileStoreOptions) {
		this.#space = space;
		this.#bounds = bounds;
		this.#now = now;
	}

	describe(id: string): Promise<StoredFile | undefined> {
		return this.#space.keyv.get<StoredFile>(entryKey(id));
	}

	/** Returns undefined when the file is gone. */
	async read(id: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
		const bytes = (await this.describe(id)) && (await this.#space.files.get(id));
		return bytes && new Uint8Array(bytes);
	}

	/** Saves a file for a message, which has to be posted within the hour. Drops the oldest files that exceed the bound. */
	async save(name: string, bytes: Uint8Array, { alt = '', spoiler, number }: Presentation = {}): Promise<StoredFile> {
		const file: StoredFile = {
			id: timeText(this.#now().getTime()) + randomBytes(16).toString('base64url'),
			name: cleanName(name),
			type: mediaTypeOf(bytes),
			size: bytes.length,
			alt,
			...(spoiler && { spoiler }),
			...(number && { number }),
			...pngSizeOf(bytes),
		};
		const ttlMs = this.#bounds.retentionMs;
		const { keyv, commit, files } = this.#space;
		await commit({ add: [{ key: BYTES, by: file.size }], index: [{ index: PENDING, member: memberOf(file) }] });
		await this.#queue.run(WRITES, () => this.#dropOldest());
		await files.put(file.id, bytes, ttlMs);
		await keyv.set(entryKey(file.id), file, ttlMs);
		return file;
	}

	/** Returns the part of a commit that makes files belong to a message. */
	attachment(files: readonly StoredFile[]): { index: SandboxIndexMember[]; unindex: SandboxIndexMember[] } {
		const members = files.map(memberOf);
		return {
			index: members.map((member) => ({ index: ATTACHED, member })),
			unindex: members.map((member) => ({ index: PENDING, member })),
		};
	}

	/** Removes a file, unless it was dropped before. */
	remove(file: StoredFile): Promise<void> {
		return this.#queue.run(WRITES, () => this.#drop(memberOf(file)));
	}

	/** Returns the file as the core reads it. Reading rejects when the file is gone by then. */
	upload(file: StoredFile): Upload {
		return {
			name: file.name,
			type: file.type,
			size: file.size,
			link: async () => downloadAddress(file),
			read: async (signal) => {
				signal.throwIfAborted();
				const bytes = await this.read(file.id);
				signal.throwIfAborted();
				if (!bytes) throw new Error('The picture was deleted meanwhile.');
				return bytes;
			},
		};
	}

	/** Drops files that got no message or have expired, then the oldest ones until the others are within the bound. */
	async #dropOldest(): Promise<void> {
		const now = this.#now().getTime();
		await this.#dropBefore(PENDING, now - PENDING_MS);
		await this.#dropBefore(ATTACHED, now - this.#bounds.retentionMs);
		while (((await this.#space.keyv.get<number>(BYTES)) ?? 0) > this.#bounds.fileBytes) {
			const [oldest] = await this.#space.members(ATTACHED, { limit: 1 });
			if (oldest === undefined) return;
			await this.#drop(oldest);
		}
	}

	async #dropBefore(index: string, at: number): Promise<void> {
		for (const member of await this.#space.members(index, { before: timeText(at), limit: DROPPED_AT_ONCE }))
			await this.#drop(member);
	}

	async #drop(member: string): Promise<void> {
		const index = (await this.#has(ATTACHED, member)) ? ATTACHED : PENDING;
		if (index === PENDING && !(await this.#has(PENDING, member))) return;
		const [id = '', size] = member.split(':');
		const change: SpaceChange = {
			add: [{ key: BYTES, by: -Number(size) }],
			remove: [entryKey(id)],
			unindex: [{ index, member }],
		};
		await this.#space.commit(change);
		await this.#space.files.delete(id);
	}

	async #has(index: string, member: string): Promise<boolean> {
		// The id without the size is the greatest text before the member.
		const [found] = await this.#space.members(index, { after: member.slice(0, member.indexOf(':')), limit: 1 });
		return found === member;
	}
}

/** Returns the address at the sandbox's own origin, which the page knows. Markdown ends an address at a parenthesis. */
const downloadAddress = ({ id, name }: StoredFile) =>
	`/sandbox/files/${id}/${encodeURIComponent(name).replace(/[()]/g, '_')}?download`;

const entryKey = (id: string) => `file:${id}`;
const memberOf = ({ id, size }: StoredFile) => `${id}:${size}`;
