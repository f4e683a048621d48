import type { DiscordMessageLocation } from '../api/message-location.ts';
import type { InteractionResponder } from './interaction-responder.ts';

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
