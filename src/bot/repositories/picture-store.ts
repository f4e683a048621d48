import { hash } from 'node:crypto';
import type { Files } from '../../store/store.ts';

/** How long a picture that somebody sent is kept, so that Again works on it. */
const INPUT_TTL_MS = 30 * 24 * 3600_000;

/**
 * Pictures in the store. Those that the service made lie here from the moment they arrived until they are posted, so that none
 * is lost; those that people sent lie here for a while, once each however often they are sent.
 */
export type PictureStore = {
	/** Keeps a job's finished pictures until they are dropped. */
	keep(job: string, images: readonly Uint8Array[]): Promise<void>;
	/** A job's kept pictures, in order. */
	kept(job: string): Promise<Uint8Array[]>;
	drop(job: string): Promise<void>;
	/** Keeps a picture that somebody sent. Returns the name it is found under. */
	keepInput(bytes: Uint8Array): Promise<string>;
	/** Undefined once its time is over. */
	input(name: string): Promise<Uint8Array | undefined>;
};

export function createPictureStore(files: Files): PictureStore {
	async function kept(job: string): Promise<Uint8Array[]> {
		const pictures: Uint8Array[] = [];
		for (;;) {
			const bytes = await files.get(keptKey(job, pictures.length));
			if (!bytes) return pictures;
			pictures.push(bytes);
		}
	}

	return {
		async keep(job, images) {
			for (const [index, bytes] of images.entries()) await files.put(keptKey(job, index), bytes);
		},
		kept,
		async drop(job) {
			for (let index = 0; await files.delete(keptKey(job, index)); index++);
		},
		async keepInput(bytes) {
			const name = hash('sha256', bytes);
			await files.put(`input:${name}`, bytes, INPUT_TTL_MS);
			return name;
		},
		input: (name) => files.get(`input:${name}`),
	};
}

const keptKey = (job: string, index: number) => `kept:${job}:${index}`;
