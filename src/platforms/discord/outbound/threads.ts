import { ChannelType, type REST } from 'discord.js';
import type { Place } from '../../../domain/place.ts';
import { quoted } from '../../../domain/text.ts';
import { PlatformRefusedError } from '../../../i18n/sentence-error.ts';
import { addThreadMember, findOrStartThread, startThread, type ThreadKind } from '../api/channel-requests.ts';
import { translateErrors } from '../api/discord-errors.ts';
import type { MessageApi } from '../api/message-api.ts';
import { messageBodyOf } from '../api/reply-body.ts';
import { startForumPost } from './forum-posts.ts';
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

/** Opens threads in the channels of servers. */
export class Threads {
	readonly #rest: REST;
	readonly #messages: MessageApi;
	readonly #typeOf: (channel: string) => ChannelType | undefined;

	/** @param typeOf returns undefined for a channel that is not cached */
	constructor(rest: REST, messages: MessageApi, typeOf: (channel: string) => ChannelType | undefined) {
		this.#rest = rest;
		this.#messages = messages;
		this.#typeOf = typeOf;
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
	async #openFromResponse({ place, title }: ThreadRequest, responder: InteractionResponder): Promise<string> {
		const response = await responder.send(messageBodyOf({ text: threadHeading(title) }), false);
		try {
			if (!response) return await this.#start(place, title);
			return await findOrStartThread(this.#rest, place.channel, title, response.message);
		} catch (error) {
			if (response) await this.#messages.delete(response).catch(() => {});
			throw error;
		}
	}

	/** Starts a thread that belongs to no message, and responds with a link to it. */
	async #openSeparate({ place, title, responder }: ThreadRequest): Promise<string> {
		const id = await this.#start(place, title);
		await responder?.send(messageBodyOf({ text: `<#${id}>` }), false);
		return id;
	}

	/** Starts a thread that belongs to no message. Returns its id. */
	async #start(place: Place, title: string): Promise<string> {
		const kind = this.#kindIn(place);
		const thread =
			kind === 'post' ? startForumPost(this.#rest, place, title) : startThread(this.#rest, place.channel, title, kind);
		return (await thread).id;
	}

	async #openPrivate({ place, title, responder }: ThreadRequest): Promise<string> {
		if (responder?.requester === undefined) throw new Error('A private thread needs a requester');
		// Threads of forums are posts, which are public.
		if (this.#kindIn(place) === 'post') throw new PlatformRefusedError('discord.errors.noPrivateThreads');
		const { id } = await startThread(this.#rest, place.channel, title, 'private');
		await addThreadMember(this.#rest, id, responder.requester);
		await responder.send(messageBodyOf({ text: `<#${id}>` }), true);
		return id;
	}

	#kindIn({ channel }: Place): ThreadKind {
		switch (this.#typeOf(channel)) {
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
