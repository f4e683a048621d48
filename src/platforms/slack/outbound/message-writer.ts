import type { PostOptions, Reply } from '../../../domain/channel.ts';
import type { Place } from '../../../domain/place.ts';
import { isStoreFailure } from '../../shared/failure-message.ts';
import type { MessageBlocks } from '../api/blocks.ts';
import type { MessageRecord } from '../api/message-records.ts';
import type { SlackApi } from '../api/slack-api.ts';
import type { SlackMessage } from '../api/slack-message.ts';
import type { People } from '../people/people.ts';
import { type FileShares, filesKey, picturesKey, resultKey } from './files/file-shares.ts';
import type { SentFile } from './files/file-uploader.ts';
import type { SlackFiles } from './files/slack-files.ts';
import type { MessageIndex } from './message-index.ts';
import type { PostedReply, ReplyRenderer } from './reply-renderer.ts';
import type { SlackRequester } from './slack-requester.ts';

/** How long a person waits for Slack's rate limit when pictures of a message are looked up, in milliseconds. */
const MAX_LOOK_WAIT_MS = 3000;

type MessageWriterOptions = {
	api: SlackApi;
	files: SlackFiles;
	shares: FileShares;
	renderer: ReplyRenderer;
	index: MessageIndex;
	people: People;
};

/** Posts, updates and deletes the messages of a channel, a thread or direct messages, which all readers there see. */
export class MessageWriter {
	readonly #api: SlackApi;
	readonly #files: SlackFiles;
	readonly #shares: FileShares;
	readonly #renderer: ReplyRenderer;
	readonly #index: MessageIndex;
	readonly #people: People;

	constructor(options: MessageWriterOptions) {
		this.#api = options.api;
		this.#files = options.files;
		this.#shares = options.shares;
		this.#renderer = options.renderer;
		this.#index = options.index;
		this.#people = options.people;
	}

	/**
	 * Posts a reply under a key. Files are posted in the message's thread, because
	 * Slack fails when the message of a file has a `markdown` block (https://github.com/slackapi/python-slack-sdk/issues/1756).
	 *
	 * @param options.maxWaitMs how long the message may wait for Slack's rate limit
	 * @throws LongWaitError when the rate limit requires a longer wait
	 */
	async post(
		place: Place,
		reply: Reply,
		key: string,
		requester?: SlackRequester,
		{ maxWaitMs, ...options }: PostOptions & { maxWaitMs?: number } = {},
	): Promise<MessageRecord> {
		const { server, channel, thread } = place;
		const location = { server, channel, thread };
		const announced = { channel, ...(thread !== undefined && { thread }), since: Date.now() };
		await this.#index.announce(key, announced, options);
		// The files are sent before the message, so that nothing is posted when Slack refuses them.
		const files = await this.#files.send(server, reply.files ?? []);
		const inThread: SentFile[] = [];
		const write = (body: MessageBlocks, pictures: readonly SentFile[] = []) => {
			inThread.push(...pictures);
			const post = () => this.#api.post(location, body, key, maxWaitMs);
			return this.#shares.announce(filesKey(key), location, files, () =>
				this.#shares.announce(picturesKey(key), location, pictures, post),
			);
		};
		const posted = await this.#renderer.write(server, reply, write, this.#people.translator(server, requester?.user));
		const record = await this.#index.save(key, { ...announced, ...recorded(posted) });
		await this.#shares.share(picturesKey(key), posted.message, inThread);
		await this.#shares.share(filesKey(key), posted.message, files);
		return record;
	}

	/** Replaces the text, the buttons and, if the reply has any, the pictures of a message. Returns its new record. */
	async update(
		message: SlackMessage,
		record: MessageRecord,
		reply: Reply,
		key: string,
		requester?: SlackRequester,
	): Promise<MessageRecord> {
		const { server } = message;
		const t = this.#people.translator(server, requester?.user);
		const inThread: SentFile[] = [];
		const write = async (body: MessageBlocks, pictures: readonly SentFile[] = []) => {
			// An earlier attempt may have ended before its pictures were shared.
			if (reply.pictures) await this.#shares.remove(picturesKey(key)).catch(unlessStoreFailure);
			inThread.push(...pictures);
			await this.#shares.announce(picturesKey(key), message, pictures, () => this.#api.update(message, body, key));
			return message;
		};
		const before = { images: record.images ?? (await this.#api.imagesOf(message)), covered: record.covered };
		if (!reply.pictures) {
			await write(await this.#renderer.body(server, reply, before, t));
			return record;
		}
		const posted = await this.#renderer.write(server, reply, write, t, { isUpdate: true });
		await this.#renderer.removePictures(server, before);
		const updated = await this.#index.save(key, { ...record, ...recorded(posted) });
		await this.#shares.share(picturesKey(key), message, inThread);
		return updated;
	}

	/** Shares the files of a message that was posted before, unless they are shared. */
	resumeFiles(message: SlackMessage, key: string): Promise<void> {
		return this.#shares.resume(filesKey(key), message);
	}

	/** Returns the files of the pictures that a message shows, also of covered ones. */
	async picturesOf(message: SlackMessage, { images = [], covered }: MessageRecord): Promise<string[]> {
		const recorded = await this.#renderer.filesOf({ images, covered });
		if (recorded.length > 0) return recorded;
		// A process may have ended between the message and its record. Unlisted apps may look only once a minute.
		const shown = await this.#api.imagesOf(message, MAX_LOOK_WAIT_MS).catch(() => []);
		return shown.map(({ file }) => file);
	}

	/** Deletes a message and its files. */
	async delete(message: SlackMessage, record: MessageRecord, key: string): Promise<void> {
		const images = record.images ?? (await this.#api.imagesOf(message).catch(() => []));
		await this.#api.remove(message);
		await this.#renderer.removePictures(message.server, { images, covered: record.covered });
		if (record.asFiles !== undefined) await this.#shares.forget(resultKey(key));
		await this.#shares.remove(picturesKey(key));
		await this.#shares.remove(filesKey(key));
	}
}

/** Pictures are shown also while the store fails. */
function unlessStoreFailure(error: unknown): void {
	if (!isStoreFailure(error)) throw error;
}

const recorded = ({ message, images, covered }: PostedReply) => ({
	ts: message.ts,
	images,
	...(covered && { covered }),
});
