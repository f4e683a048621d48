import { type Dispatcher, request } from 'undici';
import type { Attachment } from '../../../../domain/channel.ts';
import type { MessageBlocks } from '../../api/blocks.ts';
import type { CallWithRetry } from '../../api/call-with-retry.ts';
import type { Hosts } from '../../api/hosts.ts';
import { createHttpAgent } from '../../api/http-agent.ts';
import type { MessageLocation } from '../../api/slack-message.ts';

const SILENCE_MS = 30_000;
const MAX_TRIES = 3;

/** A file whose bytes Slack has, and whose upload is not complete. */
export type SentFile = { id: string; title: string };

/**
 * Uploads files in Slack's three steps: request an address, send the bytes, complete the upload.
 * https://docs.slack.dev/messaging/working-with-files#upload
 */
export class FileUploader {
	readonly #call: CallWithRetry;
	readonly #hosts: Hosts;
	readonly #agent = createHttpAgent(SILENCE_MS);

	constructor({ call, hosts }: { call: CallWithRetry; hosts: Hosts }) {
		this.#call = call;
		this.#hosts = hosts;
	}

	/** Returns the files' ids, in their order. Slack still has to process the files before messages can show them. */
	async upload(server: string, files: readonly Attachment[]): Promise<string[]> {
		const sent = await this.send(server, files);
		await this.complete(server, sent);
		return sent.map(({ id }) => id);
	}

	/** Sends the bytes of files. Slack forgets them unless their upload is completed. */
	async send(server: string, files: readonly Attachment[]): Promise<SentFile[]> {
		// One after another, to keep memory low: the files may be large.
		const sent: SentFile[] = [];
		for (const file of files) sent.push({ id: await this.#send(server, file), title: file.name });
		return sent;
	}

	/**
	 * Completes uploads. With a location, Slack posts the files there; without, people see them only in messages that refer to them.
	 *
	 * @param blocks of the message with the files; no `markdown` block
	 */
	async complete(
		server: string,
		files: readonly SentFile[],
		location?: MessageLocation,
		blocks?: MessageBlocks['blocks'],
	): Promise<void> {
		const [first, ...others] = files;
		if (!first) return;
		const shared = location && {
			channel_id: location.channel,
			...(location.thread !== undefined && { thread_ts: location.thread }),
			...(blocks && { blocks }),
		};
		await this.#call(server, 'files.completeUploadExternal', (client) =>
			client.files.completeUploadExternal({ files: [first, ...others], ...shared } as Parameters<
				typeof client.files.completeUploadExternal
			>[0]),
		);
	}

	/** Deletes files as far as Slack allows. A file that remains is visible to nobody, since no message refers to it. */
	async remove(server: string, files: readonly string[]): Promise<void> {
		for (const file of files)
			await this.#call(server, 'files.delete', (client) => client.files.delete({ file })).catch(() => {});
	}

	/** Sends the bytes to an address from Slack. Each address takes one upload, so that another try needs a new one. */
	async #send(server: string, { name, bytes }: Attachment): Promise<string> {
		for (let tries = 1; ; tries++) {
			const { upload_url, file_id } = await this.#call(
				server,
				'files.getUploadURLExternal',
				(client) => client.files.getUploadURLExternal({ filename: name, length: bytes.length }),
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

/** Returns the failure, if any. The address is secret enough: no token is sent. */
async function postBytes(dispatcher: Dispatcher, url: URL, bytes: Uint8Array): Promise<unknown> {
	try {
		const { statusCode, body } = await request(url, {
			method: 'POST',
			dispatcher,
			headers: { 'content-type': 'application/octet-stream' },
			body: bytes,
		});
		await body.dump();
		return statusCode === 200 ? undefined : new Error(`Slack refused an upload with status ${statusCode}`);
	} catch (error) {
		return error;
	}
}
