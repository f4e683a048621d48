import {
	type APIInteraction,
	type APIInteractionResponse,
	type APIMessage,
	ApplicationIntegrationType,
	DiscordAPIError,
	InteractionContextType,
	InteractionResponseType,
	RESTJSONErrorCodes,
} from 'discord.js';
import type { Log } from '../../../log.ts';
import { DEFER_AFTER_MS, TOKEN_MS } from '../api/limits.ts';
import type { MessageApi } from '../api/message-api.ts';
import type { InteractionToken, MessageLocation } from '../api/message-location.ts';
import { flagsOf, type MessageBody, messageBodyOf } from '../api/reply-body.ts';

type ModalResponse = Extract<APIInteractionResponse, { type: InteractionResponseType.Modal }>;

/**
 * `pending`: Discord waits for a response. `deferred`: a response was promised, and the channel shows that. `responded`: every further
 * message is a follow-up. `expired`: the token is no longer valid.
 */
type State = 'pending' | 'deferred' | 'responded' | 'expired';

/**
 * Responds to one interaction: with the first message when it comes soon enough, else with a deferral that the message replaces later.
 * Responses are sent one after another, since what the second is depends on the result of the first.
 */
export class InteractionResponder {
	readonly token: InteractionToken;
	/** The id of the user who caused the interaction. */
	readonly requester: string | undefined;
	/** The user has installed the bot, the server has not: the bot can send a few responses and nothing else. */
	readonly isUserInstall: boolean;

	readonly #api: MessageApi;
	readonly #log: Log;
	readonly #interaction: string;
	readonly #channel: string;
	/** The interaction comes from a message, so that it can be acknowledged without showing a response. */
	readonly #isFromMessage: boolean;
	readonly #deferral: NodeJS.Timeout;
	#state: State = 'pending';
	#isDeferralPrivate = false;
	#queue: Promise<unknown> = Promise.resolve();

	/** @param deferAfterMs milliseconds until the response is deferred */
	constructor(interaction: APIInteraction, api: MessageApi, log: Log, deferAfterMs = DEFER_AFTER_MS) {
		const { id, application_id: application, token, message, channel, member, user } = interaction;
		this.token = { application, token, until: Date.now() + TOKEN_MS };
		this.requester = member?.user.id ?? user?.id;
		this.isUserInstall = isUserInstall(interaction);
		this.#api = api;
		this.#log = log;
		this.#interaction = id;
		this.#channel = channel?.id ?? '';
		this.#isFromMessage = message !== undefined;
		this.#deferral = setTimeout(() => this.#deferInTime(), deferAfterMs).unref();
	}

	/** Tells whether the next message becomes the original response, `@original`. */
	isNextOriginal(isPrivate: boolean): boolean {
		return this.#state === 'pending' || (this.#state === 'deferred' && isPrivate === this.#isDeferralPrivate);
	}

	/** Sends a message. Returns undefined, with nothing sent, when the token is no longer valid. */
	send(body: MessageBody, isPrivate: boolean): Promise<MessageLocation | undefined> {
		return this.#enqueue(() => this.#send(body, isPrivate));
	}

