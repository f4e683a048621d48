import type { PictureShape, Upload } from '../domain/channel.ts';
import type { Place } from '../domain/place.ts';
import type { Easel } from '../easel.ts';
import { sniff } from '../pictures/parts.ts';
import { PictureError, type Prepared, prepare } from '../pictures/prepare.ts';
import { type ReadUpload, withUploads } from '../requests/read-upload.ts';
import type { InputImage } from '../service/service.ts';

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
