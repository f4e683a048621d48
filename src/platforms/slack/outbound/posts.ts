import { assertMessageKey, type Post, type PostOptions, type Reply } from '../../../domain/channel.ts';
import type { MessageHandle, Place } from '../../../domain/place.ts';
import { PlatformLoginError } from '../../shared/login-error.ts';
import type { MessageRecord } from '../api/message-records.ts';
import { isMessageGone, refusedErrorOf } from '../api/slack-errors.ts';
import type { SlackMessage } from '../api/slack-message.ts';
import type { IncomingFiles } from '../inbound/files.ts';
import type { People } from '../people/people.ts';
import type { FileResults } from './file-results.ts';
import { handleDataOf, recordFromHandle } from './message-handles.ts';
import type { MessageIndex } from './message-index.ts';
import type { MessageWriter } from './message-writer.ts';
import type { PrivateReplies } from './private-replies.ts';
import type { ReplyRenderer } from './reply-renderer.ts';
import type { ResponseUrls } from './response-url.ts';
import type { SlackRequester } from './slack-requester.ts';
import type { TranslateErrors } from './translate-errors.ts';

type PostsOptions = {
	index: MessageIndex;
	writer: MessageWriter;
	privateReplies: PrivateReplies;
	renderer: ReplyRenderer;
	responseUrls: ResponseUrls;
	fileResults: FileResults;
	people: People;
	translateErrors: TranslateErrors;
	/** Returns a file to be read later. */
	uploadOf: IncomingFiles['upload'];
};

/** A message of the bot, as `Post` needs it. */
type PostContext = {
	place: Place;
	key: string;
	requester?: SlackRequester | undefined;
	/** Edits and deletes an ephemeral message, if it came with a press on its button. */
	responseUrl?: string | undefined;
};

/** Messages of the bot: posted once under a key, found again, edited and deleted. */
export class SlackPosts {
	readonly #index: MessageIndex;
	readonly #writer: MessageWriter;
	readonly #privateReplies: PrivateReplies;
	readonly #renderer: ReplyRenderer;
	readonly #responseUrls: ResponseUrls;
	readonly #fileResults: FileResults;
	readonly #people: People;
	readonly #translateErrors: TranslateErrors;
	readonly #uploadOf: IncomingFiles['upload'];

	constructor(options: PostsOptions) {
		this.#index = options.index;
		this.#writer = options.writer;
		this.#privateReplies = options.privateReplies;
		this.#renderer = options.renderer;
		this.#responseUrls = options.responseUrls;
		this.#fileResults = options.fileResults;
		this.#people = options.people;
		this.#translateErrors = options.translateErrors;
		this.#uploadOf = options.uploadOf;
	}

