import { createHash } from 'node:crypto';
import type { Picture, PostOptions, Reply } from '../../../domain/channel.ts';
import type { Place } from '../../../domain/place.ts';
import { oneLine } from '../../../domain/text.ts';
import type { MessageRecord } from '../api/message-records.ts';
import { LongWaitError } from '../api/rate-limits/long-wait-error.ts';
import type { RateLimiter } from '../api/rate-limits/rate-limiter.ts';
import type { SlackApi } from '../api/slack-api.ts';
import type { SlackMessage } from '../api/slack-message.ts';
import type { People } from '../people/people.ts';
import { type FileShares, resultKey, type SharedMessage } from './files/file-shares.ts';
import type { SlackFiles } from './files/slack-files.ts';
import type { MessageIndex } from './message-index.ts';
import type { MessageWriter } from './message-writer.ts';
import type { PrivateReplies } from './private-replies.ts';
import type { ReplyRenderer } from './reply-renderer.ts';
import type { ResponseUrls } from './response-url.ts';
import type { SlackRequester } from './slack-requester.ts';

/** A status waits no longer than this for Slack's rate limits, in milliseconds: it is shown to its requester at once instead. */
const MAX_STATUS_WAIT_MS = 500;
/** The wait of edits from which on a result is shared instead. Answers of chats use up all edits that can be made at once. */
const MAX_EDIT_WAIT_MS = 2000;

/** Slack shows the title of a file above it, and documents no limit. */
const MAX_TITLE = 250;

/** The message of a reply, which may not be posted yet. */
type Target = { place: Place; key: string; requester?: SlackRequester | undefined };

type FileResultsOptions = {
	api: SlackApi;
	limiter: RateLimiter;
	files: SlackFiles;
	shares: FileShares;
	renderer: ReplyRenderer;
	writer: MessageWriter;
	privateReplies: PrivateReplies;
	responseUrls: ResponseUrls;
	index: MessageIndex;
	people: People;
};

/**
 * Results as messages of files, for times when many people ask in one channel. Slack takes about one message a second there, and fifty
 * edits a minute in a workspace; neither counts files that are shared. So a status that would have to wait is ephemeral, and its result is
 * posted by sharing its pictures, with the caption and the buttons as blocks (https://github.com/slackapi/node-slack-sdk/issues/2261).
 */
export class FileResults {
	readonly #options: FileResultsOptions;

	constructor(options: FileResultsOptions) {
		this.#options = options;
	}

	/** Posts the public status of a request for pictures, to its requester only while the messages of the channel are backed up. */
	async postStatus(
		{ place, key, requester }: Target & { requester: SlackRequester },
		reply: Reply,
		options: PostOptions,
	): Promise<MessageRecord> {
		const { limiter, writer } = this.#options;
		const isBackedUp =
			limiter.delayMs(place.server, 'chat.postMessage', place.channel) > MAX_STATUS_WAIT_MS ||
			limiter.delayMs(place.server, 'chat.update') > MAX_EDIT_WAIT_MS;
		if (!isBackedUp) {
			try {
				return await writer.post(place, reply, key, requester, { ...options, maxWaitMs: MAX_STATUS_WAIT_MS });
			} catch (error) {
				if (!(error instanceof LongWaitError)) throw error;
			}
		}
		const ephemeral = await this.#postEphemeral({ place, key, requester }, reply, options);
		return ephemeral ?? writer.post(place, reply, key, requester, options);
	}

	/** Finds out whether the result of an ephemeral status was posted. One that was about to be is posted now. */
	async locate(key: string, record: MessageRecord): Promise<MessageRecord> {
		const posted = await this.#options.shares.resumePost(resultKey(key));
		if (!posted) return record;
		await this.delete(record);
		return this.#save(key, record, posted);
	}

