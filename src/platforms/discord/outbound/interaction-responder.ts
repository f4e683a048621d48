import {
	type APIInteraction,
	type APIInteractionResponse,
	type APIMessage,
	type APIModalInteractionResponseCallbackData,
	InteractionResponseType,
	MessageFlags,
	RESTJSONErrorCodes,
} from 'discord.js';
import type { ChannelLimits, Place } from '../../../domain/channel.ts';
import { TOKEN_MS } from '../api/limits.ts';
import {
	flagsOf,
	type InteractionToken,
	isEphemeral,
	type MessageBody,
	messageBodyOf,
	type PostLocation,
} from '../api/message-api.ts';
import { codeOf, isAcknowledged, isGone } from '../api/rest.ts';
import type { Discord } from '../discord.ts';

/** Discord waits 3 s for the first response. https://docs.discord.com/developers/interactions/receiving-and-responding */
const DEFER_AFTER_MS = 2000;

/**
 * `pending`: Discord waits for a response. `deferred`: a response was promised, and the channel shows that. `responded`: every further
 * message is a follow-up.
 */
type State = 'pending' | 'deferred' | 'responded';

/**
 * Responds to one interaction: with the first message when it comes soon enough, else with a deferral that the message replaces later.
 * Further messages are follow-ups. Responses are sent one after another, since each depends on the state that the one before leaves.
 */
export class InteractionResponder {
	readonly interaction: APIInteraction;
	readonly token: InteractionToken;
	readonly #discord: Discord;
	readonly #deferral: NodeJS.Timeout;
	#state: State = 'pending';
	#isDeferralPrivate = false;
	#queue: Promise<unknown> = Promise.resolve();
	/** The id of the last response, or of the interaction: later ids are higher. */
	#latest: string;

	constructor(interaction: APIInteraction, isBotAbsent: boolean, discord: Discord) {
		const { id, application_id: application, token } = interaction;
		this.interaction = interaction;
		this.token = { application, token, until: String(Date.now() + TOKEN_MS), ...(isBotAbsent && { onlyAccess: true }) };
		this.#discord = discord;
		this.#latest = id;
		this.#deferral = setTimeout(() => this.#deferInTime(), discord.deferAfterMs ?? DEFER_AFTER_MS).unref();
	}

	/** Returns where the next message will be, if it becomes the original response. */
	nextOriginal(isPrivate: boolean): PostLocation | undefined {
		const isNext = this.#state === 'pending' || (this.#state === 'deferred' && this.#canReplaceDeferral(isPrivate));
		return isNext ? this.#locationOf('@original', isPrivate) : undefined;
	}

	/** Sends a message. Returns undefined, with nothing sent, when the token is no longer valid. */
	send(body: MessageBody, isPrivate: boolean): Promise<PostLocation | undefined> {
		return this.#enqueue(() => this.#send(body, isPrivate));
	}

