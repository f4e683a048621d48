import { type Dispatcher, request } from 'undici';
import { PlatformRefusedError } from '../../../../bot/messages/refused-error.ts';
import type { Upload } from '../../../../domain/reply.ts';
import type { CallWithRetry } from '../../api/call-with-retry.ts';
import type { Hosts } from '../../api/hosts.ts';
import { createHttpAgent } from '../../api/http-agent.ts';
import { missingScope, refusedErrorOf } from '../../api/slack-errors.ts';
import type { Web } from '../../api/web.ts';
import { fetchFileInfo } from './file-info.ts';
import type { SlackFile } from './slack-file.ts';

const SILENCE_MS = 20_000;
const MAX_REDIRECTS = 3;

/**
 * Files that people send, downloaded when they are read. Downloads are the originals, not thumbnails, and come only from Slack's hosts
 * and the allowed origins. Redirects are followed by hand, so that only Slack's hosts get the token.
 */
export class IncomingFiles {
	readonly #web: Web;
	readonly #call: CallWithRetry;
	readonly #hosts: Hosts;
	readonly #agent = createHttpAgent(SILENCE_MS);

	constructor({ web, call, hosts }: { web: Web; call: CallWithRetry; hosts: Hosts }) {
		this.#web = web;
		this.#call = call;
		this.#hosts = hosts;
	}

	/** Returns a file as the core takes it. Nothing is downloaded yet. */
	upload(server: string, file: SlackFile): Upload {
		return {
			name: file.name || file.id,
			...(file.size !== undefined && { size: file.size }),
			...(file.mimetype && { type: file.mimetype }),
			link: async () => addressOf(await this.#complete(server, file)),
			read: (signal, maxBytes) => this.#read(server, file, signal, maxBytes),
		};
	}

	async #read(server: string, file: SlackFile, signal: AbortSignal, maxBytes: number): Promise<Uint8Array> {
		const complete = await this.#complete(server, file);
		if ((complete.size ?? 0) > maxBytes) throw new Error('A file is too large to be read');
		const url = URL.parse(addressOf(complete) ?? '');
		if (!url) throw new PlatformRefusedError('slack.errors.unknownFile');
		const client = await this.#web.of(server);
		try {
			return await this.#download(url, client.token, signal, maxBytes);
		} catch (error) {
			if (!(error instanceof PlatformRefusedError) || !(await this.#web.isReplaced(server, client))) throw error;
			return this.#download(url, (await this.#web.of(server)).token, signal, maxBytes);
		}
	}

	async #download(url: URL, token: string | undefined, signal: AbortSignal, maxBytes: number): Promise<Uint8Array> {
		const { statusCode, headers, body } = await this.#get(url, token ?? '', signal);
		return readBody(statusCode, headers, body, maxBytes);
	}

	/** Files of shared channels and of forms may have only their id. */
	async #complete(server: string, file: SlackFile): Promise<SlackFile> {
		if (addressOf(file) !== undefined && file.file_access !== 'check_file_info') return file;
		try {
			return await fetchFileInfo(this.#call, server, file);
		} catch (error) {
			throw refusedErrorOf(error);
		}
	}

	/** Returns the first response that is not a redirect. */
	async #get(first: URL, token: string, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
		let url = first;
		let withToken = this.#hosts.maySeeToken(url);
		for (let redirects = 0; ; redirects++) {
			if (!this.#hosts.mayCall(url)) throw new Error('A file is at a host that is not allowed');
			const response = await request(url, {
				dispatcher: this.#agent,
				signal,
				headers: withToken ? { authorization: `Bearer ${token}` } : {},
			});
			const { statusCode, headers, body } = response;
			if (statusCode < 300 || statusCode >= 400) return response;
			await body.dump();
			const next = URL.parse(String(headers['location'] ?? ''), url.href);
			if (!next || redirects === MAX_REDIRECTS) throw new Error('A file is behind too many redirects');
			withToken &&= this.#hosts.mayPassToken(url, next);
			url = next;
		}
	}
}

const addressOf = ({ url_private_download, url_private }: SlackFile) =>
	url_private_download || url_private || undefined;

async function readBody(
	status: number,
	headers: Dispatcher.ResponseData['headers'],
	body: Dispatcher.ResponseData['body'],
	maxBytes: number,
): Promise<Uint8Array> {
	// The error is thrown by the loop below. Without a listener, a body that is not read to its end would throw it again.
	body.on('error', () => {});
	try {
		if (status !== 200) throw new Error(`A file cannot be read: status ${status}`);
		// Without access to a file, Slack answers with its login page.
		if (/^text\/html\b/.test(String(headers['content-type'] ?? ''))) throw missingScope('files:read');
		if (Number(headers['content-length'] ?? 0) > maxBytes) throw new Error('A file is too large to be read');
		const chunks: Uint8Array[] = [];
		let length = 0;
		for await (const chunk of body as AsyncIterable<Uint8Array>) {
			length += chunk.length;
			if (length > maxBytes) throw new Error('A file is too large to be read');
			chunks.push(chunk);
		}
		return Buffer.concat(chunks, length);
	} catch (error) {
		body.destroy();
		throw error;
	}
}
