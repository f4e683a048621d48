import { hash } from 'node:crypto';
import {
	type APIActionRowComponent,
	type APIChannel,
	type APIComponentInMessageActionRow,
	type APIInteractionResponse,
	type APIMessage,
	ButtonStyle,
	ComponentType,
	DiscordAPIError,
	MessageFlags,
	makeURLSearchParams,
	type REST,
	RESTJSONErrorCodes,
	type RESTPatchAPIWebhookWithTokenMessageJSONBody,
	type RESTPostAPIInteractionCallbackWithResponseResult,
	RequestMethod,
	Routes,
} from 'discord.js';
import { LRUCache } from 'lru-cache';
import type { Button, MessageHandle, Picture, Place, Reply } from '../../../domain/channel.ts';
import { oneLine } from '../../../domain/text.ts';
import { PlatformRefusedError, UploadTooLargeError } from '../../../i18n/translator.ts';
import type { Discord } from '../discord.ts';
import { MAX_MESSAGE_TEXT } from './limits.ts';
import {
	codeOf,
	type DiscordRest,
	ignoreMissing,
	isGone,
	isMissing,
	isTokenRefused,
	isUnknownMessage,
} from './rest.ts';

/** Allows requests about an interaction's own messages, even where the bot has no other access to the channel. */
export type InteractionToken = {
	application: string;
	token: string;
	/** Unix milliseconds, as text: data of message handles are texts. */
	until: string;
	/** The bot is not a member where the interaction comes from, so that it has no other access. */
	onlyAccess?: true;
};

/**
 * The location of a message of the bot, with the token of the interaction that it answers. `@original` stands for the first response to an
 * interaction while its id is unknown.
 */
export type PostLocation = Partial<InteractionToken> & { channel: string; message: string; private?: string };

/** Tells whether only one user sees a message. Discord makes some responses ephemeral by itself. */
export const isEphemeral = ({ flags }: Pick<APIMessage, 'flags'>): boolean =>
	((flags ?? 0) & MessageFlags.Ephemeral) !== 0;

/** The location as `MessageHandle.data`, which `locationOf` reads. */
export const handleData = ({ onlyAccess: _, ...data }: PostLocation): Record<string, string> => data;

/** Returns undefined for a handle that has only place and key. */
export function locationOf({ data = {} }: Pick<MessageHandle, 'data'>): PostLocation | undefined {
	const { channel, message, ...token } = data;
	return channel && message ? { ...token, channel, message } : undefined;
}

/** The address of a message, as `Post.link`. Direct and private messages have none. */
export const linkTo = ({ server, direct }: Place, { channel, message, private: isPrivate }: PostLocation) =>
	isPrivate || direct || message === '@original'
		? undefined
		: `https://discord.com/channels/${server}/${channel}/${message}`;

/** https://docs.discord.com/developers/resources/message#create-message */
const NONCE_LENGTH = 25;

/** How many nonces a post tries, each of which belongs to a message that was deleted within some minutes. */
const MAX_NONCES = 10;

/** How long a thread stays open after an edit that it was opened for: an answer that grows edits its message every second or two. */
const CLOSE_AFTER_MS = 5000;

type Context = Pick<Discord, 'rest' | 'cache' | 'responders'>;

/**
 * Requests about the bot's messages: with the bot's token, or with the token of the interaction that a message answers. Each rejects
 * with the library's `DiscordAPIError`, `HTTPError` or a network error.
 */
export class MessageApi {
	readonly #rest: DiscordRest;
	readonly #context: Context;
	/** The threads that were opened for an edit, and when they are closed again. */
	readonly #opened = new Map<string, NodeJS.Timeout>();
	readonly #refusals = new LRUCache<string, DiscordAPIError>({ max: 1000 });

	constructor(context: Context) {
		this.#rest = context.rest;
		this.#context = context;
	}

