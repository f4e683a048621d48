import { setTimeout as sleep } from 'node:timers/promises';
import type { webApi } from '@slack/bolt';
import { type Dispatcher, request } from 'undici';
import type { Attachment, Picture } from '../../../domain/channel.ts';
import { oneLine } from '../../../domain/text.ts';
import type { Calls } from '../api/calls.ts';
import type { Hosts } from '../api/hosts.ts';
import { createHttpAgent } from '../api/http-agent.ts';
import { type MessageLocation, type Messages, type SlackMessage, threadOf } from '../api/messages.ts';
import { codeOf, isOutcomeUnknown } from '../api/slack-errors.ts';

const SILENCE_MS = 30_000;
const MAX_TRIES = 3;

/** The time that Slack may take to process a file. It usually takes seconds, and at times never ends. */
const PROCESSING_TIMEOUT_MS = 30_000;
/** The time after processing in which a file must be in the thread that it was shared to. */
const SHARING_TIMEOUT_MS = 3000;
/** Files are searched right after they were shared. */
const SEARCHED_MS = 60_000;

/** The pauses between two looks, each twice the one before, and the shortest one while many files are looked for. */
const FIRST_PAUSE_MS = 125;
const MAX_PAUSE_MS = 8000;
const BUSY_PAUSE_MS = 2000;

/** Slack shows the title of a file above it, and documents no limit. */
const MAX_TITLE = 250;

/** https://docs.slack.dev/reference/methods/files.getUploadURLExternal#errors */
const MAX_FILE_ALT = 1000;

/** A file whose bytes Slack has. */
export type SentFile = { id: string; title: string; isPicture?: true };

/** Thrown when Slack has accepted a file but does not process or share it in time. */
export class FileNotReadyError extends Error {
	override name = 'FileNotReadyError';
}

/**
 * Files of the bot, uploaded in Slack's three steps: request an address, send the bytes, complete the upload.
 * https://docs.slack.dev/messaging/working-with-files#upload
 */
export class SlackFiles {
	readonly #calls: Calls;
	readonly #messages: Messages;
	readonly #hosts: Hosts;
	readonly #timeoutMs: number;
	readonly #agent = createHttpAgent(SILENCE_MS);

	/** @param options.timeoutMs how long to wait until Slack has processed a file */
	constructor(options: { calls: Calls; messages: Messages; hosts: Hosts; timeoutMs?: number | undefined }) {
		this.#calls = options.calls;
		this.#messages = options.messages;
		this.#hosts = options.hosts;
		this.#timeoutMs = options.timeoutMs ?? PROCESSING_TIMEOUT_MS;
	}

	/**
	 * Sends the bytes of files. Slack forgets them unless their upload is completed.
	 *
	 * @param withAlt with the alt texts of pictures, for messages that have none of their own for them
	 */
	async send(server: string, files: readonly (Attachment | Picture)[], withAlt = true): Promise<SentFile[]> {
		const sent: SentFile[] = [];
		// One after another, to keep memory low: the files may be large.
		for (const file of files) {
			const alt = 'alt' in file ? file.alt : '';
			const id = await this.#send(server, file, withAlt ? oneLine(alt, MAX_FILE_ALT) : '');
			sent.push({ id, title: oneLine(alt, MAX_TITLE) || file.name, ...('alt' in file && { isPicture: true }) });
		}
		return sent;
	}

	/** Uploads files without posting them: people see them in messages that refer to them. Returns their ids, in their order. */
	async upload(server: string, files: readonly Picture[]): Promise<string[]> {
		const sent = await this.send(server, files, false);
		await this.#complete(server, sent);
		return sent.map(({ id }) => id);
	}

	/**
	 * Has Slack post files in the thread of a message, unless it has already: the message of a file cannot have a `markdown` block
	 * (https://github.com/slackapi/python-slack-sdk/issues/1756). Resolves once they are there.
	 *
	 * @throws FileNotReadyError when they are not there in time
	 */
	async shareBelow(message: SlackMessage, files: readonly SentFile[], isRepeated = false): Promise<void> {
		const [first] = files;
		if (!first) return;
		const thread = threadOf(message);
		if (!isRepeated || !(await this.#isComplete(thread.server, first)))
			await this.#complete(thread.server, files, thread);
		await this.#whenShared(thread, first.id);
	}

	/**
	 * Writes a message that refers to files, once Slack has processed them. Before that, Slack refuses it (`invalid_blocks`).
	 *
	 * @param options.isUpdate while many updates are left, one is tried without asking first whether Slack has processed the files
	 * @throws FileNotReadyError when processing takes too long
	 */
	async whenProcessed<Result>(
		server: string,
		files: readonly string[],
		write: () => Promise<Result>,
		{ isUpdate = false }: { isUpdate?: boolean } = {},
	): Promise<Result> {
		const waiting = new Set(files);
		let isTried = isUpdate && this.#calls.pace.isFree(server, 'chat.update');
		return this.#poll(server, async () => {
			for (const file of isTried ? [] : waiting)
				if (await this.#isProcessed(server, file)) waiting.delete(file);
				else return undefined;
			isTried = false;
			try {
				return { written: await write() };
			} catch (error) {
				// `files.info` shows a file as processed slightly before messages can refer to it.
				if (codeOf(error) !== 'invalid_blocks') throw error;
				return undefined;
			}
		}).then(({ written }) => written);
	}

	/** Deletes files as far as Slack allows. A file that remains is visible to nobody, since no message refers to it. */
	async remove(server: string, files: readonly string[]): Promise<void> {
		for (const file of files)
			await this.#calls.make(server, 'files.delete', (client) => client.files.delete({ file })).catch(() => {});
	}

	/** Completes uploads. With a location, Slack posts the files there. */
	async #complete(server: string, files: readonly SentFile[], location?: MessageLocation): Promise<void> {
		const { channel, thread } = location ?? {};
		const to = channel === undefined ? {} : { channel_id: channel, ...(thread !== undefined && { thread_ts: thread }) };
		const named = files.map(({ id, title }) => ({ id, title }));
		const args = { files: named, ...to } as webApi.FilesCompleteUploadExternalArguments;
		const [first] = files;
		for (let tries = 1; first; tries++) {
			try {
				await this.#calls.make(server, 'files.completeUploadExternal', (client) =>
					client.files.completeUploadExternal(args),
				);
				return;
			} catch (error) {
				// Slack may have carried it out, or another process have been first.
				const mayBeComplete = isOutcomeUnknown(error) || codeOf(error) === 'file_not_found';
				if (!mayBeComplete || tries === MAX_TRIES) throw error;
				if (await this.#isComplete(server, first)) return;
				if (!isOutcomeUnknown(error)) throw error;
			}
		}
	}

