import type { PostOptions, Reply } from '../../../domain/channel.ts';
import type { Place } from '../../../domain/place.ts';
import type { Log } from '../../../log.ts';
import type { MessageRecord } from '../api/message-records.ts';
import type { SlackApi } from '../api/slack-api.ts';
import type { People } from '../people/people.ts';
import { directPlace } from './direct-messages.ts';
import type { MessageIndex } from './message-index.ts';
import type { MessageWriter } from './message-writer.ts';
import type { ReplyRenderer } from './reply-renderer.ts';
import type { ResponseUrls } from './response-url.ts';
import type { SlackRequester } from './slack-requester.ts';

type PrivateRepliesOptions = {
	api: SlackApi;
	responseUrls: ResponseUrls;
	renderer: ReplyRenderer;
	writer: MessageWriter;
	index: MessageIndex;
	people: People;
	log: Log;
};

/**
 * Replies in a channel that only the requester sees. Slack shows those as ephemeral messages, which the Web API cannot edit and which
 * cannot show uploaded pictures (https://github.com/slackapi/node-slack-sdk/issues/1790). Replies that need either are sent as direct
 * messages, and an ephemeral message in the channel links to them.
 */
export class PrivateReplies {
	readonly #api: SlackApi;
	readonly #responseUrls: ResponseUrls;
	readonly #renderer: ReplyRenderer;
	readonly #writer: MessageWriter;
	readonly #index: MessageIndex;
	readonly #people: People;
	readonly #log: Log;

	constructor(options: PrivateRepliesOptions) {
		this.#api = options.api;
		this.#responseUrls = options.responseUrls;
		this.#renderer = options.renderer;
		this.#writer = options.writer;
		this.#index = options.index;
		this.#people = options.people;
		this.#log = options.log;
	}

	/** Posts a private reply under a key. */
	async post(
		place: Place,
		reply: Reply,
		key: string,
		requester: SlackRequester,
		options: PostOptions,
	): Promise<MessageRecord> {
		const { server, channel } = place;
		const { pictures = [], files = [] } = reply;
		const needsDirectMessage = requester.needsDirectMessage || pictures.length > 0 || files.length > 0;
		if (!needsDirectMessage && (await this.postEphemeral(place, reply, requester)))
			return this.#index.save(key, { channel, since: Date.now(), fleeting: true });
		const direct = await this.#api.openDirect(server, requester.user);
		const record = await this.#writer.post(directPlace(place, direct), reply, key, requester, options);
		if (needsDirectMessage) await this.#linkTo(place, record, requester);
		return record;
	}

	/** Posts an ephemeral message. Returns false when Slack accepts it in no way. */
	async postEphemeral(place: Place, reply: Reply, requester: SlackRequester): Promise<boolean> {
		const { server, channel, thread } = place;
		const { user, responseUrl } = requester;
		const body = await this.#renderer.body(server, reply, { images: [] }, this.#people.translator(server, user));
		const byApi = () =>
			this.#api.postEphemeral({ server, channel, thread }, user, body).then(
				() => true,
				(error: unknown) => {
					this.#log.debug({ err: error }, 'An ephemeral message could not be posted');
					return false;
				},
			);
		const byUrl = async () => responseUrl !== undefined && this.#responseUrls.postEphemeral(responseUrl, body);
		// The response URL works where the bot is not a member, but posts outside of the thread.
		return thread === undefined ? (await byUrl()) || (await byApi()) : (await byApi()) || (await byUrl());
	}

	/** Posts an ephemeral message of one sentence that links to a message, as far as Slack returns its address. */
	async postLink(
		place: Place,
		sentence: string,
		address: string | undefined,
		requester: SlackRequester,
	): Promise<void> {
		const text = address === undefined ? sentence : `[${sentence}](${address})`;
		await this.postEphemeral(place, { text }, requester);
	}

	async #linkTo(place: Place, record: MessageRecord, requester: SlackRequester): Promise<void> {
		const { server } = place;
		const { ts } = record;
		const address =
			ts === undefined ? undefined : await this.#api.permalink({ ...record, server, ts }).catch(() => undefined);
		const t = this.#people.translator(server, requester.user);
		await this.postLink(place, t('slack.answeredDirect'), address, requester);
	}
}
