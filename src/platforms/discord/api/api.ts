import { createHash } from 'node:crypto';
import {
	type APIAutoModerationRule,
	type APIChannel,
	type APIDMChannel,
	type APIGuildMember,
	type APIInteractionResponse,
	type APIMessage,
	type APIThreadChannel,
	ChannelType,
	DiscordAPIError,
	type REST,
	RESTJSONErrorCodes,
	type RESTPostAPIInteractionCallbackWithResponseResult,
	Routes,
	ThreadAutoArchiveDuration,
} from 'discord.js';
import { clip } from '../../../domain/text.ts';
import { Multipart } from './multipart.ts';
import { flagsOf, type MessageBody } from './reply-body.ts';

/** What an interaction allows for a while: its own messages, whatever the bot may otherwise do in the channel. */
export type Token = { application: string; token: string /** Unix milliseconds. */; until: number };

/** Where a message of ours is. `@original` is the first answer to an interaction whose id nobody has told us. */
export type RequestRoute = { channel: string; message: string; via?: Token; private?: true };

export type DiscordApi = ReturnType<typeof createDiscordApi>;

/** https://docs.discord.com/developers/resources/channel#start-thread-from-message */
const MAX_TITLE = 100;

/** https://docs.discord.com/developers/resources/message#create-message */
const NONCE_LENGTH = 25;

/** What a thread is that hangs on no message. In forums, all are posts, which begin with a message of their own. */
export type ThreadKind = 'public' | 'private' | 'announcement' | 'post';

/** https://docs.discord.com/developers/resources/channel#start-thread-without-message and #start-thread-in-forum-or-media-channel */
const KINDS: Readonly<Record<ThreadKind, object>> = {
	public: { type: ChannelType.PublicThread },
	private: { type: ChannelType.PrivateThread, invitable: false },
	announcement: { type: ChannelType.AnnouncementThread },
	post: { message: { content: '💬', allowed_mentions: { parse: [] } } },
};

