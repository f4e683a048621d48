import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { isKnown } from './backed-up.ts';
import { BackupError, NewerBackupError, toBackupError } from './backup-errors.ts';
import {
	type BackupContent,
	type BackupCounts,
	type BackupRecord,
	CHECKSUM_BYTES,
	decodeFrame,
	decodeRecord,
	FORMAT_VERSION,
	FRAME_BYTES,
	MAGIC,
} from './backup-format.ts';

export type BackupHeader = Extract<BackupRecord, { kind: 'header' }>;

/** How many bytes are read from the file at once, unless a record is longer. */
const CHUNK_BYTES = 1024 * 1024;

/**
 * Reads a whole backup and checks every byte of it. Nothing of it is kept in memory.
 *
 * @param schema the version of the store that this program works with
 * @throws BackupError when it is no backup, is cut off or damaged; NewerBackupError when a newer version has written it
 */
export async function checkBackup(
	path: string,
	schema: number,
): Promise<{ header: BackupHeader; counts: BackupCounts }> {
	let header: BackupHeader | undefined;
	let counts: BackupCounts | undefined;
	for await (const record of records(path, schema)) {
		if (record.kind === 'header') header = record;
		if (record.kind === 'end') counts = { entries: record.entries, members: record.members, files: record.files };
	}
	return { header: header as BackupHeader, counts: counts as BackupCounts };
}

/** Yields what a backup contains, in its order. It is checked again on the way; see `checkBackup`. */
export async function* readBackup(path: string, schema: number): AsyncGenerator<BackupContent> {
	for await (const record of records(path, schema)) if (record.kind !== 'header' && record.kind !== 'end') yield record;
}

async function* records(path: string, schema: number): AsyncGenerator<BackupRecord> {
	const file = await open(path).catch((error: unknown) => {
		throw toBackupError(error, path);
	});
	try {
		yield* recordsOf(new ByteReader(file, path), path, schema);
	} finally {
		await file.close();
	}
}

async function* recordsOf(bytes: ByteReader, path: string, schema: number): AsyncGenerator<BackupRecord> {
	const magic = await bytes.read(MAGIC.length, { mayEnd: true });
	if (!magic?.equals(MAGIC)) throw new BackupError(`${path} is not a backup of Easel.`);
	const counts: BackupCounts = { entries: 0, members: 0, files: 0 };
	for (let isFirst = true; ; isFirst = false) {
		const at = bytes.position;
		const sha256 = bytes.digest();
		const damaged = () => new BackupError(`${path} is damaged at byte ${at}, so nothing of it can be used.`);
		const lengths = decodeFrame(await bytes.read(FRAME_BYTES));
		if (!lengths) throw damaged();
		const record = decodeRecord(await bytes.read(lengths.head + lengths.body + CHECKSUM_BYTES), lengths.head);
		if (!record || isFirst !== (record.kind === 'header')) throw damaged();
		if (record.kind === 'header') refuseNewer(record, path, schema);
		else if (record.kind !== 'end' && !isKnown(record))
			throw new BackupError(`${path} has a record at byte ${at} that no backup has, so nothing of it can be used.`);
		if (record.kind === 'entry') counts.entries += 1;
		else if (record.kind === 'members') counts.members += record.members.length;
		else if (record.kind === 'file') counts.files += 1;
		else if (record.kind === 'end') {
			const isComplete =
				counts.entries === record.entries && counts.members === record.members && counts.files === record.files;
			const isEnd = (await bytes.read(1, { mayEnd: true })) === undefined;
			if (sha256() !== record.sha256 || !isComplete || !isEnd) throw damaged();
		}
		yield record;
		if (record.kind === 'end') return;
	}
}

function refuseNewer({ format, schema }: BackupHeader, path: string, ownSchema: number): void {
	if (format > FORMAT_VERSION || schema > ownSchema)
		throw new NewerBackupError(`${path} was written by a newer version of Easel. Restore it with that version.`);
}

/** Reads a file from its start, and digests what it has read. */
class ByteReader {
	readonly #file: FileHandle;
	readonly #path: string;
	readonly #hash = createHash('sha256');
	#size: number | undefined;
	#buffer: Buffer = Buffer.alloc(0);
	/** The position in the file after the buffer. */
	#end = 0;

	constructor(file: FileHandle, path: string) {
		this.#file = file;
		this.#path = path;
	}

	/** The position of the next byte. */
	get position(): number {
		return this.#end - this.#buffer.length;
	}

	/** Returns a function that computes the digest of everything before this call, in hexadecimal digits. */
	digest(): () => string {
		const hash = this.#hash.copy();
		return () => hash.digest('hex');
	}

	async read(length: number): Promise<Buffer>;
	/** Returns undefined when the file ends before. */
	async read(length: number, options: { mayEnd: true }): Promise<Buffer | undefined>;
	async read(length: number, { mayEnd = false } = {}): Promise<Buffer | undefined> {
		if (!(await this.#fill(length))) {
			if (mayEnd) return undefined;
			throw new BackupError(`${this.#path} is cut off at byte ${this.#end}, so nothing of it can be used.`);
		}
		const bytes = this.#buffer.subarray(0, length);
		this.#buffer = this.#buffer.subarray(length);
		this.#hash.update(bytes);
		return bytes;
	}

	/** Returns whether so many bytes are in the buffer afterwards. Memory is taken only for bytes that the file has. */
	async #fill(length: number): Promise<boolean> {
		if (this.#buffer.length >= length) return true;
		try {
			this.#size ??= (await this.#file.stat()).size;
			if (this.position + length > this.#size) return false;
			const chunk = Buffer.allocUnsafe(Math.max(length - this.#buffer.length, CHUNK_BYTES));
			let filled = 0;
			while (this.#buffer.length + filled < length) {
				const { bytesRead } = await this.#file.read(chunk, filled, chunk.length - filled, this.#end + filled);
				if (bytesRead === 0) return false;
				filled += bytesRead;
			}
			this.#end += filled;
			this.#buffer = Buffer.concat([this.#buffer, chunk.subarray(0, filled)]);
			return true;
		} catch (error) {
			throw toBackupError(error, this.#path);
		}
	}
}
