import { crc32 } from 'node:zlib';
import * as z from 'zod';
import { deserialize } from '../create-store.ts';

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
export const FRAME_BYTES = 12;

/** The bytes after a record: the CRC-32 of head and body. */
export const CHECKSUM_BYTES = 4;

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
export function decodeFrame(frame: Buffer): { head: number; body: number } | undefined {
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
export function decodeRecord(bytes: Buffer, headLength: number): BackupRecord | undefined {
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
	z.object({ kind: z.literal('entry'), space: z.string(), key: z.string(), expires: time.exactOptional() }),
	z.object({ kind: z.literal('members'), space: z.string(), index: z.string() }),
	z.object({ kind: z.literal('file'), space: z.string(), name: z.string(), expires: time.exactOptional() }),
	z.object({ kind: z.literal('end'), sha256: z.string(), entries: count, members: count, files: count }),
]);
const Members = z.array(z.tuple([z.string(), time.nullable()]));
const Entry = z.object({ expires: time.optional() });
