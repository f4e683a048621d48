import { apiErrors, DiscordError } from './api/errors.ts';

/** The requests that a fault applies to. The path starts after `/api/v10`. */
export type Match = { method?: string; path?: RegExp };

export type Fault =
	/** Returns this error instead of handling the request. */
	| { answer: DiscordError }
	/** Handles the request, and then returns this error: a client that retries sends it twice. */
	| { answerAfter: DiscordError }
	/** Answers as a proxy before Discord does, such as Cloudflare: with a text in place of JSON. */
	| { proxy: { status: number; text?: string; headers?: Record<string, string> } }
	/** Reads the body when this resolves. */
	| { slow: Promise<void> }
	/** Closes the connection without a response. */
	| { disconnect: true }
	/** Handles the request, and closes the connection without a response. */
	| { disconnectAfter: true };

/** Faults of the REST API that a test switches on. */
export class Faults {
	readonly #active: { match: Match; fault: Fault; left: number }[] = [];

	/** @param times the number of matching requests that the fault applies to */
	add(match: Match, fault: Fault, times = 1): void {
		this.#active.push({ match, fault, left: times });
	}

	/** Adds a 5xx error, before or after the request is handled. */
	serverError(match: Match = {}, { status = 503, after = false, times = 1 } = {}): void {
		const answer = new DiscordError(status, 0, 'Service Unavailable');
		this.add(match, after ? { answerAfter: answer } : { answer }, times);
	}

	/** Delays the body of the next matching request until the returned function is called. */
	slow(match: Match = {}): () => void {
		const { promise, resolve } = Promise.withResolvers<void>();
		this.add(match, { slow: promise });
		return resolve;
	}

	/**
	 * Makes responses to interactions unknown before their token expires.
	 * https://github.com/discord/discord-api-docs/issues/6851
	 */
	loseResponses(times = Number.POSITIVE_INFINITY): void {
		this.add({ path: /^\/webhooks\// }, { answer: apiErrors.unknownWebhook() }, times);
	}

	/** Makes the tokens of interactions invalid before they expire. */
	expireTokens(times = Number.POSITIVE_INFINITY): void {
		this.add({ path: /^\/webhooks\// }, { answer: apiErrors.tokenExpired() }, times);
	}

	/** Removes all faults. */
	clear(): void {
		this.#active.length = 0;
	}

	/** Returns the fault for a request, and counts it. */
	take(method: string, path: string): Fault | undefined {
		const found = this.#active.find(
			({ match, left }) => left > 0 && (match.method ?? method) === method && (match.path?.test(path) ?? true),
		);
		if (found) found.left--;
		return found?.fault;
	}
}