	/** Opens a modal. Only possible as the first response. */
	showModal(data: APIModalInteractionResponseCallbackData): Promise<void> {
		return this.#enqueue(async () => {
			if (this.#state !== 'pending') throw new Error('A modal can only be the first response');
			await this.#respond({ type: InteractionResponseType.Modal, data }, 'responded');
		});
	}

	/** Acknowledges an interaction that comes from a message, without showing anything, unless there was a response. */
	async acknowledge(): Promise<void> {
		if (this.#state === 'pending') await this.#enqueue(() => this.#acknowledge());
	}

	/** Ends the interaction: no response follows, and a deferral without one is removed. Never rejects. */
	async end(): Promise<void> {
		clearTimeout(this.#deferral);
		await this.#enqueue(async () => {
			await this.#acknowledge();
			if (this.#state === 'deferred') await this.#discord.messages.delete(this.#locationOf('@original', false));
		}).catch((error) => this.#warn(error, 'An interaction is left without a response'));
	}

	async #deferInTime(): Promise<void> {
		await this.#enqueue(async () => {
			await this.#acknowledge();
			if (this.#state === 'pending') await this.#defer(false);
		}).catch((error) => this.#warn(error, 'An interaction could not be deferred'));
	}

	async #acknowledge(): Promise<void> {
		if (this.#state === 'pending' && this.interaction.message)
			await this.#respond({ type: InteractionResponseType.DeferredMessageUpdate }, 'responded');
	}

	async #defer(isPrivate: boolean): Promise<void> {
		const data = isPrivate ? { flags: MessageFlags.Ephemeral } : {};
		const type = InteractionResponseType.DeferredChannelMessageWithSource;
		const response = await this.#respond({ type, data }, 'deferred');
		this.#isDeferralPrivate = isPrivate || response?.isEphemeral === true;
	}

	async #send(body: MessageBody, isPrivate: boolean): Promise<PostLocation | undefined> {
		if (Date.now() >= Number(this.token.until)) return undefined;
		try {
			const sent = (await this.#sendFirst(body, isPrivate)) ?? (await this.#followUp(body, isPrivate));
			if (sent) this.#latest = sent.message;
			return sent;
		} catch (error) {
			if (!isGone(error)) throw error;
			this.#warn(error, 'The token of an interaction has expired early');
			return undefined;
		}
	}

	/** Sends a message as the first response, or replaces the deferral by it. Returns undefined when there is another first response. */
	async #sendFirst(body: MessageBody, isPrivate: boolean): Promise<PostLocation | undefined> {
		if (this.#state === 'pending') {
			if (body.files.length === 0) return this.#respondWithMessage(body, isPrivate);
			// An upload may take longer than Discord waits for a response.
			await this.#defer(isPrivate);
		}
		return this.#state === 'deferred' ? this.#replaceDeferral(body, isPrivate) : undefined;
	}

	async #followUp(body: MessageBody, isPrivate: boolean): Promise<PostLocation> {
		const after = this.token.onlyAccess ? undefined : this.#locationOf(this.#latest, isPrivate);
		return this.#locate(await this.#discord.messages.followUp(this.token, body, isPrivate, after));
	}

	async #respondWithMessage(body: MessageBody, isPrivate: boolean): Promise<PostLocation | undefined> {
		const data = { ...body.payload, flags: flagsOf(isPrivate) } as { content: string };
		const type = InteractionResponseType.ChannelMessageWithSource;
		const response = await this.#respond({ type, data }, 'responded');
		return response?.message && this.#locate(response.message);
	}

	async #replaceDeferral(body: MessageBody, isPrivate: boolean): Promise<PostLocation> {
		const { messages } = this.#discord;
		this.#state = 'responded';
		const original = this.#locationOf('@original', this.#isDeferralPrivate);
		if (this.#canReplaceDeferral(isPrivate)) return this.#locate(await messages.edit(original, body));
		// The deferral is public and the message private. The first follow-up after a deferral would replace it, publicly; so the
		// deferral becomes a message of its own, which is deleted afterwards.
		await messages.edit(original, messageBodyOf({ text: '…' }));
		const sent = await messages.followUp(this.token, body, isPrivate);
		await messages.delete(original);
		return this.#locate(sent);
	}

	/** A private deferral is replaced by any message: a public one would have been made private by Discord as well. */
	#canReplaceDeferral(isPrivate: boolean): boolean {
		return this.#isDeferralPrivate || !isPrivate;
	}

	/** Sends the first response. Returns undefined when it came too late. */
	async #respond(response: APIInteractionResponse, next: State) {
		try {
			const result = await this.#discord.messages.respond(this.interaction.id, this.token, response);
			this.#state = next;
			return result;
		} catch (error) {
			// It was delivered twice, and the other delivery was handled first; or this comes too late.
			if (!isAcknowledged(error) && codeOf(error) !== RESTJSONErrorCodes.UnknownInteraction) throw error;
			this.#state = 'responded';
			this.#warn(error, 'An interaction could not be responded to in time');
			return undefined;
		}
	}

	#locationOf(message: string, isPrivate: boolean): PostLocation {
		const { id = '' } = this.interaction.channel ?? {};
		return { channel: id, message, ...this.token, ...(isPrivate && { private: 'yes' }) };
	}

	#locate(sent: APIMessage): PostLocation {
		return this.#locationOf(sent.id, isEphemeral(sent));
	}

	#enqueue<Result>(task: () => Promise<Result>): Promise<Result> {
		const result = this.#queue.then(task);
		this.#queue = result.catch(() => {});
		return result;
	}

	#warn(error: unknown, message: string): void {
		this.#discord.log.warn({ err: error, interaction: this.interaction.id }, message);
	}
}

/** Where a request is answered. */
export type Destination = {
	place: Place;
	/** Of the interaction that asks. Its token is tried first; only with it can a message be private. */
	responder?: InteractionResponder | undefined;
	/** The id of the user's message that asks: a thread starts from it. */
	message?: string | undefined;
	/** Those of the interaction, else of what the bot posts by itself. */
	limits?: ChannelLimits;
};