	/** Opens a modal. Only possible as the first response. */
	showModal(data: ModalResponse['data']): Promise<void> {
		return this.#enqueue(async () => {
			if (this.#state !== 'pending') throw new Error('A modal can only be the first response');
			await this.#respond({ type: InteractionResponseType.Modal, data }, 'responded');
		});
	}

	/** Acknowledges an interaction that comes from a message, without showing anything, unless there was a response. */
	acknowledge(): Promise<void> {
		return this.#enqueue(() => this.#acknowledge());
	}

	/** Ends the interaction: no response follows, and a deferral without one is removed. Never rejects. */
	async end(): Promise<void> {
		clearTimeout(this.#deferral);
		try {
			await this.#enqueue(async () => {
				await this.#acknowledge();
				if (this.#state === 'deferred') await this.#api.delete(this.#locationOf('@original', false));
			});
		} catch (error) {
			this.#log.warn({ err: error, interaction: this.#interaction }, 'An interaction is left without a response');
		}
	}

	#enqueue<Result>(task: () => Promise<Result>): Promise<Result> {
		const result = this.#queue.then(task);
		this.#queue = result.catch(() => {});
		return result;
	}

	async #deferInTime(): Promise<void> {
		try {
			await this.#enqueue(async () => {
				if (this.#isFromMessage) await this.#acknowledge();
				else if (this.#state === 'pending') await this.#defer(false);
			});
		} catch (error) {
			this.#log.warn({ err: error, interaction: this.#interaction }, 'An interaction could not be deferred');
		}
	}

	async #send(body: MessageBody, isPrivate: boolean): Promise<MessageLocation | undefined> {
		if (Date.now() >= this.token.until) return undefined;
		try {
			const isFirst = this.#state === 'pending' || this.#state === 'deferred';
			const first = isFirst ? await this.#sendFirst(body, isPrivate) : undefined;
			if (first || this.#state === 'expired') return first;
			return this.#locationOf((await this.#api.followUp(this.token, body, isPrivate)).id, isPrivate);
		} catch (error) {
			if (!(error instanceof DiscordAPIError && [401, 404].includes(error.status))) throw error;
			this.#log.warn({ err: error, interaction: this.#interaction }, 'The token of an interaction has expired early');
			this.#state = 'expired';
			return undefined;
		}
	}

	/** Returns undefined when another response was first after all. */
	async #sendFirst(body: MessageBody, isPrivate: boolean): Promise<MessageLocation | undefined> {
		if (this.#state === 'pending') {
			if (body.files.length === 0) return this.#respondWithMessage(body, isPrivate);
			// An upload may take longer than Discord waits for a response.
			await this.#defer(isPrivate);
		}
		return this.#state === 'deferred' ? this.#replaceDeferral(body, isPrivate) : undefined;
	}

	async #respondWithMessage(body: MessageBody, isPrivate: boolean): Promise<MessageLocation | undefined> {
		const data = { ...body.payload, ...flagsOf(isPrivate) } as { content: string };
		const sent = await this.#respond({ type: InteractionResponseType.ChannelMessageWithSource, data }, 'responded');
		if (sent) return this.#locationOf(sent.id, isPrivate);
		if (this.#state !== 'responded') return undefined;
		// It may have been this very response, which Discord had accepted although it returned an error.
		const existing = await this.#api.read(this.#locationOf('@original', isPrivate));
		return existing?.content === data.content.trim() ? this.#locationOf(existing.id, isPrivate) : undefined;
	}

	async #replaceDeferral(body: MessageBody, isPrivate: boolean): Promise<MessageLocation> {
		this.#state = 'responded';
		const original = this.#locationOf('@original', this.#isDeferralPrivate);
		if (isPrivate === this.#isDeferralPrivate)
			return this.#locationOf((await this.#api.edit(original, body)).id, isPrivate);
		// The deferral is public and the message private. The first follow-up after a deferral would replace it, publicly; so the
		// deferral becomes a message of its own, which is deleted afterwards.
		await this.#api.edit(original, messageBodyOf({ text: '…' }));
		const { id } = await this.#api.followUp(this.token, body, isPrivate);
		await this.#api.delete(original);
		return this.#locationOf(id, isPrivate);
	}

	async #acknowledge(): Promise<void> {
		if (this.#state === 'pending' && this.#isFromMessage)
			await this.#respond({ type: InteractionResponseType.DeferredMessageUpdate }, 'responded');
	}

	async #defer(isPrivate: boolean): Promise<void> {
		this.#isDeferralPrivate = isPrivate;
		const data = flagsOf(isPrivate);
		await this.#respond({ type: InteractionResponseType.DeferredChannelMessageWithSource, data }, 'deferred');
	}

	/** Returns the response's message, if it has one, or undefined when the response came too late. */
	async #respond(response: APIInteractionResponse, next: State): Promise<APIMessage | undefined> {
		try {
			const message = await this.#api.respond(this.#interaction, this.token, response);
			this.#state = next;
			return message;
		} catch (error) {
			const code = error instanceof DiscordAPIError ? error.code : undefined;
			// The interaction was delivered twice, and the other delivery was handled first.
			if (code === RESTJSONErrorCodes.InteractionHasAlreadyBeenAcknowledged) this.#state = 'responded';
			else if (code === RESTJSONErrorCodes.UnknownInteraction) this.#state = 'expired';
			else throw error;
			this.#log.warn(
				{ err: error, interaction: this.#interaction },
				'An interaction could not be responded to in time',
			);
			return undefined;
		}
	}

	#locationOf(message: string, isPrivate: boolean): MessageLocation {
		return { channel: this.#channel, message, via: this.token, ...(isPrivate && { private: true }) };
	}
}

/** The bot is not a member of the place: a server that has not installed it, or direct messages between other people. */
const isUserInstall = ({ guild_id: server, context, authorizing_integration_owners: owners }: APIInteraction) =>
	server === undefined
		? context === InteractionContextType.PrivateChannel
		: owners[ApplicationIntegrationType.GuildInstall] !== server;
