import type { REST } from 'discord.js';
import type { BrokenRule, Channel, ChannelLimits } from '../../../domain/channel.ts';
import type { Person, Place } from '../../../domain/place.ts';
import { PlatformRefusedError } from '../../../i18n/sentence-error.ts';
import { fileBytesIn, limitsOf } from '../api/limits.ts';
import { messageBodyOf } from '../api/reply-body.ts';
import { getChannel, isLocked, openDirectMessages, triggerTyping } from '../api/requests.ts';
import type { ClientCache } from '../gateway/client-cache.ts';
import type { InteractionResponder } from './interaction-responder.ts';
import type { DiscordPosts } from './posts.ts';
import { type ThreadRequest, type Threads, threadHeading } from './threads.ts';

/** The request that the messages in a channel respond to. */
type Cause = {
	responder?: InteractionResponder | undefined;
	/** The id of a user's message: a thread starts from it. */
	message?: string;
};

/** Tells which of its server's own rules a text breaks. See `Channel.screen`. */
type Screen = (place: Place, text: string, person: Person) => Promise<BrokenRule | undefined>;

/** Channels, threads and direct messages, as the core uses them. */
export class DiscordChannels {
	readonly #rest: REST;
	readonly #posts: DiscordPosts;
	readonly #threads: Threads;
	readonly #cache: ClientCache;
	readonly #screen: Screen;

	constructor(rest: REST, posts: DiscordPosts, threads: Threads, cache: ClientCache, screen: Screen) {
		this.#rest = rest;
		this.#posts = posts;
		this.#threads = threads;
		this.#cache = cache;
		this.#screen = screen;
	}

	/** Returns the channel of a place that the bot is known to have access to. */
	in(place: Place, limits: ChannelLimits, { responder, message }: Cause = {}): Channel {
		return {
			place,
			limits,
			post: (reply, key, options = {}) => this.#posts.post({ place, responder }, reply, key, options),
			announce: (key, isPrivate) => this.#posts.announcementOf({ place, responder }, key, isPrivate),
			openThread: (title, options) => this.#openThread({ place, title, responder, message }, limits, options?.private),
			isVisibleToEveryone: async () => this.#cache.isVisibleToEveryone(place.thread ?? place.channel),
			...(this.#cache.channel(place.channel)?.nsfw && { ageRestricted: true as const }),
			...(!place.server.startsWith('user:') && { screen: (text, person) => this.#screen(place, text, person) }),
			typing: async () => {
				await triggerTyping(this.#rest, place.thread ?? place.channel);
			},
			when: (at) => `<t:${Math.floor(at / 1000)}:f> (<t:${Math.floor(at / 1000)}:R>)`,
			hidesCommands: true,
			refer: (kind, id) => `<${{ person: '@', channel: '#', role: '@&' }[kind]}${id}>`,
		};
	}

	/** See `Platform.channel`. A locked thread is left alone; the first message unarchives an archived one. */
	async find(place: Place): Promise<Channel | undefined> {
		if (place.platform !== 'discord') return undefined;
		const channel = await getChannel(this.#rest, place.thread ?? place.channel);
		return channel && !isLocked(channel) ? this.in(place, this.limitsIn(place.server)) : undefined;
	}

	/** See `Platform.direct`. Whether the person accepts direct messages is known only when one is sent. */
	async direct({ server }: Place, { id }: Pick<Person, 'id'>): Promise<Channel | undefined> {
		const channel = await openDirectMessages(this.#rest, id);
		return channel && this.in({ platform: 'discord', server, channel: channel.id, direct: true }, limitsOf());
	}

	limitsIn(server: string): ChannelLimits {
		const boosts = this.#cache.boosts(server);
		return limitsOf(boosts && fileBytesIn(boosts));
	}

	async #openThread(request: ThreadRequest, limits: ChannelLimits, isPrivate = false): Promise<Channel> {
		const { place, title, responder } = request;
		if (responder?.isBotAbsent) throw new PlatformRefusedError('discord.errors.noThreadsHere');
		// Direct messages have no threads: the conversation continues there.
		if (place.direct) {
			await responder?.send(messageBodyOf({ text: threadHeading(title) }), false);
			return this.in(place, limits, { responder });
		}
		const thread = await (isPrivate ? this.#threads.openPrivate(request) : this.#threads.open(request));
		return this.in({ ...place, thread }, this.limitsIn(place.server));
	}
}
