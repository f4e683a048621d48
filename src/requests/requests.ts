import type { Command, RequestSummary } from '../bot/declaration/command.ts';
import { isUpload } from '../bot/declaration/options.ts';
import type { Upload } from '../domain/channel.ts';
import type { Job, StoredRequest } from '../domain/job.ts';
import type { Place, Requester } from '../domain/place.ts';
import type { Space } from '../store/store.ts';
import { findJob } from '../usage/calls.ts';
import { changeJob } from '../usage/jobs.ts';
import { isSpoiler, type Settings } from '../usage/settings.ts';
import type { PictureStore } from './picture-store.ts';

/** A request for pictures. Its summary is not stored: the command derives it from the options. */
export type PictureRequest = StoredRequest & RequestSummary & { command: string; person: Requester; place: Place };

/** The requests behind results, by job. */
export class PictureRequests {
	readonly #ledger: Space;
	readonly #pictureStore: PictureStore;
	readonly #commands: readonly Command[];

	/** @param ledger the space of the jobs */
	constructor(ledger: Space, pictureStore: PictureStore, commands: readonly Command[]) {
		this.#ledger = ledger;
		this.#pictureStore = pictureStore;
		this.#commands = commands;
	}

	/** Stores what has changed of a request. What was deleted stays deleted. */
	async change(id: string, request: PictureRequest): Promise<void> {
		await changeJob(this.#ledger, id, (job) => job.request && { job: { request: storedOf(request) } });
	}

	async find(id: string): Promise<PictureRequest | undefined> {
		const job = await findJob(this.#ledger, id);
		return job && this.of(job);
	}

	/** Returns the request of a job; undefined once it is deleted. */
	of({ command, person, place, request }: Job): PictureRequest | undefined {
		return request && { ...request, command, person, place, ...this.#summaryOf(command, request) };
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

	/** Deletes a request, and with it its result from all lists. */
	async forget(id: string): Promise<void> {
		await changeJob(this.#ledger, id, ({ request }) => request && { job: { request: undefined, shown: undefined } });
	}

	/** A request of a command that no longer exists shows none of its options, and its result stays private. */
	#summaryOf(command: string, { options }: StoredRequest): RequestSummary {
		const declared = this.#commands.find(({ name }) => name === command);
		return declared?.makes === 'pictures' ? declared.request(options) : { prompt: command, private: true, count: 1 };
	}
}

/** Returns a request as it is stored. */
export function storedOf(request: PictureRequest): StoredRequest {
	const { options, inputs, covered, source, unknownFlags, revisedPrompt, alts, made, missing, unfetched } = request;
	return { options, inputs, covered, source, unknownFlags, revisedPrompt, alts, made, missing, unfetched };
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
