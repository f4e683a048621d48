type OwnMessage = { app_id?: unknown; subtype?: unknown; ts?: unknown; files?: readonly { id?: unknown }[] };

/** https://docs.slack.dev/reference/events/message */
type OwnEvent = OwnMessage & { type?: unknown; channel?: unknown; message?: OwnMessage };

/** Waits for the message of a file. */
type Watch = { ts: Promise<string>; stop(): void };

/**
 * The events about messages of the bot, which Slack delivers like all others. They tell at once, and without a call that counts toward a
 * rate limit, where Slack has posted a file.
 */
export class OwnMessages {
	readonly #waiting = new Map<string, (ts: string) => void>();

	/** Returns whether the body of a delivery is such an event, which needs no further handling. Deletions do. */
	take(body: Record<string, unknown>): boolean {
		const event = body['event'] as OwnEvent | undefined;
		if (event?.type !== 'message') return false;
		const message = event.subtype === 'message_changed' ? event.message : event;
		// Slack may leave out the app of a message of files.
		for (const { id } of message?.files ?? []) this.#waiting.get(keyOf(event.channel, id))?.(String(message?.ts));
		return message?.app_id !== undefined && message.app_id === body['api_app_id'];
	}

	/** Waits until an event shows a file in a channel. Call it before the file is shared. */
	watch(channel: string, file: string): Watch {
		const key = keyOf(channel, file);
		const { promise, resolve } = Promise.withResolvers<string>();
		this.#waiting.set(key, resolve);
		return { ts: promise, stop: () => void this.#waiting.delete(key) };
	}
}

const keyOf = (channel: unknown, file: unknown) => `${channel}:${file}`;
