import type { APIAttachment } from 'discord.js';
import { Agent, request } from 'undici';
import type { Upload } from '../../../domain/channel.ts';
import { collect, piecesOf } from '../../shared/download.ts';

/** https://docs.discord.com/developers/reference#signed-attachment-cdn-urls */
const DISCORD_ORIGINS = ['https://cdn.discordapp.com', 'https://media.discordapp.net'];

const CONNECT_TIMEOUT_MS = 10_000;
const IDLE_TIMEOUT_MS = 20_000;

/** The part of an attachment that is needed to read it, small enough to be stored with a form. */
export type AttachmentData = Pick<APIAttachment, 'url' | 'filename' | 'size' | 'content_type'>;

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

	/** @param origins allowed besides Discord's own */
	constructor(origins: readonly string[] = []) {
		this.#origins = new Set([...DISCORD_ORIGINS, ...origins]);
	}

	/** Returns an upload whose bytes are fetched when it is read. */
	readonly uploadOf = ({ url, filename, size, content_type }: AttachmentData): Upload => ({
		name: filename,
		size,
		...(content_type && { type: content_type }),
		link: async () => url,
		read: (signal, maxBytes) => collect(this.#pieces(url, signal, maxBytes), Math.min(size, maxBytes)),
	});

	async *#pieces(url: string, signal: AbortSignal, maxBytes: number): AsyncGenerator<Uint8Array, void> {
		if (!this.#origins.has(URL.parse(url)?.origin ?? '')) throw new Error('The origin of an attachment is not allowed');
		yield* piecesOf(await request(url, { dispatcher: this.#agent, signal }), maxBytes);
	}
}

/** Returns the attachments that are pictures by their content type, or by their name where they have none. */
export const picturesOf = (attachments: readonly APIAttachment[] = []): AttachmentData[] =>
	attachments
		.filter(({ content_type, filename }) =>
			content_type ? content_type.startsWith('image/') : /\.(png|jpe?g|webp|gif)$/i.test(filename),
		)
		.map(({ url, filename, size, content_type }) => ({
			url,
			filename,
			size,
			...(content_type !== undefined && { content_type }),
		}));
