import type { Keyv } from 'keyv';
import type { Person } from '../../domain/person.ts';
import type { Place } from '../../domain/place.ts';
import type { Upload } from '../../domain/reply.ts';
import type { Command, RequestSummary } from '../declaration/command.ts';
import { isUpload } from '../declaration/option-kinds.ts';
import type { PictureStore } from './picture-store.ts';

/** How long the buttons under a result work. */
const REQUEST_TTL_MS = 366 * 24 * 3600_000;

/** A request as it is stored for the buttons under its result. Contains the prompt, so Delete removes it. */
type StoredRequest = {
	command: string;
	/** As they were parsed, without the pictures. */
	options: Record<string, unknown>;
	/** The names of the pictures in the picture store, by option. */
	inputs: Record<string, string>;
	person: Pick<Person, 'id' | 'name' | 'locale'>;
	place: Place;
};

/** A request for pictures. Its summary is not stored: the command derives it from the options. */
export type PictureRequest = StoredRequest & RequestSummary;

export type PictureRequests = {
	save(job: string, request: PictureRequest): Promise<void>;
	find(job: string): Promise<PictureRequest | undefined>;
	/** The options to ask for the same once more; undefined when a picture is no longer kept. */
	optionsOf(request: PictureRequest): Promise<Record<string, unknown> | undefined>;
	forget(job: string): Promise<void>;
};

export function createPictureRequests(keyv: Keyv, shelf: PictureStore, commands: readonly Command[]): PictureRequests {
	return {
		async save(job, { command, options, inputs, person, place }) {
			await keyv.set(job, { command, options, inputs, person, place } satisfies StoredRequest, REQUEST_TTL_MS);
		},
		async find(job) {
			const stored = await keyv.get<StoredRequest>(job);
			return stored && { ...stored, ...summaryOf(commands, stored) };
		},
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

/** A request of a command that no longer exists shows nothing of its options, and nobody else its result. */
function summaryOf(commands: readonly Command[], { command, options }: StoredRequest): RequestSummary {
	const declared = commands.find(({ name }) => name === command);
	return declared?.makes === 'pictures' ? declared.request(options) : { prompt: command, private: true, count: 1 };
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
