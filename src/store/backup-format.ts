import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import * as z from 'zod';
import { deserialize } from './create-store.ts';
import { isFileName } from './files.ts';
import { kindOf, SPACES } from './kinds.ts';
import { isIndexText } from './store.ts';

/** Thrown when a backup cannot be made, read or restored. The message is one sentence for the operator. */
export class BackupError extends Error {
	override name = 'BackupError';
}

/** Thrown when a newer version of Easel has written a backup: this version could misread it. */
export class NewerBackupError extends BackupError {}

/** Thrown when a command is used in a way that could destroy something, or makes no sense for the store. */
export class BackupRefusedError extends BackupError {}

/** Translates an error of the file system about the file of a backup. */
export function toBackupError(error: unknown, path: string): Error {
	const { code } = error as NodeJS.ErrnoException;
	if (error instanceof BackupError || code === undefined) return error as Error;
	const reason = REASONS[code] ?? `cannot be read or written (${code})`;
	return new BackupError(`${path} ${reason}.`, { cause: error });
}

const REASONS: Record<string, string> = {
	ENOENT: 'does not exist',
	EACCES: 'may not be read or written by this user',
	EPERM: 'may not be read or written by this user',
	EISDIR: 'is a folder; name a file',
	ENOTDIR: 'lies in something that is not a folder',
	ENOSPC: 'cannot be written, because the disk is full',
	EDQUOT: 'cannot be written, because the disk quota is used up',
	EROFS: 'cannot be written, because the file system is read-only',
	EFBIG: 'cannot be written, because it exceeds the largest size of a file',
};

/**
 * Spaces that are not backed up: facts about the service, which are found again; objects of a bucket and small files, which are
 * backed up as files; the store's own health and backups.
 */
const OTHER_SPACES: ReadonlySet<string> = new Set(['service', 'files', 'small-files', 'health', 'backups', 'restore']);

/** All spaces that may be in a store. */
export const ALL_SPACES: readonly string[] = [...new Set([...SPACES, ...OTHER_SPACES])];

export const isBackedUpSpace = (space: string): boolean => !OTHER_SPACES.has(space);

/** Tells whether an entry is backed up. A lease belongs to a process, which does not run on another store. */
export function isBackedUp(space: string, key: string): boolean {
	if (!isBackedUpSpace(space)) return false;
	return kindOf(space, key)?.owner !== 'process';
}

/** Tells whether a record has a place in a store. Nothing else of a file becomes the name of a folder, a file, an object or a key. */
function isKnown(record: BackupContent): boolean {
	const { space } = record;
	if (!ALL_SPACES.includes(space)) return false;
	if (record.kind === 'entry') return record.key.isWellFormed();
	if (record.kind === 'members') return [record.index, ...record.members.map(([member]) => member)].every(isIndexText);
	return isBackedUpSpace(space) && kindOf(space, record.name, 'file') !== undefined && isFileName(record.name);
}

/** Splits a key that begins with its space and a colon. */
export function splitKey(stored: string): { space: string; key: string } {
	const colon = stored.indexOf(':');
	return { space: stored.slice(0, colon), key: stored.slice(colon + 1) };
}

/** The version of the format. Raise it when a program that reads the present one could misread the new one. */
export const FORMAT_VERSION = 1;

/** The first bytes of every backup. The line ends show a file that was changed by a transfer in text mode. */
export const MAGIC = Buffer.from('EASEL BACKUP\r\n\x1a\n', 'latin1');

/**
 * One record of a backup. The first is the header, the last the end. Expiries are Unix milliseconds.
 *
 * - `entry`: as keyv serializes it, with its key in the space
 * - `members`: a part of an index; each member with its expiry, or null
 * - `end`: how many there are of each, and the SHA-256 digest of all bytes before this record
 */
export type BackupRecord =
	| { kind: 'header'; format: number; schema: number; createdAt: number }
	| { kind: 'entry'; space: string; key: string; expires?: number; entry: string }
	| { kind: 'members'; space: string; index: string; members: readonly (readonly [string, number | null])[] }
	| { kind: 'file'; space: string; name: string; expires?: number; bytes: Uint8Array }
	| ({ kind: 'end'; sha256: string } & BackupCounts);

export type BackupContent = Exclude<BackupRecord, { kind: 'header' | 'end' }>;

export type BackupCounts = { entries: number; members: number; files: number };

