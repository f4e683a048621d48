import { FileGoneError, FileTooLargeError, type PictureShape, type Upload } from '../domain/channel.ts';
import type { PersonOn, Place } from '../domain/place.ts';
import { megabytes } from '../domain/text.ts';
import type { Easel } from '../easel.ts';
import { PlatformRefusedError } from '../i18n/sentence-error.ts';
import type { Log } from '../log.ts';
import { fileMemory } from '../pictures/decoding.ts';
import { sniff } from '../pictures/parts.ts';
import { MAX_INPUT_BYTES, PictureError, type Prepared, prepare } from '../pictures/prepare.ts';
import type { InputImage } from '../service/service.ts';
import { MemberQueue } from './member-queue.ts';

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
