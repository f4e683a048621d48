import type { Upload } from '../../domain/channel.ts';
import type { Person, Place } from '../../domain/place.ts';
import { reduce } from '../../pictures/prepare.ts';
import { sniff } from '../../pictures/sniff.ts';
import { withUploads } from '../../requests/read-upload.ts';
import type { InputImage } from '../../service/service.ts';
import type { BotServices } from '../services.ts';
import type { PostedPictures, TranscriptEntry } from './transcript.ts';

/** The most pictures that a model gets with one request: the newest ones of the thread. Each has at most 1 MB. */
const MAX_PICTURES = 4;

/** The pictures that a model gets, by their names. Undefined when it takes none. */
export type SeenPictures = ReadonlyMap<string, InputImage> | undefined;

/** The pictures that people post with questions in chats. They are kept for an hour, as uploads without a request. */
export class ChatPictures {
	readonly #services: BotServices;

	constructor(services: BotServices) {
		this.#services = services;
	}

	/**
	 * Reduces the pictures of a message to what a model needs, and keeps them. When the model takes none, none is read.
	 * @throws PictureError when one cannot be used
	 */
	async keep(
		place: Place,
		person: Person,
		uploads: readonly Upload[],
		model: string | undefined,
	): Promise<PostedPictures> {
		const { service, temporaryUploads } = this.#services;
		const posted = { count: uploads.length, names: [] as string[] };
		if (!(await service.takesPictures(model))) return posted;
		const requester = { place, person };
		for (const upload of uploads.slice(0, MAX_PICTURES)) {
			const bytes = await withUploads(this.#services, requester, [upload], async (read) => reduce(await read(upload)));
			posted.names.push(await temporaryUploads.keep(requester, bytes));
		}
		return posted;
	}

	/** Returns the newest pictures of a thread that are still kept. */
	async seenBy(model: string | undefined, entries: readonly TranscriptEntry[]): Promise<SeenPictures> {
		const { service, temporaryUploads } = this.#services;
		const names = entries.flatMap((entry) => (entry.kind === 'said' && entry.pictures?.names) || []);
		const isPosted = entries.some((entry) => entry.kind === 'said' && entry.pictures);
		if (!isPosted || !(await service.takesPictures(model))) return undefined;
		const seen = new Map<string, InputImage>();
		for (const name of [...new Set(names)].slice(-MAX_PICTURES)) {
			const bytes = await temporaryUploads.read(name);
			if (bytes) seen.set(name, { type: sniff(bytes)?.type ?? 'image/jpeg', bytes });
		}
		return seen;
	}
}
