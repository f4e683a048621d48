import {
	type APIInteractionResponse,
	DiscordAPIError,
	InteractionResponseType,
	MessageFlags,
	RESTJSONErrorCodes,
} from 'discord.js';
import type { Log } from '../../../log.ts';
import type { MessageApi } from '../api/message-api.ts';
import { type DiscordMessageLocation, type InteractionToken, isEphemeral } from '../api/message-location.ts';
import { flagsOf, type MessageBody, messageBodyOf } from '../api/reply-body.ts';

type ModalResponse = Extract<APIInteractionResponse, { type: InteractionResponseType.Modal }>;

/** An interaction that waits for its first response. */
export type PendingInteraction = {
	id: string;
	token: InteractionToken;
	/** Its channel's id. */
	channel: string;
	/** It comes from a message, so that it can be acknowledged without showing a response. */
	isFromMessage: boolean;
};

/**
 * `pending`: Discord waits for a response. `deferred`: a response was promised, and the channel shows that. `responded`: every further
 * message is a follow-up. `expired`: the token is no longer valid.
 */
type State = 'pending' | 'deferred' | 'responded' | 'expired';

/**
 * The first response to an interaction: a message, a deferral that a message replaces later, a modal, or an acknowledgement.
 * Its methods must not run at the same time, since each depends on the state that the one before leaves.
 */
export class FirstResponse {
	readonly #interaction: PendingInteraction;
	readonly #api: MessageApi;
	readonly #log: Log;
	#state: State = 'pending';
	#isDeferralPrivate = false;

	constructor(interaction: PendingInteraction, api: MessageApi, log: Log) {
		this.#interaction = interaction;
		this.#api = api;
		this.#log = log;
	}

	get state(): State {
		return this.#state;
	}

	/** Tells whether a message would become the original response, `@original`. */
	isOpenTo(isPrivate: boolean): boolean {
		return this.#state === 'pending' || (this.#state === 'deferred' && this.#canReplaceDeferral(isPrivate));
	}

	/** Sends a message, or replaces the deferral by it. Returns undefined when there is another first response. */
	async send(body: MessageBody, isPrivate: boolean): Promise<DiscordMessageLocation | undefined> {
		if (this.#state === 'pending') {
			if (body.files.length === 0) return this.#respondWithMessage(body, isPrivate);
			// An upload may take longer than Discord waits for a response.
			await this.defer(isPrivate);
		}
		return this.#state === 'deferred' ? this.#replaceDeferral(body, isPrivate) : undefined;
	}

	async showModal(data: ModalResponse['data']): Promise<void> {
		if (this.#state !== 'pending') throw new Error('A modal can only be the first response');
		await this.#respond({ type: InteractionResponseType.Modal, data }, 'responded');
	}

	/** Acknowledges an interaction that comes from a message, unless there was a response. */
	async acknowledge(): Promise<void> {
		if (this.#state === 'pending' && this.#interaction.isFromMessage)
			await this.#respond({ type: InteractionResponseType.DeferredMessageUpdate }, 'responded');
	}

	async defer(isPrivate: boolean): Promise<void> {
		const data = isPrivate ? { flags: MessageFlags.Ephemeral } : {};
		const type = InteractionResponseType.DeferredChannelMessageWithSource;
		const response = await this.#respond({ type, data }, 'deferred');
		this.#isDeferralPrivate = isPrivate || response?.isEphemeral === true;
	}

	/** Removes a deferral that no message has replaced. */
	async removeDeferral(): Promise<void> {
		if (this.#state === 'deferred') await this.#api.delete(this.#locationOf('@original', false));
	}

	/** Notes that the token is no longer valid. */
	expire(): void {
		this.#state = 'expired';
	}

	async #respondWithMessage(body: MessageBody, isPrivate: boolean): Promise<DiscordMessageLocation | undefined> {
		const data = { ...body.payload, flags: flagsOf(isPrivate) } as { content: string };
		const type = InteractionResponseType.ChannelMessageWithSource;
		const sent = (await this.#respond({ type, data }, 'responded'))?.message;
		return sent && this.#locationOf(sent.id, isEphemeral(sent));
	}

	async #replaceDeferral(body: MessageBody, isPrivate: boolean): Promise<DiscordMessageLocation> {
		this.#state = 'responded';
		const original = this.#locationOf('@original', this.#isDeferralPrivate);
		if (this.#canReplaceDeferral(isPrivate))
			return this.#locationOf((await this.#api.edit(original, body)).id, this.#isDeferralPrivate);
		// The deferral is public and the message private. The first follow-up after a deferral would replace it, publicly; so the
		// deferral becomes a message of its own, which is deleted afterwards.
		await this.#api.edit(original, messageBodyOf({ text: '…' }));
		const sent = await this.#api.followUp(this.#interaction.token, body, isPrivate);
		await this.#api.delete(original);
		return this.#locationOf(sent.id, isEphemeral(sent));
	}

	/** A private deferral is replaced by any message: a public one would have been made private by Discord as well. */
	#canReplaceDeferral(isPrivate: boolean): boolean {
		return this.#isDeferralPrivate || !isPrivate;
	}

	/** Returns undefined when the response came too late. */
	async #respond(response: APIInteractionResponse, next: State) {
		const { id, token } = this.#interaction;
		try {
			const result = await this.#api.respond(id, token, response);
			this.#state = next;
			return result;
		} catch (error) {
			const code = error instanceof DiscordAPIError ? error.code : undefined;
			// The interaction was delivered twice, and the other delivery was handled first.
			if (code === RESTJSONErrorCodes.InteractionHasAlreadyBeenAcknowledged) this.#state = 'responded';
			else if (code === RESTJSONErrorCodes.UnknownInteraction) this.#state = 'expired';
			else throw error;
			this.#log.warn({ err: error, interaction: id }, 'An interaction could not be responded to in time');
			return undefined;
		}
	}

	#locationOf(message: string, isPrivate: boolean): DiscordMessageLocation {
		const { channel, token } = this.#interaction;
		return { channel, message, via: token, ...(isPrivate && { private: true }) };
	}
}
