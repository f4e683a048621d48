import type { Attachment } from '../../../../domain/channel.ts';
import type { MessageBlocks } from '../../api/blocks.ts';
import type { CallWithRetry } from '../../api/call-with-retry.ts';
import type { Hosts } from '../../api/hosts.ts';
import type { OwnMessages } from '../../api/own-messages.ts';
import type { RateLimiter } from '../../api/rate-limits/rate-limiter.ts';
import { codeOf } from '../../api/slack-errors.ts';
import type { MessageLocation } from '../../api/slack-message.ts';
import { FileNotReadyError } from './file-not-ready.ts';
import { FileUploader, type SentFile } from './file-uploader.ts';
import { findFileMessage } from './find-file-message.ts';
import { type PollOptions, poll } from './poll.ts';

/** The time that Slack may take to process a file. It usually takes seconds. */
const PROCESSING_TIMEOUT_MS = 30_000;

/** The time after processing in which a file must be in the channel that it was shared to. */
const SHARING_TIMEOUT_MS = 3000;

/** An event tells earlier where a file was shared, unless the bot receives no messages of the channel, or another process does. */
const FIRST_LOOK_MS = 1000;

/** With fewer updates left at once, none is made that Slack may refuse. */
const SPARE_UPDATES = 6;

/** The messages that hold a file, by channel. https://docs.slack.dev/reference/objects/file-object */
type Shares = Partial<Record<'public' | 'private', Record<string, readonly { ts?: string }[]>>>;

/** Files of the bot: uploads, and waiting until Slack has processed them. */
export class SlackFiles {
	readonly #call: CallWithRetry;
	readonly #limiter: RateLimiter;
	readonly #ownMessages: OwnMessages;
	readonly #uploader: FileUploader;
	readonly #timeoutMs: number;

	/** @param options.timeoutMs how long to wait until Slack has processed a file */
	constructor(options: {
		call: CallWithRetry;
		limiter: RateLimiter;
		hosts: Hosts;
		ownMessages: OwnMessages;
		timeoutMs?: number | undefined;
	}) {
		const { call, limiter, hosts, ownMessages, timeoutMs = PROCESSING_TIMEOUT_MS } = options;
		this.#call = call;
		this.#limiter = limiter;
		this.#ownMessages = ownMessages;
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
		return poll(
			async () => {
				for (const file of waiting) if (await this.#isProcessed(server, file)) waiting.delete(file);
				return waiting.size > 0 ? undefined : tryToWrite();
			},
			{ timeoutMs: this.#timeoutMs },
		);
	}

	/** Sends the bytes of files, for `share`. */
	send(server: string, files: readonly Attachment[]): Promise<SentFile[]> {
		return this.#uploader.send(server, files);
	}

	/**
	 * Has Slack post files that were sent, in a message of their own. Resolves once it is in the channel, with its `ts`.
	 *
	 * @param blocks of the message
	 * @throws FileNotReadyError when it is not there in time
	 */
	async share(
		location: MessageLocation,
		files: readonly SentFile[],
		blocks?: MessageBlocks['blocks'],
	): Promise<string> {
		const { server, channel } = location;
		const file = files[0]?.id ?? '';
		const watch = this.#ownMessages.watch(channel, file);
		const looking = new AbortController();
		try {
			await this.#uploader.complete(server, files, location, blocks);
			const options = { firstPauseMs: FIRST_LOOK_MS, signal: looking.signal };
			return await Promise.race([watch.ts, this.whenShared(location, file, options)]);
		} finally {
			watch.stop();
			looking.abort();
		}
	}

	/**
	 * Waits until a file that is being shared is in its channel. Returns the `ts` of its message.
	 *
	 * @throws FileNotReadyError when it is not there in time
	 */
	async whenShared(
		location: MessageLocation,
		file: string,
		options: Omit<PollOptions, 'timeoutMs'> = {},
	): Promise<string> {
		const { server } = location;
		let processedAt: number | undefined;
		return poll(
			async () => {
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
			},
			{ ...options, timeoutMs: this.#timeoutMs },
		);
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