	/**
	 * Sends the first response to an interaction.
	 * @returns its message, if it has one, and whether Discord shows it to the user alone
	 */
	async respond(
		interaction: string,
		{ application, token }: Pick<InteractionToken, 'application' | 'token'>,
		response: APIInteractionResponse,
	): Promise<{ message?: APIMessage | undefined; isEphemeral: boolean }> {
		const find = async () => {
			const original = this.#rest.get(Routes.webhookMessage(application, token), { auth: false });
			const message = (await original.catch(() => undefined)) as APIMessage | undefined;
			return message && { resource: { message }, interaction: { response_message_ephemeral: isEphemeral(message) } };
		};
		const sent = await this.#rest.request({
			...{ method: RequestMethod.Post, fullRoute: Routes.interactionCallback(interaction, token), body: response },
			...{ query: new URLSearchParams({ with_response: 'true' }), auth: false, find },
		});
		const { resource, interaction: told } = sent as RESTPostAPIInteractionCallbackWithResponseResult;
		return { message: resource?.message, isEphemeral: told.response_message_ephemeral === true };
	}

	/**
	 * Sends a further message in response to an interaction.
	 * @param after the response before it, or the interaction's id: when Discord's answer is lost, the message is looked for after that
	 * before it is sent again. A private one cannot be found.
	 */
	followUp(via: InteractionToken, body: MessageBody, isPrivate: boolean, after?: PostLocation): Promise<APIMessage> {
		const { application, token } = via;
		const isSent = ({ application_id, content, attachments }: APIMessage) =>
			application_id === application &&
			content === body.payload.content?.trim() &&
			attachments.length === body.files.length;
		const find = async () =>
			isPrivate || !after ? undefined : (await this.list(after.channel, { after: after.message })).find(isSent);
		return this.#withToken(token, {
			...contentOf(body, { flags: flagsOf(isPrivate) }),
			...{ method: RequestMethod.Post, fullRoute: Routes.webhook(application, token) },
			...{ query: new URLSearchParams({ wait: 'true' }), find },
		}) as Promise<APIMessage>;
	}

	/** Returns messages of a channel, newest first; none where the bot may not read them. */
	async list(channel: string, range: object, signal?: AbortSignal): Promise<APIMessage[]> {
		const query = makeURLSearchParams(range);
		const listed = this.#rest.get(Routes.channelMessages(channel), { query, ...(signal && { signal }) });
		return ((await listed.catch(ignoreMissing)) ?? []) as APIMessage[];
	}

	/** Returns the message that a thread begins with, and the last ones before a message, oldest first; none that the bot may not read. */
	async before(place: Place, message: string, count: number, signal: AbortSignal): Promise<APIMessage[]> {
		const { channel, thread = channel } = place;
		// The first message has the thread's id: it is in a forum's post itself, else in the channel where the thread was started from it.
		const places = place.thread === undefined ? [] : [thread, channel];
		const reading = places.map((where) =>
			this.#rest.get(Routes.channelMessage(where, thread), { signal }).catch(() => undefined),
		);
		const last = await this.list(thread, { before: message, limit: count }, signal);
		const first = (await Promise.all(reading)).find(Boolean) as APIMessage | undefined;
		if (!first || first.id === message || last.some(({ id }) => id === first.id)) return last.toReversed();
		return [first, ...last.slice(0, count - 1).toReversed()];
	}

	/**
	 * Posts as the bot.
	 * @throws UploadTooLargeError when a file is larger than the bot can post there: an interaction's limit may be higher
	 * @param key a second post with the same key within some minutes returns the first message, so that a lost answer makes no duplicate
	 */
	async post(channel: string, body: MessageBody, key: string): Promise<APIMessage> {
		this.#checkSize(channel, body);
		for (let attempt = 1; ; attempt++) {
			try {
				const nonce = nonceOf(key, channel, attempt);
				return (await this.#rest.post(
					Routes.channelMessages(channel),
					contentOf(body, { nonce, enforce_nonce: true }),
				)) as APIMessage;
			} catch (error) {
				// The message with this nonce is deleted. A retry after a lost answer goes through the same nonces, so that it finds its
				// message. https://github.com/discord/discord-api-docs/pull/6647
				if (!isUnknownMessage(error) || attempt === MAX_NONCES) throw error;
			}
		}
	}

	/** @throws UploadTooLargeError as `post` does, where the message is edited as the bot */
	edit(location: PostLocation, body: MessageBody): Promise<APIMessage> {
		const request = () => this.#request(location, RequestMethod.Patch, body) as Promise<APIMessage>;
		return this.#inOpenThread(location.channel, request);
	}

	/** Resolves also when the message is already gone, but not when the bot has lost access to it: others still see it. */
	async delete(location: PostLocation): Promise<void> {
		const request = () => this.#request(location, RequestMethod.Delete);
		await this.#inOpenThread(location.channel, request).catch((error) => {
			if (!isGone(error)) throw error;
		});
	}

	/** Returns undefined when the message is gone, or `hidden` when the bot has lost access to it. */
	async read(location: PostLocation): Promise<APIMessage | 'hidden' | undefined> {
		try {
			return (await this.#request(location, RequestMethod.Get)) as APIMessage;
		} catch (error) {
			if (isGone(error) || (!(error instanceof DiscordAPIError) && !canBotReach(location))) return undefined;
			if (isMissing(error)) return 'hidden';
			throw error;
		}
	}

	/**
	 * Makes a request, for which a closed thread is opened, and closed again.
	 * https://docs.discord.com/developers/topics/threads#active--archived-threads
	 */
	async #inOpenThread<Result>(thread: string, request: () => Promise<Result>): Promise<Result> {
		// It stays open while an answer grows in it.
		this.#opened.get(thread)?.refresh();
		try {
			return await request();
		} catch (error) {
			if (codeOf(error) !== RESTJSONErrorCodes.InvalidActionOnArchivedThread) throw error;
			await openThread(this.#rest, thread);
			clearTimeout(this.#opened.get(thread));
			// Discord allows it where the bot has started the thread, or manages threads.
			const close = () => {
				this.#opened.delete(thread);
				void this.#rest.patch(Routes.channel(thread), { body: { archived: true } }).catch(() => {});
			};
			this.#opened.set(thread, setTimeout(close, CLOSE_AFTER_MS).unref());
			return request();
		}
	}

	/** Sends with the interaction's token while it is valid, else as the bot. A private message is reached by the former alone. */
	async #request(location: PostLocation, method: RequestMethod, body?: MessageBody): Promise<unknown> {
		const content = body ? contentOf(body) : {};
		const { channel, message, application, token } = location;
		const hasFallback = canBotReach(location);
		if (application && token && (Date.now() < Number(location.until) || !hasFallback)) {
			try {
				return await this.#withToken(token, {
					...content,
					method,
					fullRoute: Routes.webhookMessage(application, token, message),
				});
			} catch (error) {
				// A token may also expire before its 15 minutes are over. The message itself may still exist.
				if (!hasFallback || !isGone(error)) throw error;
			}
		}
		if (!hasFallback) throw new Error('The message cannot be reached without the token of its interaction');
		if (body) this.#checkSize(channel, body);
		return this.#rest.request({ ...content, method, fullRoute: Routes.channelMessage(channel, message) });
	}

	/**
	 * Uses a token until Discord refuses it: refused requests count towards a limit. The private message of a pressed button is accessible
	 * only once its interaction is acknowledged.
	 */
	async #withToken(token: string, request: Parameters<DiscordRest['request']>[0]): Promise<unknown> {
		if (this.#refusals.has(token)) throw this.#refusals.get(token);
		await this.#context.responders.get(token)?.acknowledge();
		try {
			return await this.#rest.request({ ...request, auth: false });
		} catch (error) {
			if (isTokenRefused(error)) this.#refusals.set(token, error as DiscordAPIError);
			throw error;
		}
	}

	#checkSize(channel: string, { files }: MessageBody): void {
		const limits = this.#context.cache.limitsAt(channel);
		if (files.every(({ bytes }) => bytes.length <= limits.pictureBytes)) return;
		throw new UploadTooLargeError('discord.errors.uploadSize', { where: `<#${channel}>` }, { limits });
	}
}

