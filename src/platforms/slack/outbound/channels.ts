import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Channel, ChannelLimits } from '../../../domain/channel.ts';
import type { MessageHandle, Person, Place } from '../../../domain/place.ts';
import { quoted } from '../../../domain/text.ts';
import { PlatformRefusedError } from '../../../i18n/sentence-error.ts';
import { messageBlocksOf } from '../api/blocks.ts';
import type { CallWithRetry } from '../api/calls.ts';
import type { Messages } from '../api/messages.ts';
import { codeOf, refusedErrorOf } from '../api/slack-errors.ts';
import type { Installations } from '../installation/installation.ts';
import type { People } from '../people/people.ts';
import { localTime, mention } from './mentions.ts';
import type { SlackMessageRecords } from './message-records.ts';
import { directPlace, type SlackPosts } from './posts.ts';
import type { SlackRequester } from './slack-requester.ts';

/** Slack hides the status of a thread after two minutes, and when the bot posts there. */
const REPEAT_STATUS_MS = 60_000;
const MAX_THREADS = 1000;

type ChannelsOptions = {
	messages: Messages;
	posts: SlackPosts;
	limits: ChannelLimits;
	index: SlackMessageRecords;
	people: People;
	installations: Installations;
	call: CallWithRetry;
};

/** The channels, threads and direct messages that the bot can post in. */
export class SlackChannels {
	readonly #options: ChannelsOptions;
	/** Threads whose status was set a moment ago. */
	readonly #typed = new LRUCache<string, true>({ max: MAX_THREADS, ttl: REPEAT_STATUS_MS });

	constructor(options: ChannelsOptions) {
		this.#options = options;
	}

	/**
	 * Returns a channel, without checking that the bot can post there.
	 *
	 * @param requester the person whose request is answered: the reader of private replies
	 */
	channel(place: Place, requester?: SlackRequester): Channel {
		const { server } = place;
		return {
			place,
			limits: this.#options.limits,
			post: (reply, key, options) => this.#options.posts.post(place, reply, key, options, requester),
			announce: (key, isPrivate) => this.#options.posts.announcementOf(place, key, isPrivate),
			openThread: (title, { private: isPrivate = false } = {}) =>
				this.#options.posts.translateErrors({ place, requester }, () =>
					this.#openThread(place, title, isPrivate, requester),
				),
			isVisibleToEveryone: async () => !place.direct && this.#options.messages.isPublic(server, place.channel),
			typing: () => this.#typing(place, requester),
			when: (at) => localTime(at, requester && this.#options.people.cached(server, requester.user)),
			refer: mention,
		};
	}

	/** Returns a channel without a requester; undefined where the app is not installed. */
	async at(place: Place): Promise<Channel | undefined> {
		return (await this.#isInstalled(place)) ? this.channel(place) : undefined;
	}

	/** Returns the direct messages with a person; undefined when Slack refuses them. */
	async direct(place: Place, { id }: Pick<Person, 'id'>): Promise<Channel | undefined> {
		if (!(await this.#isInstalled(place))) return undefined;
		try {
			const direct = await this.#options.messages.openDirect(place.server, id);
			return this.channel(directPlace(place, direct), { user: id, team: place.server });
		} catch (error) {
			const refused = refusedErrorOf(error);
			if (refused instanceof PlatformRefusedError || codeOf(error) !== undefined) return undefined;
			throw error;
		}
	}

	/** Returns the handle of any message. Its key is the `ts` for messages that are not of the bot. */
	handleOf(place: Place, ts: string): Promise<MessageHandle> {
		return this.#options.index.handleOf(place, ts);
	}

	/** Shows in a thread that an answer is being written. https://docs.slack.dev/reference/methods/assistant.threads.setStatus */
	async #typing({ server, channel, thread }: Place, requester?: SlackRequester): Promise<void> {
		const key = `${server}:${channel}:${thread}`;
		if (thread === undefined || this.#typed.has(key)) return;
		this.#typed.set(key, true);
		const status = this.#options.people.translator(server, requester?.user)('slack.writing');
		const args = { channel_id: channel, thread_ts: thread, status };
		// Answers do not depend on it, and some workspaces do not have it.
		await this.#options
			.call(server, 'assistant.threads.setStatus', (client) => client.assistant.threads.setStatus(args))
			.catch(() => {});
	}

	async #isInstalled({ platform, server }: Place): Promise<boolean> {
		return platform === 'slack' && (await this.#options.installations.of(server)) !== undefined;
	}

	async #openThread(place: Place, title: string, isPrivate: boolean, requester?: SlackRequester): Promise<Channel> {
		const { server } = place;
		const isMoved = isPrivate && requester && !place.direct;
		const home = isMoved
			? directPlace(place, await this.#options.messages.openDirect(server, requester.user))
			: withoutThread(place);
		const first = await this.#options.messages.post(home, messageBlocksOf(`💬 ${quoted(title)}`, [], []), randomUUID());
		// A thread cannot contain another: the requester gets a link to the new one.
		if (requester && (isMoved || place.thread !== undefined)) {
			const t = this.#options.people.translator(server, requester.user);
			await this.#options.posts.postLink(place, t('slack.directIntro'), first, requester);
		}
		return this.channel({ ...home, thread: first.ts }, requester);
	}
}

const withoutThread = ({ thread: _, ...place }: Place): Place => place;
