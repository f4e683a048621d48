import { DiscordError, error } from './errors.ts';

/** Which requests: all that fit. The path begins after `/api/v10`. */
export type Match = { method?: string; path?: RegExp };

/** What is done to a request instead of answering it rightly. */
export type Fault =
	/** Answers with this, having done nothing. */
	| { answer: DiscordError }
	/** Does it, and answers with this all the same: whoever asks again asks twice. */
	| { answerAfter: DiscordError }
	/** Reads the body only once this resolves. */
	| { slow: Promise<void> }
	/** Breaks the connection. */
	| { die: true };

export type Faults = ReturnType<typeof createFaults>;

/** Bad behaviour, by switch. Each fault hits so many of the coming requests that match, once when not said. */
export function createFaults() {
	const standing: { match: Match; fault: Fault; left: number }[] = [];

	function add(match: Match, fault: Fault, times = 1) {
		standing.push({ match, fault, left: times });
	}

	return {
		add,
		/** A 5xx, before or after the request is done. */
		serverError: (match: Match = {}, { status = 503, after = false, times = 1 } = {}) => {
			const answer = new DiscordError(status, 0, 'Service Unavailable');
			add(match, after ? { answerAfter: answer } : { answer }, times);
		},
		/** Bodies of matching requests arrive only when the returned function is called. */
		slow(match: Match = {}): () => void {
			const { promise, resolve } = Promise.withResolvers<void>();
			add(match, { slow: promise });
			return resolve;
		},
		/** Answers to interactions are not found though their time has not run out, as it happens now and then. */
		loseAnswers: (times = Number.POSITIVE_INFINITY) =>
			add({ path: /^\/webhooks\// }, { answer: error.unknownWebhook() }, times),
		/** Tokens of interactions are refused before their time. */
		killTokens: (times = Number.POSITIVE_INFINITY) =>
			add({ path: /^\/webhooks\// }, { answer: error.tokenExpired() }, times),
		/** From now on all goes well again. */
		clear: () => void standing.splice(0),
		take(method: string, path: string): Fault | undefined {
			const found = standing.find(
				({ match, left }) => left > 0 && (match.method ?? method) === method && (match.path?.test(path) ?? true),
			);
			if (found) found.left--;
			return found?.fault;
		},
	};
}
