import type { Command, RequestSummary } from '../bot/declaration/command.ts';
import { isUpload } from '../bot/declaration/options.ts';
import type { Upload } from '../domain/channel.ts';
import type { Place, Requester } from '../domain/place.ts';
import type { ImageResult } from '../service/service.ts';
import { Collection, type Storage } from '../store/collection.ts';
import { isSpoiler, type Settings } from '../usage/settings.ts';
import type { PictureStore } from './picture-store.ts';

/** A request as it is stored for the buttons under its result. Contains the prompt, so Delete removes it. */
export type StoredRequest = {
	command: string;
	/** The parsed options, without the pictures. */
	options: Record<string, unknown>;
	/** The names of the pictures in the picture store, by option. */
	inputs: Record<string, string>;
	person: Requester;
	place: Place;
	/** A picture that it uses was covered by its author: so is the result. */
	covered?: boolean;
	/** See `Invocation.source`. */
	source?: { link?: string };
	/** Flags in the prompt that mean nothing here. They were not sent. */
	unknownFlags?: readonly string[];
	/** What the service says that it has drawn. */
	revisedPrompt?: string;
	/** What each picture shows, where it was described for those who cannot see it. */
	alts?: (string | null)[];
	/** What of the first picture is other than was asked for; its format unless it is PNG. */
	made?: { model?: string; size?: string; quality?: string; format?: string; background?: ImageResult['background'] };
	/** The pictures that were made and could not be fetched, and whether a sweep tries once more. */
	unfetched?: { count: number; again: boolean };
};

/** A request for pictures. Its summary is not stored: the command derives it from the options. */
export type PictureRequest = StoredRequest & RequestSummary;

export const pictureRequests = new Collection<StoredRequest>('requests/', {
	owner: 'person',
	holds: 'the options of a request, with its prompt',
	lifetime: 'retention',
	erasure: 'deleted',
	group: 'prompts',
	ofCall: ({ id }) => id,
	peopleOf: (_, { place: { platform, server }, person: { id } }) => [{ platform, server, id }],
});

/** The requests behind results, by job. */
export class PictureRequests {
	readonly #storage: Storage;
	readonly #pictureStore: PictureStore;
	readonly #commands: readonly Command[];

	constructor(storage: Storage, pictureStore: PictureStore, commands: readonly Command[]) {
		this.#storage = storage;
		this.#pictureStore = pictureStore;
		this.#commands = commands;
	}

	/** Stores what has changed of a request. It is erased when it would have been, and stays erased. */
	async change(job: string, request: PictureRequest): Promise<void> {
		await pictureRequests.replace(this.#storage, job, storedOf(request));
	}

	/** Returns the part of a change that stores a request. */
	put(job: string, request: PictureRequest) {
		return pictureRequests.put(this.#storage, job, storedOf(request));
	}

	async find(job: string): Promise<PictureRequest | undefined> {
		const stored = await pictureRequests.get(this.#storage, job);
		return stored && { ...stored, ...this.#summaryOf(stored) };
	}

	/** Returns the options to invoke the same command again; undefined when a picture is no longer kept. */
	async optionsOf({ options, inputs, covered, person }: PictureRequest): Promise<Record<string, unknown> | undefined> {
		const pictures: [string, Upload][] = [];
		for (const [name, input] of Object.entries(inputs)) {
			if (!(await this.#pictureStore.input(input))) return undefined;
			// Read again when it is needed: the request may wait, and its pictures would take up memory meanwhile.
			const poster = async () => ({ person: person.id });
			pictures.push([name, { name, covered, poster, read: () => this.#read(input) }]);
		}
		return { ...options, ...Object.fromEntries(pictures) };
	}

	async #read(input: string): Promise<Uint8Array> {
		const bytes = await this.#pictureStore.input(input);
		if (!bytes) throw new Error('A picture of a request is no longer kept');
		return bytes;
	}

	async forget(job: string): Promise<void> {
		await pictureRequests.delete(this.#storage, job);
	}

	/** A request of a command that no longer exists shows none of its options, and its result stays private. */
	#summaryOf({ command, options }: StoredRequest): RequestSummary {
		const declared = this.#commands.find(({ name }) => name === command);
		return declared?.makes === 'pictures' ? declared.request(options) : { prompt: command, private: true, count: 1 };
	}
}

function storedOf(request: PictureRequest): StoredRequest {
	const { command, options, inputs, covered, person, place, source, unknownFlags } = request;
	const { revisedPrompt, alts, made, unfetched } = request;
	const asked = { command, options, inputs, covered, person, place, source, unknownFlags };
	return { ...asked, revisedPrompt, alts, made, unfetched };
}

/** Separates pictures from the other options. Options without a value are left out. */
export function separateUploads(all: Readonly<Record<string, unknown>>) {
	const entries = Object.entries(all).filter(([, value]) => value !== undefined);
	return {
		options: Object.fromEntries(entries.filter(([, value]) => !isUpload(value))),
		uploads: entries.filter((entry): entry is [string, Upload] => isUpload(entry[1])),
	};
}

/** Tells whether the pictures of a request are covered, by their channel's settings or because they are made of one that is. */
export const isCovered = (request: StoredRequest | undefined, settings: Settings | undefined, place: Place): boolean =>
	request?.covered === true || isSpoiler(settings, place);
