import type { Keyv } from 'keyv';
import type { Person } from '../../domain/person.ts';
import type { Place } from '../../domain/place.ts';
import type { Upload } from '../../domain/reply.ts';
import { isUpload } from '../declaration/command.ts';
import type { PictureStore } from './picture-store.ts';

/** How long the buttons under a result work. */
const REQUEST_TTL_MS = 366 * 24 * 3600_000;

/** What was asked for: what the buttons under a result stand for. Holds the prompt, so Delete removes it. */
export type PictureRequest = {
	command: string;
	/** As they were checked, without the pictures. */
	options: Record<string, unknown>;
	/** The pictures, by option name: where on the shelf they are. */
	inputs: Record<string, string>;
	person: Pick<Person, 'id' | 'name' | 'locale'>;
	place: Place;
};

export type PictureRequests = {
	save(job: string, request: PictureRequest): Promise<void>;
	find(job: string): Promise<PictureRequest | undefined>;
	/** The options to ask for the same once more; undefined when a picture is no longer kept. */
	optionsOf(request: PictureRequest): Promise<Record<string, unknown> | undefined>;
	forget(job: string): Promise<void>;
};

export function createPictureRequests(keyv: Keyv, shelf: PictureStore): PictureRequests {
	return {
		async save(job, request) {
			await keyv.set(job, request, REQUEST_TTL_MS);
		},
		find: (job) => keyv.get<PictureRequest>(job),
		async optionsOf({ options, inputs }) {
			const pictures: [string, Upload][] = [];
			for (const [name, kept] of Object.entries(inputs)) {
				const bytes = await shelf.input(kept);
				if (!bytes) return undefined;
				pictures.push([name, uploadOf(name, bytes)]);
			}
			return { ...options, ...Object.fromEntries(pictures) };
		},
		async forget(job) {
			await keyv.delete(job);
		},
	};
}

/** Bytes that are here already, as if somebody brought them. */
export const uploadOf = (name: string, bytes: Uint8Array): Upload => ({
	name,
	size: bytes.length,
	read: async () => bytes,
});

/** Options apart from pictures. */
export function splitOptions(options: Readonly<Record<string, unknown>>) {
	const entries = Object.entries(options).filter(([, value]) => value !== undefined);
	return {
		words: Object.fromEntries(entries.filter(([, value]) => !isUpload(value))),
		uploads: entries.filter((entry): entry is [string, Upload] => isUpload(entry[1])),
	};
}