/** The bytes before a record: the lengths of its head and its body, and their CRC-32. All numbers are big-endian and unsigned. */
const FRAME_BYTES = 12;

/** The bytes after a record: the CRC-32 of head and body. */
const CHECKSUM_BYTES = 4;

/** The longest body. Redis allows no larger values. https://redis.io/docs/latest/develop/data-types/strings/ */
const MAX_BODY_BYTES = 512 * 1024 * 1024;

/** Encodes a record: its frame, the head (JSON), the body, and the checksum. */
export function encodeRecord(record: BackupRecord): Uint8Array[] {
	const { head, body } = split(record);
	if (body.byteLength > MAX_BODY_BYTES) throw new RangeError('A value is too long for a backup.');
	const headBytes = Buffer.from(JSON.stringify(head));
	const frame = Buffer.alloc(FRAME_BYTES);
	frame.writeUInt32BE(headBytes.length, 0);
	frame.writeUInt32BE(body.byteLength, 4);
	frame.writeUInt32BE(crc32(frame.subarray(0, 8)), 8);
	const checksum = Buffer.alloc(CHECKSUM_BYTES);
	checksum.writeUInt32BE(crc32(body, crc32(headBytes)));
	return [frame, headBytes, body, checksum];
}

/** The longest head: the names in it have some hundred characters. */
const MAX_HEAD_BYTES = 64 * 1024;

/** Returns the lengths in a frame, or undefined when it is damaged. */
function decodeFrame(frame: Buffer): { head: number; body: number } | undefined {
	if (frame.readUInt32BE(8) !== crc32(frame.subarray(0, 8))) return undefined;
	const lengths = { head: frame.readUInt32BE(0), body: frame.readUInt32BE(4) };
	return lengths.head > MAX_HEAD_BYTES || lengths.body > MAX_BODY_BYTES ? undefined : lengths;
}

/**
 * Decodes what follows a frame.
 *
 * @param bytes head, body and checksum
 * @returns undefined when they are damaged, or no record: checksums are no signatures, so anybody can write valid ones
 */
function decodeRecord(bytes: Buffer, headLength: number): BackupRecord | undefined {
	const end = bytes.length - CHECKSUM_BYTES;
	if (bytes.readUInt32BE(end) !== crc32(bytes.subarray(0, end))) return undefined;
	try {
		return join(Head.parse(JSON.parse(bytes.toString('utf8', 0, headLength))), bytes.subarray(headLength, end));
	} catch {
		return undefined;
	}
}

const NO_BYTES = new Uint8Array();

function split(record: BackupRecord): { head: object; body: Uint8Array } {
	if (record.kind === 'entry') {
		const { entry, ...head } = record;
		return { head, body: Buffer.from(entry) };
	}
	if (record.kind === 'members') {
		const { members, ...head } = record;
		return { head, body: Buffer.from(JSON.stringify(members)) };
	}
	if (record.kind === 'file') {
		const { bytes, ...head } = record;
		return { head, body: bytes };
	}
	return { head: record, body: NO_BYTES };
}

function join(head: z.infer<typeof Head>, body: Buffer): BackupRecord {
	if (head.kind === 'file') return { ...head, bytes: body };
	if (head.kind === 'members') return { ...head, members: Members.parse(JSON.parse(body.toString())) };
	if (head.kind !== 'entry') return head;
	const entry = body.toString();
	Entry.parse(deserialize(entry));
	return { ...head, entry };
}

/** Unix milliseconds that are a date. https://tc39.es/ecma262/#sec-time-values-and-time-range */
const time = z.number().min(0).max(8.64e15);
const count = z.int().min(0);
const Head = z.discriminatedUnion('kind', [
	z.object({ kind: z.literal('header'), format: count, schema: count, createdAt: time }),
	z.object({ kind: z.literal('entry'), space: z.string(), key: z.string(), expires: time.optional() }),
	z.object({ kind: z.literal('members'), space: z.string(), index: z.string() }),
	z.object({ kind: z.literal('file'), space: z.string(), name: z.string(), expires: time.optional() }),
	z.object({ kind: z.literal('end'), sha256: z.string(), entries: count, members: count, files: count }),
]);
const Members = z.array(z.tuple([z.string(), time.nullable()]));
const Entry = z.object({ expires: time.optional() });

type BackupHeader = Extract<BackupRecord, { kind: 'header' }>;

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
