import type { APIAttachment } from 'discord.js';
import { Agent, request } from 'undici';
import type { Upload } from '../../../domain/reply.ts';

/** Where Discord keeps files: https://docs.discord.com/developers/reference#signed-attachment-cdn-urls */
const DISCORD_ORIGINS = ['https://cdn.discordapp.com', 'https://media.discordapp.net'];

/** No picture is taken that is anywhere near this; it only bounds the memory. */
const MAX_BYTES = 25 * 1024 * 1024;

const CONNECT_MS = 10_000;
const SILENT_MS = 20_000;

/** As much of an attachment as is needed to read it, and small enough to be kept with a form. */
export type AttachmentData = Pick<APIAttachment, 'url' | 'filename' | 'size' | 'content_type'>;

export type AttachmentReader = ReturnType<typeof createUploads>;

/**
 * Files that people send, fetched when they are read: from Discord's own origins and the listed ones alone, without following
 * redirects, and without the bot's token.
 */
export function createUploads(origins: readonly string[] = []) {
	const allowed = new Set([...DISCORD_ORIGINS, ...origins]);
	// An agent of its own: the global one belongs to others.
	const agent = new Agent({ connect: { timeout: CONNECT_MS }, headersTimeout: SILENT_MS, bodyTimeout: SILENT_MS });

	async function read(url: string, signal: AbortSignal): Promise<Uint8Array> {
		if (!allowed.has(URL.parse(url)?.origin ?? ''))
			throw new Error('An attachment is at an origin that is not allowed');
		const { statusCode, headers, body } = await request(url, { dispatcher: agent, signal });
		const chunks: Uint8Array[] = [];
		// Said by throwing below; a stream that is left would say it once more to nobody.
		body.on('error', () => {});
		let length = Number(headers['content-length'] ?? 0);
		try {
			if (statusCode !== 200) throw new Error(`An attachment can not be read: status ${statusCode}`);
			if (length > MAX_BYTES) throw new Error('An attachment is too large to be read');
			length = 0;
			for await (const chunk of body as AsyncIterable<Uint8Array>) {
				length += chunk.length;
				if (length > MAX_BYTES) throw new Error('An attachment is too large to be read');
				chunks.push(chunk);
			}
		} catch (error) {
			body.destroy();
			throw error;
		}
		return Buffer.concat(chunks);
	}

	return {
		upload: ({ url, filename, size, content_type }: AttachmentData): Upload => ({
			name: filename,
			size,
			...(content_type && { type: content_type }),
			read: (signal) => read(url, signal),
		}),
	};
}

/** Those of a message's files that are pictures, as far as Discord knows. */
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
