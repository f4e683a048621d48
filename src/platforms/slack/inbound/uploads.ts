import { Agent, request } from 'undici';
import { PlatformRefusedError } from '../../../bot/messages/refused-error.ts';
import type { Upload } from '../../../domain/reply.ts';
import type { CallWithRetry } from '../api/call-with-retry.ts';
import type { Hosts } from '../api/hosts.ts';
import { missingScope, refusedErrorOf } from '../api/slack-errors.ts';
import type { Web } from '../api/web.ts';

/** A file as an event has it; often only its id. https://docs.slack.dev/reference/objects/file-object */
export type FileData = {
	id: string;
	name?: string | null | undefined;
	mimetype?: string | undefined;
	filetype?: string | undefined;
	/** Bytes. */
	size?: number | undefined;
	url_private?: string | undefined;
	url_private_download?: string | undefined;
	/** `check_file_info` where the rest is to be asked for. */
	file_access?: string | undefined;
};

export type SlackFileReader = {
	upload(server: string, file: FileData): Upload;
	/** The pictures among a message's files. */
	picturesOf(files: readonly FileData[] | undefined): FileData[];
};

/** No picture is taken that is anywhere near this; it only bounds the memory. */
const MAX_BYTES = 25 * 1024 * 1024;

const CONNECT_MS = 10_000;
const SILENT_MS = 20_000;
/** From the file's address to where it is kept. */
const MOST_REDIRECTS = 3;

const PICTURE_TYPES = /^(?:png|jpe?g|webp|gif|avif|heic|heif|tiff?|bmp|svg|psd)$/i;

/**
 * Files that people send, fetched when they are read: the original, never one of Slack's thumbnails, from Slack's own hosts and the
 * listed origins alone. Redirects are followed by hand, and the token goes to Slack alone, each time anew.
 */
export function createUploads(options: {
	web: Web;
	call: CallWithRetry;
	hosts: Hosts;
}): SlackFileReader & { close(): Promise<void> } {
	const { web, call, hosts } = options;
	// An agent of its own: the global one belongs to others.
	const agent = new Agent({ connect: { timeout: CONNECT_MS }, headersTimeout: SILENT_MS, bodyTimeout: SILENT_MS });

	/** The whole file, of which an event may have only the id: in channels that are shared with other workspaces, in forms. */
	async function whole(server: string, file: FileData): Promise<FileData> {
		if (addressOf(file) !== undefined && file.file_access !== 'check_file_info') return file;
		try {
			const { file: found } = await call(server, 'files.info', (client) => client.files.info({ file: file.id }), {
				idempotent: true,
			});
			return { ...file, ...(found as Partial<FileData> | undefined) };
		} catch (error) {
			throw refusedErrorOf(error);
		}
	}

	async function read(server: string, data: FileData, signal: AbortSignal): Promise<Uint8Array> {
		const file = await whole(server, data);
		if ((file.size ?? 0) > MAX_BYTES) throw new Error('A file is too large to be read');
		const address = URL.parse(addressOf(file) ?? '');
		if (!address) throw new PlatformRefusedError('slack.errors.unknownFile');
		const { token = '' } = await web.of(server);
		let url: URL = address;
		let withToken = hosts.maySeeToken(url);
		for (let redirects = 0; ; redirects++) {
			if (!hosts.mayCall(url)) throw new Error('A file is at a host that is not allowed');
			const answer = await request(url, {
				dispatcher: agent,
				signal,
				headers: withToken ? { authorization: `Bearer ${token}` } : {},
			});
			const { statusCode, headers, body } = answer;
			if (statusCode < 300 || statusCode >= 400) return bytesOf(statusCode, headers, body);
			await body.dump();
			const next = URL.parse(String(headers['location'] ?? ''), url.href);
			if (!next || redirects === MOST_REDIRECTS) throw new Error('A file is sent from one address to the next');
			withToken &&= hosts.mayPassToken(url, next);
			url = next;
		}
	}

	return {
		upload: (server, file): Upload => ({
			name: file.name || file.id,
			...(file.size !== undefined && { size: file.size }),
			...(file.mimetype && { type: file.mimetype }),
			read: (signal) => read(server, file, signal),
		}),

		picturesOf: (files = []) => files.filter(isPicture).map(briefly),

		close: () => agent.close(),
	};
}

const addressOf = ({ url_private_download, url_private }: FileData) => url_private_download || url_private || undefined;

/** What may be a picture: by its type, its ending, or because nothing is said of it but its id. */
function isPicture({ mimetype, filetype, name }: FileData): boolean {
	if (mimetype) return mimetype.startsWith('image/');
	if (filetype) return PICTURE_TYPES.test(filetype);
	return !name || PICTURE_TYPES.test(name.split('.').at(-1) ?? '');
}

/** As much of a file as is needed to read it, and small enough to be kept with a form. */
const briefly = ({ id, name, mimetype, size, url_private_download, url_private, file_access }: FileData): FileData => ({
	id,
	name,
	mimetype,
	size,
	url_private_download,
	url_private,
	file_access,
});

type Answer = Awaited<ReturnType<typeof request>>;

async function bytesOf(status: number, headers: Answer['headers'], body: Answer['body']): Promise<Uint8Array> {
	// Said by throwing below; a stream that is left would say it once more to nobody.
	body.on('error', () => {});
	try {
		if (status !== 200) throw new Error(`A file can not be read: status ${status}`);
		// Who may not see a file is not told so, but shown where to log in.
		if (/^text\/html\b/.test(String(headers['content-type'] ?? ''))) throw missingScope('files:read');
		if (Number(headers['content-length'] ?? 0) > MAX_BYTES) throw new Error('A file is too large to be read');
		const chunks: Uint8Array[] = [];
		let length = 0;
		for await (const chunk of body as AsyncIterable<Uint8Array>) {
			length += chunk.length;
			if (length > MAX_BYTES) throw new Error('A file is too large to be read');
			chunks.push(chunk);
		}
		return Buffer.concat(chunks, length);
	} catch (error) {
		body.destroy();
		throw error;
	}
}