	/** Tells whether an upload is complete: before, the file does not exist. */
	async #isComplete(server: string, { id }: SentFile): Promise<boolean> {
		return this.#info(server, id).then(
			() => true,
			(error: unknown) => {
				if (codeOf(error) === undefined) throw error;
				return false;
			},
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

	/** Waits until a file that is being shared is in its thread. */
	async #whenShared(location: MessageLocation, file: string): Promise<void> {
		let processedAt: number | undefined;
		await this.#poll(location.server, async () => {
			const info = await this.#info(location.server, file);
			const { public: inPublic = {}, private: inPrivate = {} } = (info?.shares ?? {}) as Shares;
			if (location.channel in inPublic || location.channel in inPrivate) return true;
			if (info?.mimetype) processedAt ??= performance.now();
			const sharingMs = Math.min(SHARING_TIMEOUT_MS, this.#timeoutMs / 4);
			if (processedAt === undefined || performance.now() - processedAt < sharingMs) return undefined;
			// `shares` stays empty at times, whether the file was posted or not.
			const since = Date.now() - SEARCHED_MS;
			const found = await this.#messages.find(location, since, ({ files = [] }) => files.some(({ id }) => id === file));
			if (found === undefined) throw new FileNotReadyError('Slack did not post a file');
			return true;
		});
	}

	/** Looks until there is a result: Slack needs seconds to process a file, and sometimes never finishes. */
	async #poll<Result>(server: string, look: () => Promise<Result | undefined>): Promise<Result> {
		const deadline = performance.now() + this.#timeoutMs;
		for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
			const result = await look();
			if (result !== undefined) return result;
			const leftMs = deadline - performance.now();
			if (leftMs <= 0) throw new FileNotReadyError('Slack did not process a file in time');
			const isFree = this.#calls.pace.isFree(server, 'files.info');
			await sleep(Math.min(isFree ? pauseMs : Math.max(pauseMs, BUSY_PAUSE_MS), leftMs));
		}
	}

	async #info(server: string, file: string) {
		const options = { idempotent: true };
		return (await this.#calls.make(server, 'files.info', (client) => client.files.info({ file }), options)).file;
	}

	/**
	 * Sends the bytes to an address from Slack. Each address takes one upload, so that another try needs a new one.
	 *
	 * @param alt of a picture only: Slack never shares another file that has one (https://github.com/slackapi/python-slack-sdk/issues/1818)
	 */
	async #send(server: string, { name, bytes }: Attachment, alt: string): Promise<string> {
		// The library's type names it `alt_text`, which Slack does not read.
		const args = { filename: name, length: bytes.length, ...(alt !== '' && { alt_txt: alt }) };
		for (let tries = 1; ; tries++) {
			const { upload_url, file_id } = await this.#calls.make(
				server,
				'files.getUploadURLExternal',
				(client) => client.files.getUploadURLExternal(args),
				{ idempotent: true },
			);
			const url = URL.parse(upload_url ?? '');
			if (!url || !file_id || !this.#hosts.mayCall(url)) throw new Error('Slack returned no valid upload address');
			const failure = await postBytes(this.#agent, url, bytes);
			if (failure === undefined) return file_id;
			if (tries === MAX_TRIES) throw failure;
		}
	}
}

/** The messages that hold a file, by channel. https://docs.slack.dev/reference/objects/file-object */
type Shares = Partial<Record<'public' | 'private', Record<string, unknown>>>;

/** Returns the failure, if any. The address is secret enough: no token is sent. */
async function postBytes(dispatcher: Dispatcher, url: URL, bytes: Uint8Array): Promise<unknown> {
	try {
		const headers = { 'content-type': 'application/octet-stream' };
		const { statusCode, body } = await request(url, { method: 'POST', dispatcher, headers, body: bytes });
		await body.dump();
		return statusCode === 200 ? undefined : new Error(`Slack refused an upload with status ${statusCode}`);
	} catch (error) {
		return error;
	}
}
