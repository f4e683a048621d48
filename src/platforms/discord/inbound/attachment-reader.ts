import { type APIAttachment, AttachmentFlags } from 'discord.js';
import { Agent, request } from 'undici';
import { fileKindOf, type Upload } from '../../../domain/channel.ts';
import { collect, piecesOf } from '../../shared/download.ts';

/** Attachments, and the proxies of pictures elsewhere. https://docs.discord.com/developers/reference#signed-attachment-cdn-urls */
const DISCORD_ORIGINS = [
	'https://cdn.discordapp.com',
	'https://media.discordapp.net',
	'https://images-ext-1.discordapp.net',
	'https://images-ext-2.discordapp.net',
];

const CONNECT_TIMEOUT_MS = 10_000;
const IDLE_TIMEOUT_MS = 20_000;

/** What is needed to read a file of a message, small enough to be stored with a form. */
export type AttachmentData = Pick<APIAttachment, 'url' | 'filename' | 'content_type'> & {
	/** In bytes, where Discord tells it. */
	size?: number;
	/** Its author has marked it as a spoiler. */
	covered?: boolean;
	/** The id of the message that shows it, and of the user who has written that. */
	message?: string;
	author?: string;
};

/** Returns what is needed to read an attachment. Only older clients mark spoilers by the name. */
export const attachmentData = ({ url, filename, size, content_type, flags }: APIAttachment): AttachmentData => ({
	...{ url, filename, size, content_type },
	covered: ((flags ?? 0) & AttachmentFlags.IsSpoiler) !== 0 || filename.startsWith('SPOILER_'),
});

/**
 * Reads the files that users attach: from Discord's origins and the configured ones only, without following redirects, and without
 * the bot's token.
 */
export class AttachmentReader {
	readonly #origins: ReadonlySet<string>;
	/** A separate agent, since another copy of undici may own the global one. */
	readonly #agent = new Agent({
		connect: { timeout: CONNECT_TIMEOUT_MS },
		headersTimeout: IDLE_TIMEOUT_MS,
		bodyTimeout: IDLE_TIMEOUT_MS,
	});

	readonly #keyOf: (message: string) => Promise<string | undefined>;

	/**
	 * @param origins allowed besides Discord's own
	 * @param keyOf returns the key of a message of the bot
	 */
	constructor(
		origins: readonly string[] = [],
		keyOf: (message: string) => Promise<string | undefined> = async () => undefined,
	) {
		this.#keyOf = keyOf;
		this.#origins = new Set([...DISCORD_ORIGINS, ...origins]);
	}

	/** Returns an upload whose bytes are fetched when it is read. */
	readonly uploadOf = ({ message, author, ...file }: AttachmentData): Upload => ({
		...this.#fileOf(file),
		...(message && { poster: async () => ({ person: author, key: await this.#keyOf(message) }) }),
	});

	readonly #fileOf = ({ url, filename, size, content_type, covered }: AttachmentData): Upload => ({
		...{ name: filename, size, type: content_type, covered },
		link: async () => url,
		read: (signal, maxBytes) => collect(this.#pieces(url, signal, maxBytes), Math.min(size ?? maxBytes, maxBytes)),
	});

	async *#pieces(url: string, signal: AbortSignal, maxBytes: number): AsyncGenerator<Uint8Array, void> {
		if (!this.#origins.has(URL.parse(url)?.origin ?? '')) throw new Error('The origin of an attachment is not allowed');
		yield* piecesOf(await request(url, { dispatcher: this.#agent, signal }), maxBytes);
	}
}

/** Tells whether a file is a picture; see `fileKindOf`. */
export const isPicture = ({ content_type, filename }: AttachmentData): boolean =>
	fileKindOf({ name: filename, type: content_type }) === 'picture';
