import { type Dispatcher, request } from 'undici';
import { FileTooLargeError, type Upload } from '../../../../domain/channel.ts';
import { PlatformRefusedError } from '../../../../i18n/sentence-error.ts';
import { collect, piecesOf } from '../../../shared/download.ts';
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
			// Of the files that the bot has posted only the ids are known: they are pictures.
			type: file.mimetype || (file.name ? undefined : 'image/*'),
			link: async () => addressOf(await this.#complete(server, file)),
			read: (signal, maxBytes) =>
				collect(this.#pieces(server, file, signal, maxBytes), Math.min(file.size ?? 0, maxBytes)),
		};
	}

	async *#pieces(
		server: string,
		file: SlackFile,
		signal: AbortSignal,
		maxBytes: number,
	): AsyncGenerator<Uint8Array, void> {
		const complete = await this.#complete(server, file);
		if (complete.size !== undefined && complete.size > maxBytes) throw new FileTooLargeError(complete.size);
		const url = URL.parse(addressOf(complete) ?? '');
		if (!url) throw new PlatformRefusedError('slack.errors.unknownFile');
		yield* piecesOf(await this.#download(server, url, signal), maxBytes);
	}

	async #download(server: string, url: URL, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
		const client = await this.#web.of(server);
		const response = await this.#get(url, client.token ?? '', signal);
		if (!isLoginPage(response)) return response;
		await response.body.dump();
		if (!(await this.#web.isReplaced(server, client))) throw missingScope('files:read');
		const again = await this.#get(url, (await this.#web.of(server)).token ?? '', signal);
		if (!isLoginPage(again)) return again;
		await again.body.dump();
		throw missingScope('files:read');
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

/** Slack answers with it where the token gives no access to a file. */
const isLoginPage = ({ statusCode, headers }: Dispatcher.ResponseData) =>
	statusCode === 200 && /^text\/html\b/.test(String(headers['content-type'] ?? ''));
