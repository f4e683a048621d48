import { type APIInteraction, DiscordAPIError } from 'discord.js';
import type { Log } from '../../../log.ts';
import { DEFER_AFTER_MS, TOKEN_MS } from '../api/limits.ts';
import type { MessageApi } from '../api/message-api.ts';
import { type DiscordMessageLocation, type InteractionToken, isEphemeral } from '../api/message-location.ts';
import type { MessageBody } from '../api/reply-body.ts';
import { FirstResponse, type PendingInteraction } from './first-response.ts';

/**
 * Responds to one interaction: with the first message when it comes soon enough, else with a deferral that the message replaces later.
 * Responses are sent one after another, since what the second is depends on the result of the first.
 */
export class InteractionResponder {
	/** The id of the user who caused the interaction. */
	readonly requester: string | undefined;
	/** The bot is not a member where the interaction comes from: it can send responses and nothing else. */
	readonly isBotAbsent: boolean;

	readonly #interaction: PendingInteraction;
	readonly #api: MessageApi;
	readonly #log: Log;
	readonly #first: FirstResponse;
	readonly #deferral: NodeJS.Timeout;
	#queue: Promise<unknown> = Promise.resolve();
	/** The id of the last public response, or of the interaction: later ids are higher. */
	#latest: string;

	/** @param options.deferAfterMs milliseconds until the response is deferred */
	constructor(
		interaction: APIInteraction,
		isBotAbsent: boolean,
		{
			messages,
			log,
			deferAfterMs = DEFER_AFTER_MS,
		}: { messages: MessageApi; log: Log; deferAfterMs?: number | undefined },
	) {
		const { id, application_id: application, token, message, channel, member, user } = interaction;
		this.requester = member?.user.id ?? user?.id;
		this.isBotAbsent = isBotAbsent;
		this.#interaction = {
			id,
			token: { application, token, until: Date.now() + TOKEN_MS, ...(isBotAbsent && { onlyAccess: true }) },
			channel: channel?.id ?? '',
			isFromMessage: message !== undefined,
		};
		this.#api = messages;
		this.#log = log;
		this.#latest = id;
		this.#first = new FirstResponse(this.#interaction, messages, log);
		this.#deferral = setTimeout(() => this.#deferInTime(), deferAfterMs).unref();
	}

	/** The id of the interaction. */
	get id(): string {
		return this.#interaction.id;
	}

	get token(): InteractionToken {
		return this.#interaction.token;
	}

	/** Tells whether the next message becomes the original response, `@original`. */
	isNextOriginal(isPrivate: boolean): boolean {
		return this.#first.isOpenTo(isPrivate);
	}

	/** Sends a message. Returns undefined, with nothing sent, when the token is no longer valid. */
	send(body: MessageBody, isPrivate: boolean): Promise<DiscordMessageLocation | undefined> {
		return this.#enqueue(() => this.#send(body, isPrivate));
	}

	/** Opens a modal. Only possible as the first response. */
	showModal(data: Parameters<FirstResponse['showModal']>[0]): Promise<void> {
		return this.#enqueue(() => this.#first.showModal(data));
	}

	/** Acknowledges an interaction that comes from a message, without showing anything, unless there was a response. */
	acknowledge(): Promise<void> {
		return this.#enqueue(() => this.#first.acknowledge());
	}

	/** Ends the interaction: no response follows, and a deferral without one is removed. Never rejects. */
	async end(): Promise<void> {
		clearTimeout(this.#deferral);
		try {
			await this.#enqueue(async () => {
				await this.#first.acknowledge();
				await this.#first.removeDeferral();
			});
		} catch (error) {
			this.#warn(error, 'An interaction is left without a response');
		}
	}

	async #deferInTime(): Promise<void> {
		try {
			await this.#enqueue(async () => {
				if (this.#interaction.isFromMessage) await this.#first.acknowledge();
				else if (this.#first.state === 'pending') await this.#first.defer(false);
			});
		} catch (error) {
			this.#warn(error, 'An interaction could not be deferred');
		}
	}

	async #send(body: MessageBody, isPrivate: boolean): Promise<DiscordMessageLocation | undefined> {
		const { token, channel } = this.#interaction;
		if (Date.now() >= token.until) return undefined;
		try {
			const response = await this.#first.send(body, isPrivate);
			if (response) this.#latest = response.message;
			if (response || this.#first.state === 'expired') return response;
			const after = this.isBotAbsent ? undefined : { channel, message: this.#latest };
			const sent = await this.#api.followUp(token, body, isPrivate, after);
			this.#latest = sent.id;
			return { channel, message: sent.id, via: token, ...(isEphemeral(sent) && { private: true }) };
		} catch (error) {
			if (!(error instanceof DiscordAPIError && [401, 404].includes(error.status))) throw error;
			this.#warn(error, 'The token of an interaction has expired early');
			this.#first.expire();
			return undefined;
		}
	}

	#enqueue<Result>(task: () => Promise<Result>): Promise<Result> {
		const result = this.#queue.then(task);
		this.#queue = result.catch(() => {});
		return result;
	}

	#warn(error: unknown, message: string): void {
		this.#log.warn({ err: error, interaction: this.#interaction.id }, message);
	}
}

/** The responders of interactions that are being handled. */
export class ActiveResponders {
	readonly #byToken = new Map<string, InteractionResponder>();

	/** Handles an interaction, and ends its responder afterwards. */
	async during<Result>(responder: InteractionResponder, handle: () => Promise<Result>): Promise<Result> {
		const { token } = responder.token;
		this.#byToken.set(token, responder);
		try {
			return await handle();
		} finally {
			await responder.end();
			this.#byToken.delete(token);
		}
	}

	/** Acknowledges the interaction that gives access to a message: the private message of a pressed button is accessible only then. */
	async acknowledge({ via }: DiscordMessageLocation): Promise<void> {
		if (via) await this.#byToken.get(via.token)?.acknowledge();
	}
}
