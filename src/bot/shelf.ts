import { hash } from 'node:crypto';
import type { Keyv } from 'keyv';

/** How long a picture that somebody sent is kept, so that Again works on it. */
const INPUT_TTL_MS = 30 * 24 * 3600_000;

/**
 * Pictures in the store. Those that the service made lie here from the moment they arrived until they are posted, so that none
 * is lost; those that people sent lie here for a while, once each however often they are sent.
 */
export type Shelf = {
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

export function createShelf(keyv: Keyv): Shelf {
	// Each picture is a value of its own and moves alone, so that four of them never lie in memory as text at once.
	const put = async (key: string, bytes: Uint8Array, ttl?: number) => {
		await keyv.set(key, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'), ttl);
	};
	const get = async (key: string) => {
		const text = await keyv.get<string>(key);
		return text === undefined ? undefined : Buffer.from(text, 'base64');
	};

	async function kept(job: string): Promise<Uint8Array[]> {
		const pictures: Uint8Array[] = [];
		for (;;) {
			const bytes = await get(keptKey(job, pictures.length));
			if (!bytes) return pictures;
			pictures.push(bytes);
		}
	}

	return {
		async keep(job, images) {
			for (const [index, bytes] of images.entries()) await put(keptKey(job, index), bytes);
		},
		kept,
		async drop(job) {
			for (let index = 0; await keyv.delete(keptKey(job, index)); index++);
		},
		async keepInput(bytes) {
			const name = hash('sha256', bytes);
			await put(`input:${name}`, bytes, INPUT_TTL_MS);
			return name;
		},
		input: (name) => get(`input:${name}`),
	};
}

const keptKey = (job: string, index: number) => `kept:${job}:${index}`;