const canBotReach = ({ private: isPrivate, message, onlyAccess }: PostLocation) =>
	!isPrivate && !onlyAccess && message !== '@original';

const contentOf = ({ payload, files }: MessageBody, more: object = {}) => ({
	body: { ...payload, ...more },
	files: files.map(({ name, bytes }) => ({ name, data: bytes })),
});

const nonceOf = (...parts: (string | number)[]) =>
	hash('sha256', JSON.stringify(parts), 'base64url').slice(0, NONCE_LENGTH);

/** Returns undefined when the channel is gone, or when the bot has no access to it. */
export const getChannel = (rest: REST, id: string) =>
	rest.get(Routes.channel(id)).catch(ignoreMissing) as Promise<APIChannel | undefined>;

/**
 * Opens a closed thread.
 * @throws PlatformRefusedError when it is locked; for other reasons, Discord's error
 */
async function openThread(rest: REST, thread: string): Promise<void> {
	try {
		await rest.patch(Routes.channel(thread), { body: { archived: false } });
	} catch (cause) {
		// Only who manages threads can open a locked one; Discord's answer does not tell it from one where the bot may not write.
		const isForbidden = codeOf(cause) === RESTJSONErrorCodes.MissingPermissions;
		const channel = isForbidden ? await getChannel(rest, thread) : undefined;
		if (!channel || !isLocked(channel)) throw cause;
		throw new PlatformRefusedError('discord.errors.lockedThread', { where: `<#${thread}>` }, { cause });
	}
}