/** The calls that are made of Discord. Each rejects with the library's `DiscordAPIError`, `HTTPError` or a network error. */
export function createDiscordApi(rest: REST, tokenless: REST) {
	/** By the interaction's token while it is good, else as the bot; messages that one person sees have only the first way. */
	async function eitherWay<T>(
		where: RequestRoute,
		byToken: (token: Token) => Promise<T>,
		asBot: () => Promise<T>,
	): Promise<T> {
		const { via, message } = where;
		const botCan = !where.private && message !== '@original';
		if (via && (Date.now() < via.until || !botCan)) {
			try {
				return await byToken(via);
			} catch (error) {
				if (!botCan || !isOver(error)) throw error;
			}
		}
		if (!botCan) throw new Error('This message is out of reach: it was for one person, and its time is over');
		return asBot();
	}

	return {
		/** Answers an interaction for the first time. Its own route: no token of the bot, no queue. */
		async respond(id: string, { token }: Token, response: APIInteractionResponse): Promise<APIMessage | undefined> {
			const query = new URLSearchParams({ with_response: 'true' });
			const answer = await tokenless.post(Routes.interactionCallback(id, token), {
				body: response,
				query,
				auth: false,
			});
			return (answer as RESTPostAPIInteractionCallbackWithResponseResult | undefined)?.resource?.message;
		},

		followUp: ({ application, token }: Token, body: MessageBody, isPrivate: boolean) =>
			tokenless.post(Routes.webhook(application, token), {
				...contentOf(body, flagsOf(isPrivate)),
				query: new URLSearchParams({ wait: 'true' }),
				auth: false,
			}) as Promise<APIMessage>,

		/** @param name the same within some minutes gives the message that is there, so that a lost answer makes no second one */
		say: (channel: string, body: MessageBody, name: string) =>
			rest.post(Routes.channelMessages(channel), {
				...contentOf(body, { nonce: nonceOf(name), enforce_nonce: true }),
			}) as Promise<APIMessage>,

		edit: (where: RequestRoute, body: MessageBody): Promise<APIMessage> =>
			eitherWay(
				where,
				({ application, token }) =>
					tokenless.patch(Routes.webhookMessage(application, token, where.message), {
						...contentOf(body),
						auth: false,
					}) as Promise<APIMessage>,
				() => rest.patch(Routes.channelMessage(where.channel, where.message), contentOf(body)) as Promise<APIMessage>,
			),

		/** One that is gone already is as good. */
		async remove(where: RequestRoute): Promise<void> {
			await eitherWay(
				where,
				({ application, token }) =>
					tokenless.delete(Routes.webhookMessage(application, token, where.message), { auth: false }),
				() => rest.delete(Routes.channelMessage(where.channel, where.message)),
			).catch(unlessMissing);
		},

		/** The message as it is; undefined when it is gone or out of reach. */
		async read(where: RequestRoute): Promise<APIMessage | undefined> {
			return eitherWay(
				where,
				({ application, token }) =>
					tokenless.get(Routes.webhookMessage(application, token, where.message), {
						auth: false,
					}) as Promise<APIMessage>,
				() => rest.get(Routes.channelMessage(where.channel, where.message)) as Promise<APIMessage>,
			).catch((error: unknown) => {
				if (!(error instanceof DiscordAPIError) && (where.private || where.message === '@original')) return undefined;
				return unlessMissing(error);
			});
		},

		/** @param message the thread hangs on it; without one it stands for itself, and is of this kind */
		openThread(
			channel: string,
			title: string,
			{ message, kind = 'public' }: { message?: string | undefined; kind?: ThreadKind } = {},
		): Promise<APIThreadChannel> {
			const body = {
				name: clip(title.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim() || 'Thread', MAX_TITLE),
				auto_archive_duration: ThreadAutoArchiveDuration.OneDay,
				...(message === undefined && { ...KINDS[kind] }),
			};
			return rest.post(Routes.threads(channel, message), { body }) as Promise<APIThreadChannel>;
		},

		/** The thread on a message, opened unless there is one. It has the message's own id. */
		async threadOn(channel: string, title: string, message: string): Promise<string> {
			const thread = await this.openThread(channel, title, { message }).catch((error: unknown) => {
				if (error instanceof DiscordAPIError && error.code === RESTJSONErrorCodes.ThreadAlreadyCreatedForMessage)
					return;
				throw error;
			});
			return thread?.id ?? message;
		},

		invite: (thread: string, person: string) => rest.put(Routes.threadMembers(thread, person)),

		/** Only for bots that may manage the server. */
		autoModRules: (server: string, signal: AbortSignal) =>
			rest.get(Routes.guildAutoModerationRules(server), { signal }) as Promise<APIAutoModerationRule[]>,

		/** The direct messages with somebody, opened when there are none yet; undefined when there is nobody of that id. */
		directMessages: (person: string) =>
			rest.post(Routes.userChannels(), { body: { recipient_id: person } }).catch(unlessMissing) as Promise<
				APIDMChannel | undefined
			>,

		/** Undefined when they are not in the server, or the bot is not. */
		member: (server: string, person: string) =>
			rest.get(Routes.guildMember(server, person)).catch(unlessMissing) as Promise<APIGuildMember | undefined>,

		typing: (channel: string) => rest.post(Routes.channelTyping(channel)),

		/** Undefined when it is gone, or the bot may not see it. */
		channel: (id: string) => rest.get(Routes.channel(id)).catch(unlessMissing) as Promise<APIChannel | undefined>,
	};
}

function contentOf({ payload, files }: MessageBody, more: object = {}) {
	if (files.length === 0) return { body: { ...payload, ...more } };
	const body = new Multipart({ ...payload, ...more }, files);
	return { body, headers: body.headers, passThroughBody: true };
}

const nonceOf = (name: string) => createHash('sha256').update(name).digest('base64url').slice(0, NONCE_LENGTH);

/** The token's time is over, or it has died before, as some do: the message itself may be well. */
const isOver = (error: unknown) => error instanceof DiscordAPIError && [401, 404].includes(error.status);

/** Gone, never there, or not to be seen by the bot any more: nothing that could be done with it. */
export const isMissing = (error: unknown) => error instanceof DiscordAPIError && [401, 403, 404].includes(error.status);

function unlessMissing(error: unknown): undefined {
	if (!isMissing(error)) throw error;
}
