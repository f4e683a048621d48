import { ChannelType, DiscordAPIError, type REST, RESTJSONErrorCodes } from 'discord.js';
import { LRUCache } from 'lru-cache';
import type { Place } from '../../../domain/place.ts';
import { quoted } from '../../../domain/text.ts';
import { PlatformRefusedError } from '../../../i18n/sentence-error.ts';
import { translateErrors } from '../api/discord-errors.ts';
import type { MessageApi } from '../api/message-api.ts';
import { messageBodyOf } from '../api/reply-body.ts';
import {
	addThreadMember,
	findEmptyThreads,
	findOrStartThread,
	getChannel,
	startThread,
	type ThreadKind,
} from '../api/requests.ts';
import { makeOnce } from '../api/rest.ts';
import type { ClientCache } from '../gateway/client-cache.ts';
import type { InteractionResponder } from './interaction-responder.ts';

/** A request for a thread. */
export type ThreadRequest = {
	/** A channel, or a thread in it: threads cannot be nested, so that a thread opened from a thread is its sibling. */
	place: Place;
	title: string;
	/** Of the interaction that asks for the thread, where it is one. */
	responder: InteractionResponder | undefined;
	/** The id of the message that asks for the thread, where it is one. */
	message: string | undefined;
};

const MAX_TAKEN = 1000;

/** Opens threads in the channels of servers. */
export class Threads {
	readonly #rest: REST;
	readonly #messages: MessageApi;
	readonly #cache: ClientCache;
	/** The ids of threads that requests have got. Another request with the same title must not get one of them. */
	readonly #taken = new LRUCache<string, true>({ max: MAX_TAKEN });

	constructor(rest: REST, messages: MessageApi, cache: ClientCache) {
		this.#rest = rest;
		this.#messages = messages;
		this.#cache = cache;
	}

	/**
	 * Opens a thread that everybody in the channel can see. Returns its id.
	 * @throws PlatformRefusedError when Discord does not allow it
	 */
	open(request: ThreadRequest): Promise<string> {
		const purpose = this.#kindIn(request.place) === 'post' ? 'open a forum post' : 'open a thread';
		return translateErrors(purpose, request.place, this.#open(request));
	}

	/**
	 * Opens a thread with the requester as its only member. Members who manage threads can also see it. Returns its id.
	 * @throws PlatformRefusedError when Discord does not allow it
	 */
	openPrivate(request: ThreadRequest): Promise<string> {
		return translateErrors('open a private thread', request.place, this.#openPrivate(request));
	}

	#open(request: ThreadRequest): Promise<string> {
		const { place, title, responder, message } = request;
		if (place.thread !== undefined) return this.#openSeparate(request);
		if (message !== undefined) return findOrStartThread(this.#rest, place.channel, title, message);
		return responder ? this.#openFromResponse(request, responder) : this.#openSeparate(request);
	}

	/** Responds with the title, and starts the thread from that message. */
	async #openFromResponse(request: ThreadRequest, responder: InteractionResponder): Promise<string> {
		const { place, title } = request;
		const response = await responder.send(messageBodyOf({ text: threadHeading(title) }), false);
		try {
			if (!response) return await this.#start(request);
			return await findOrStartThread(this.#rest, place.channel, title, response.message);
		} catch (error) {
			if (response) await this.#messages.delete(response).catch(() => {});
			throw error;
		}
	}

	/** Starts a thread that belongs to no message, and responds with a link to it. */
	async #openSeparate(request: ThreadRequest): Promise<string> {
		const id = await this.#start(request);
		await request.responder?.send(messageBodyOf({ text: `<#${id}>` }), false);
		return id;
	}

	/** Starts a thread that belongs to no message. Returns its id. */
	async #start(request: ThreadRequest, kind = this.#kindIn(request.place)): Promise<string> {
		const { place, title, responder, message } = request;
		const after = responder?.id ?? message;
		const make = () =>
			kind === 'post' ? startForumPost(this.#rest, place, title) : startThread(this.#rest, place.channel, title, kind);
		const find = async () => {
			if (after === undefined) return undefined;
			const started = await findEmptyThreads(this.#rest, place, { title, owner: this.#cache.self, after });
			return started.find(({ id }) => !this.#taken.has(id));
		};
		const { id } = await makeOnce(make, find);
		this.#taken.set(id, true);
		return id;
	}

	async #openPrivate(request: ThreadRequest): Promise<string> {
		const { place, responder } = request;
		if (responder?.requester === undefined) throw new Error('A private thread needs a requester');
		// Threads of forums are posts, which are public.
		if (this.#kindIn(place) === 'post') throw new PlatformRefusedError('discord.errors.noPrivateThreads');
		const id = await this.#start(request, 'private');
		await addThreadMember(this.#rest, id, responder.requester);
		await responder.send(messageBodyOf({ text: `<#${id}>` }), true);
		return id;
	}

	#kindIn({ channel }: Place): ThreadKind {
		switch (this.#cache.channel(channel)?.type) {
			case ChannelType.GuildAnnouncement:
				return 'announcement';
			case ChannelType.GuildForum:
			case ChannelType.GuildMedia:
				return 'post';
			default:
				return 'public';
		}
	}
}

/** The text of the message that a thread starts from: its title, with Markdown escaped. */
export const threadHeading = (title: string) => `💬 ${quoted(title)}`;

/**
 * Starts a post in a forum. Where the forum requires a tag, the post gets those of the post that it is started from, else the first
 * one that everyone may use.
 * https://docs.discord.com/developers/resources/channel#start-thread-in-forum-or-media-channel
 */
async function startForumPost(rest: REST, { channel, thread }: Place, title: string) {
	try {
		return await startThread(rest, channel, title, 'post');
	} catch (error) {
		const isTagRequired =
			error instanceof DiscordAPIError && error.code === RESTJSONErrorCodes.TagRequiredToCreateAForumPostInThisChannel;
		const tags = isTagRequired ? await findTags(rest, channel, thread) : [];
		if (tags.length === 0) throw error;
		return await startThread(rest, channel, title, 'post', { applied_tags: tags });
	}
}

/** Moderated tags are left out: only members with *Manage Threads* may set them. */
async function findTags(rest: REST, forum: string, post: string | undefined): Promise<readonly string[]> {
	const [parent, current] = await Promise.all([
		getChannel(rest, forum),
		post === undefined ? undefined : getChannel(rest, post),
	]);
	const available = parent && 'available_tags' in parent ? parent.available_tags : [];
	const open = available.flatMap(({ id, moderated }) => (moderated ? [] : id));
	const applied = ((current && 'applied_tags' in current && current.applied_tags) || []).filter((id) =>
		open.includes(id),
	);
	return applied.length > 0 ? applied : open.slice(0, 1);
}
