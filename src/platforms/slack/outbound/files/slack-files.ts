import type { Attachment } from '../../../../domain/reply.ts';
import type { CallWithRetry } from '../../api/call-with-retry.ts';
import type { Hosts } from '../../api/hosts.ts';
import type { RateLimiter } from '../../api/rate-limiter.ts';
import { codeOf } from '../../api/slack-errors.ts';
import type { MessageLocation } from '../../api/slack-message.ts';
import { FileNotReadyError } from './file-not-ready.ts';
import { FileUploader, type SentFile } from './file-uploader.ts';
import { findFileMessage } from './find-file-message.ts';
import { poll } from './poll.ts';

/** The time that Slack may take to process a file. It usually takes seconds. */
const PROCESSING_TIMEOUT_MS = 30_000;

/** The time after processing in which a file must be in the channel that it was shared to. */
const SHARING_TIMEOUT_MS = 3000;

/** With fewer updates left at once, none is made that Slack may refuse. */
const SPARE_UPDATES = 6;

/** The messages that hold a file, by channel. https://docs.slack.dev/reference/objects/file-object */
type Shares = Partial<Record<'public' | 'private', Record<string, readonly { ts?: string }[]>>>;

/** Files of the bot: uploads, and waiting until Slack has processed them. */
export class SlackFiles {
	readonly #call: CallWithRetry;
	readonly #limiter: RateLimiter;
	readonly #uploader: FileUploader;
	readonly #timeoutMs: number;

	/** @param options.timeoutMs how long to wait until Slack has processed a file */
	constructor(options: { call: CallWithRetry; limiter: RateLimiter; hosts: Hosts; timeoutMs?: number | undefined }) {
		const { call, limiter, hosts, timeoutMs = PROCESSING_TIMEOUT_MS } = options;
		this.#call = call;
		this.#limiter = limiter;
		this.#uploader = new FileUploader({ call, hosts });
		this.#timeoutMs = timeoutMs;
	}

	/** Uploads files without posting them. Returns their ids, in their order. */
	upload(server: string, files: readonly Attachment[]): Promise<string[]> {
		return this.#uploader.upload(server, files);
	}

	/** Deletes files as far as Slack allows. */
	remove(server: string, files: readonly string[]): Promise<void> {
		return this.#uploader.remove(server, files);
	}

	/**
	 * Writes a message that refers to files, once Slack has processed them. Before that, Slack refuses it (`invalid_blocks`).
	 *
	 * @param options.isUpdate as long as many updates are left, one is tried without asking first whether Slack has processed the files
	 * @throws FileNotReadyError when processing takes too long
	 */
	async whenProcessed<Result>(
		server: string,
		files: readonly string[],
		write: () => Promise<Result>,
		{ isUpdate = false }: { isUpdate?: boolean } = {},
	): Promise<Result> {
		const tryToWrite = async () => {
			try {
				return await write();
			} catch (error) {
				// `files.info` shows a file as processed slightly before messages can refer to it.
				if (codeOf(error) === 'invalid_blocks') return undefined;
				throw error;
			}
		};
		const isTried = isUpdate && this.#limiter.available(server, 'chat.update') >= SPARE_UPDATES;
		const written = isTried ? await tryToWrite() : undefined;
		if (written !== undefined) return written;
		const waiting = new Set(files);
		return poll(async () => {
			for (const file of waiting) if (await this.#isProcessed(server, file)) waiting.delete(file);
			return waiting.size > 0 ? undefined : tryToWrite();
		}, this.#timeoutMs);
	}

	/** Sends the bytes of files, for `share`. */
	send(server: string, files: readonly Attachment[]): Promise<SentFile[]> {
		return this.#uploader.send(server, files);
	}

	/**
	 * Has Slack post files that were sent, in a message of their own. Resolves once it is in the channel.
	 *
	 * @throws FileNotReadyError when it is not there in time
	 */
	async share(location: MessageLocation, files: readonly SentFile[]): Promise<void> {
		await this.#uploader.complete(location.server, files, location);
		await this.whenShared(location, files[0]?.id ?? '');
	}

	/**
	 * Waits until a file that is being shared is in its channel. Returns the `ts` of its message.
	 *
	 * @throws FileNotReadyError when it is not there in time
	 */
	async whenShared(location: MessageLocation, file: string): Promise<string> {
		const { server } = location;
		let processedAt: number | undefined;
		return poll(async () => {
			const info = await this.#info(server, file);
			const { public: inPublic, private: inPrivate } = (info?.shares ?? {}) as Shares;
			const ts = (inPublic?.[location.channel] ?? inPrivate?.[location.channel])?.[0]?.ts;
			if (ts !== undefined) return ts;
			if (info?.mimetype) processedAt ??= performance.now();
			const sharingMs = Math.min(SHARING_TIMEOUT_MS, this.#timeoutMs / 4);
			if (processedAt === undefined || performance.now() - processedAt < sharingMs) return undefined;
			// `shares` stays empty at times, whether the file was posted or not.
			const found = await findFileMessage(this.#call, location, file);
			if (found === undefined) throw new FileNotReadyError('Slack did not post a file');
			return found;
		}, this.#timeoutMs);
	}

	async #isProcessed(server: string, file: string): Promise<boolean> {
		try {
			return Boolean((await this.#info(server, file))?.mimetype);
		} catch (error) {
			// Without the scope `files:read`, only posting shows whether the file is processed.
			if (codeOf(error) === 'missing_scope') return true;
			throw error;
		}
	}

	async #info(server: string, file: string) {
		const { file: info } = await this.#call(server, 'files.info', (client) => client.files.info({ file }), {
			idempotent: true,
		});
		return info;
	}
}