	/** Posts a reply, or edits the message that was posted under the key, unless `ifAbsent` leaves that as it is. */
	post(place: Place, reply: Reply, key: string, options: PostOptions = {}, requester?: SlackRequester): Promise<Post> {
		const context = { place, key, requester };
		const { ifAbsent = false } = options;
		return this.#translateErrors(place.server, async () => {
			assertMessageKey(key);
			const existing = await this.#existing(context, options);
			const record = existing && (await this.#reuse(context, existing, reply, ifAbsent));
			return this.#toPost(context, record ?? (await this.#create(context, reply, options)));
		});
	}

	/** Returns a message by its handle; undefined when it is gone. */
	async find({ place, key, data }: MessageHandle): Promise<Post | undefined> {
		if (place.platform !== 'slack') return undefined;
		try {
			const record = (await this.#index.find(key)) ?? recordFromHandle(data);
			const located = record && (await this.#locate(place, key, record));
			const link = located && (await this.#index.linkTo(place, located));
			if (!located || (link === undefined && located.ts !== undefined)) return undefined;
			const context = { place, key, responseUrl: data?.['responseUrl'] };
			const message = messageOf(context, located);
			const pictures = async () => {
				const files = message ? await this.#writer.picturesOf(message, located) : [];
				return files.map((id) => this.#uploadOf(place.server, { id }));
			};
			return Object.assign(this.#toPost(context, located), { pictures, ...(!place.direct && { link }) });
		} catch (error) {
			// The app was removed from the workspace, and with it the access to its messages.
			if (error instanceof PlatformLoginError) return undefined;
			throw refusedErrorOf(error);
		}
	}

	async #existing(
		{ place, key }: PostContext,
		{ ifAbsent = false, withoutStore = false }: PostOptions,
	): Promise<MessageRecord | undefined> {
		const record = await this.#index.find(key).catch((error: unknown) => {
			if (!withoutStore) throw error;
			return undefined;
		});
		// An ephemeral message cannot be edited, but it was seen.
		if (!record || (record.fleeting && !ifAbsent)) return undefined;
		return record.ephemeralStatus
			? this.#fileResults.locate(key, record)
			: this.#index.locateIfReadable(place, key, record);
	}

	#locate(place: Place, key: string, record: MessageRecord): Promise<MessageRecord | undefined> {
		return record.ephemeralStatus ? this.#fileResults.locate(key, record) : this.#index.locate(place, key, record);
	}

	/** Edits a message that was posted before, unless `ifAbsent` leaves it as it is. Returns undefined when it is gone. */
	async #reuse(
		context: PostContext,
		existing: MessageRecord,
		reply: Reply,
		ifAbsent: boolean,
	): Promise<MessageRecord | undefined> {
		try {
			if (ifAbsent && !(await this.#index.exists(context.place, existing))) return undefined;
			const record = ifAbsent ? existing : await this.#edit(context, existing, reply);
			const message = messageOf(context, record);
			// The process that posted the message may have ended before it shared the files.
			if (message && reply.files?.length) await this.#writer.resumeFiles(message, context.key);
			return record;
		} catch (error) {
			if (isMessageGone(error)) return undefined;
			throw error;
		}
	}

	#create({ place, key, requester }: PostContext, reply: Reply, options: PostOptions = {}): Promise<MessageRecord> {
		if (!requester || place.direct) return this.#writer.post(place, reply, key, requester, options);
		if (reply.visibility === 'private') return this.#privateReplies.post(place, reply, key, requester, options);
		return reply.expected
			? this.#fileResults.postStatus({ place, key, requester }, reply, options)
			: this.#writer.post(place, reply, key, requester, options);
	}

	#edit(context: PostContext, record: MessageRecord, reply: Reply): Promise<MessageRecord> {
		if (record.ephemeralStatus) return this.#fileResults.finish(context, record, reply);
		const message = messageOf(context, record);
		if (message && record.asFiles !== undefined) return this.#fileResults.replace(context, message, record, reply);
		return message
			? this.#writer.update(message, record, reply, context.key, context.requester)
			: this.#editEphemeral(context, record, reply);
	}

	/** Replaces an ephemeral message through its response URL; without one, posts another. */
	async #editEphemeral(context: PostContext, record: MessageRecord, reply: Reply): Promise<MessageRecord> {
		const { place, requester, responseUrl } = context;
		const t = this.#people.translator(place.server, requester?.user);
		const body = await this.#renderer.body(place.server, reply, { images: [] }, t);
		const canReplace = responseUrl !== undefined && !reply.pictures?.length;
		if (canReplace && (await this.#responseUrls.replace(responseUrl, body))) return record;
		if (!requester) throw new Error('An ephemeral message can no longer be edited');
		return this.#create(context, { ...reply, visibility: 'private' });
	}

	async #delete(context: PostContext, record: MessageRecord): Promise<void> {
		const message = messageOf(context, record);
		if (message) await this.#translateErrors(message.server, () => this.#writer.delete(message, record, context.key));
		else if (record.ephemeralStatus) await this.#fileResults.delete(record);
		else if (context.responseUrl === undefined || !(await this.#responseUrls.delete(context.responseUrl)))
			throw new Error('An ephemeral message can no longer be deleted');
		await this.#index.forget(context.key, record);
	}

	#toPost(context: PostContext, first: MessageRecord): Post {
		const { place, key, responseUrl } = context;
		let record = first;
		return {
			get handle() {
				return { place, key, data: handleDataOf(record, responseUrl) };
			},
			edit: async (reply) => {
				record = await this.#translateErrors(place.server, () => this.#edit(context, record, reply));
			},
			delete: () => this.#delete(context, record),
		};
	}
}

/** Returns undefined for an ephemeral message. */
const messageOf = ({ place }: PostContext, { channel, thread, ts }: MessageRecord): SlackMessage | undefined =>
	ts === undefined ? undefined : { server: place.server, channel, thread, ts };