export const isLocked = (channel: APIChannel): boolean =>
	'thread_metadata' in channel && channel.thread_metadata?.locked === true;

/** https://docs.discord.com/developers/resources/message#attachment-object */
const MAX_ALT_TEXT = 1024;

/** https://docs.discord.com/developers/components/reference#action-row and #button */
const MAX_BUTTONS_PER_ROW = 5;
const MAX_BUTTON_LABEL = 80;

export type File = { name: string; bytes: Uint8Array };

/** The JSON of a message, to post or to edit it, and its files. */
export type MessageBody = { payload: RESTPatchAPIWebhookWithTokenMessageJSONBody; files: readonly File[] };

/** @throws RangeError when the text is too long */
export function messageBodyOf({ text: words, notify, pictures, files = [], buttons = [] }: Reply): MessageBody {
	const text = notify === undefined ? words : `<@${notify}> ${words}`;
	if (text.length > MAX_MESSAGE_TEXT)
		throw new RangeError(`A message has at most ${MAX_MESSAGE_TEXT} characters; this one has ${text.length}`);
	const all: (File & Partial<Pick<Picture, 'alt' | 'spoiler'>>)[] = [...(pictures ?? []), ...files];
	const replacesFiles = pictures !== undefined || files.length > 0;
	return {
		payload: {
			content: text.toWellFormed(),
			components: rowsOf(buttons),
			allowed_mentions: { parse: [], ...(notify !== undefined && { users: [notify] }) },
			flags: MessageFlags.SuppressEmbeds,
			// An edit removes the files that are not listed; without a list, all are kept.
			...(replacesFiles && {
				attachments: all.map((file, id) => ({
					id: String(id),
					filename: file.name,
					...(file.alt && { description: oneLine(file.alt, MAX_ALT_TEXT) }),
					// https://docs.discord.com/developers/change-log, 24 June 2026; discord-api-types, RESTAPIAttachment
					...(file.spoiler && { is_spoiler: true }),
				})),
			}),
		},
		files: all,
	};
}

/**
 * Returns the edit that gives the pictures of a message other alt texts. All attachments are listed by their ids, so that they stay.
 * https://docs.discord.com/developers/resources/message#attachment-object-attachment-request-structure
 */
export function describedBody({ attachments }: APIMessage, alts: readonly string[]): MessageBody {
	const left = [...alts];
	const described = attachments.map(({ id, content_type = '' }) => {
		const alt = content_type.startsWith('image/') ? left.shift() : undefined;
		return { id, ...(alt && { description: oneLine(alt, MAX_ALT_TEXT) }) };
	});
	return { payload: { attachments: described }, files: [] };
}

function rowsOf(buttons: readonly Button[]): APIActionRowComponent<APIComponentInMessageActionRow>[] {
	const rows = Map.groupBy(buttons, (_, index) => Math.floor(index / MAX_BUTTONS_PER_ROW));
	return [...rows.values()].map((row) => ({ type: ComponentType.ActionRow, components: row.map(buttonOf) }));
}

function buttonOf({ id, label, kind }: Button): APIComponentInMessageActionRow {
	return {
		type: ComponentType.Button,
		style: kind === 'danger' ? ButtonStyle.Danger : ButtonStyle.Secondary,
		custom_id: id,
		label: oneLine(label, MAX_BUTTON_LABEL),
	};
}

/**
 * The flags of a new message. Links in it have no previews; pictures are files, which the flag does not hide. Edits leave the flags as they
 * are, but for a deferred response, which gets the flag of previews with its message.
 * https://docs.discord.com/developers/resources/message#message-object-message-flags
 */
export const flagsOf = (isPrivate: boolean) =>
	isPrivate ? MessageFlags.SuppressEmbeds | MessageFlags.Ephemeral : MessageFlags.SuppressEmbeds;
