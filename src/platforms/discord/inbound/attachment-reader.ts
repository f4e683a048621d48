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

/** Returns a file that users attach as the core takes it. Its bytes are fetched when it is read. */
export type UploadOf = (file: AttachmentData) => Upload;

/**
 * Returns what reads files from Discord's origins and further ones only, without following redirects, and without the bot's token.
 *
 * @param origins allowed besides Discord's own
 * @param keyOf returns the key of a message of the bot
 */
export function createUploadOf(
	origins: readonly string[],
	keyOf: (message: string) => Promise<string | undefined> = async () => undefined,
): UploadOf {
	const allowed = new Set([...DISCORD_ORIGINS, ...origins]);
	// A separate agent, since another copy of undici may own the global one.
	const dispatcher = new Agent({
		connect: { timeout: CONNECT_TIMEOUT_MS },
		headersTimeout: IDLE_TIMEOUT_MS,
		bodyTimeout: IDLE_TIMEOUT_MS,
	});
	async function* pieces(url: string, signal: AbortSignal, maxBytes: number): AsyncGenerator<Uint8Array, void> {
		if (!allowed.has(URL.parse(url)?.origin ?? '')) throw new Error('The origin of an attachment is not allowed');
		yield* piecesOf(await request(url, { dispatcher, signal }), maxBytes);
	}
	return ({ url, filename, size, content_type, covered, message, author }) => ({
		...{ name: filename, size, type: content_type, covered },
		...(message && { poster: async () => ({ person: author, key: await keyOf(message) }) }),
		link: async () => url,
		read: (signal, maxBytes) => collect(pieces(url, signal, maxBytes), Math.min(size ?? maxBytes, maxBytes)),
	});
}

/** Tells whether a file is a picture; see `fileKindOf`. */
export const isPicture = ({ content_type, filename }: AttachmentData): boolean =>
	fileKindOf({ name: filename, type: content_type }) === 'picture';