	/** Posts the result of an ephemeral status. A reply without pictures is shown to the requester in place of the status. */
	async finish(target: Target, record: MessageRecord, reply: Reply): Promise<MessageRecord> {
		const { renderer, writer, responseUrls } = this.#options;
		const { place, key, requester } = target;
		const { pictures = [] } = reply;
		const { responseUrl } = record.ephemeralStatus ?? {};
		// Its progress: a response URL takes five replies.
		if (reply.expected) return record;
		if (pictures.length === 0) {
			const body = await renderer.body(place.server, reply, { images: [] }, this.#translator(target));
			const isShown = responseUrl !== undefined && (await responseUrls.replace(responseUrl, body));
			if (!isShown && !(requester && (await this.#options.privateReplies.postEphemeral(place, reply, requester))))
				throw new Error('An ephemeral status can no longer be replaced');
			return record;
		}
		// Slack cannot cover the files of a message.
		const isCovered = pictures.some(({ spoiler }) => spoiler);
		const finished = isCovered
			? await writer.post(place, reply, key, requester)
			: await this.#share(target, record, reply, pictures);
		await this.delete(record);
		return finished;
	}

	/**
	 * Replaces a message of files by an ordinary one: buttons that an edit adds to it do not react
	 * (https://github.com/slackapi/bolt-python/issues/411). It stays if it shows the same pictures.
	 */
	async replace(
		{ place, key, requester }: Target,
		message: SlackMessage,
		record: MessageRecord,
		reply: Reply,
	): Promise<MessageRecord> {
		const { api, index, renderer, shares, writer } = this.#options;
		const { asFiles, images = [], ...rest } = record;
		if (!reply.pictures) {
			const body = await renderer.body(place.server, reply, { images }, this.#translator({ place, key, requester }));
			const { ts } = await api.post(message, body, key);
			await api.remove(message);
			await shares.forget(resultKey(key));
			return index.save(key, { ...rest, images, ts });
		}
		if (hashOf(reply.pictures) === asFiles) return record;
		const replaced = await writer.post(place, reply, key, requester);
		await api.remove(message);
		await renderer.removePictures(place.server, { images });
		await shares.forget(resultKey(key));
		return replaced;
	}

	/** Deletes an ephemeral status as far as Slack allows. */
	async delete({ ephemeralStatus: { responseUrl } = {} }: MessageRecord): Promise<void> {
		if (responseUrl !== undefined) await this.#options.responseUrls.delete(responseUrl);
	}

	/** Returns undefined when Slack accepts no ephemeral message. */
	async #postEphemeral(
		{ place, key, requester }: Target & { requester: SlackRequester },
		reply: Reply,
		options: PostOptions,
	): Promise<MessageRecord | undefined> {
		const { index, privateReplies } = this.#options;
		const { channel, thread } = place;
		const { responseUrl, isCommand } = requester;
		const record: MessageRecord = {
			channel,
			...(thread !== undefined && { thread }),
			since: Date.now(),
			ephemeralStatus: { ...(isCommand && responseUrl !== undefined && { responseUrl }) },
		};
		const [isShown] = await Promise.all([
			privateReplies.postEphemeral(place, reply, requester),
			index.announce(key, record, options),
		]);
		return isShown ? record : undefined;
	}

	async #share(
		{ place, key }: Target,
		record: MessageRecord,
		reply: Reply,
		pictures: readonly Picture[],
	): Promise<MessageRecord> {
		const { files, renderer, shares } = this.#options;
		const { server, channel, thread } = place;
		const blocks = await renderer.fileBlocks(server, reply);
		const sent = await files.send(server, pictures);
		// Alt text in an upload can keep Slack from sharing it: https://github.com/slackapi/python-slack-sdk/issues/1818
		const titled = sent.map((file, index) => ({
			...file,
			title: oneLine(pictures[index]?.alt || file.title, MAX_TITLE),
		}));
		const message = { blocks, hash: hashOf(pictures) };
		return this.#save(key, record, await shares.post(resultKey(key), { server, channel, thread }, titled, message));
	}

	#translator({ place, requester }: Target) {
		return this.#options.people.translator(place.server, requester?.user);
	}

	#save(
		key: string,
		{ channel, thread, since }: MessageRecord,
		{ message, files, hash }: SharedMessage,
	): Promise<MessageRecord> {
		const images = files.map(({ id, title }) => ({ file: id, alt: title }));
		const location = { channel, ...(thread !== undefined && { thread }) };
		return this.#options.index.save(key, { ...location, since, ts: message.ts, images, asFiles: hash });
	}
}

function hashOf(pictures: readonly Picture[]): string {
	const hash = createHash('sha256');
	for (const { bytes } of pictures) hash.update(bytes);
	return hash.digest('base64url');
}
