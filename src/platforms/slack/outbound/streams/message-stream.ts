import { webApi } from '@slack/bolt';
import type { Reply } from '../../../../domain/channel.ts';
import type { SlackMessage } from '../../api/slack-message.ts';
import type { StreamApi } from './stream-api.ts';
import { hasMention, isSameText } from './stream-text.ts';

/**
 * UTF-8 bytes of one stream. Slack documents 12,000 characters for one call; streams have been observed to end at 10.6 to 11.3 kB in all.
 * https://docs.slack.dev/reference/methods/chat.appendStream
 */
export const MAX_STREAM_BYTES = 9000;
/** Slack ends a stream about five minutes after its start, even while it is written to. https://github.com/slackapi/node-slack-sdk/issues/2702 */
const MAX_AGE_MS = 4 * 60_000;
/** People who would wait longer for the next words get them by an update of the message. */
export const MAX_WAIT_MS = 3000;

export const byteLength = (text: string): number => Buffer.byteLength(text);

type MessageStreamOptions = {
	api: StreamApi;
	message: SlackMessage;
	/** What the message is found by once the stream has ended. */
	key: string;
	/** The reply that the stream was started with. */
	reply: Reply;
	/** The text that Slack surely has. */
	sent: string;
	/** The message shows a button of the bot, which only an update removes. */
	hasButton: boolean;
	/** Nothing is appended: the stream is ended, and the message updated. */
	abandoned: boolean;
	/** Milliseconds of a monotonic clock. */
	now: () => number;
	/** Called once when the stream has ended. */
	onEnd(stream: MessageStream): void;
};

/**
 * One message that grows by appended text. When an append is refused, may have failed, or cannot express the new text, the stream is
 * ended and the message is updated as a whole from then on, so that no text is lost or repeated.
 */
export class MessageStream {
	readonly #api: StreamApi;
	readonly #message: SlackMessage;
	readonly #key: string;
	readonly #hasButton: boolean;
	readonly #now: () => number;
	readonly #startedAt: number;
	readonly #onEnd: (stream: MessageStream) => void;
	#sent: string;
	#abandoned: boolean;
	#ended = false;
	/** The latest reply. Earlier ones that still wait are contained in it. */
	#latest: Reply;
	/** Serializes all calls. */
	#queue: Promise<unknown> = Promise.resolve();

	constructor({ api, message, key, reply, sent, hasButton, abandoned, now, onEnd }: MessageStreamOptions) {
		this.#api = api;
		this.#message = message;
		this.#key = key;
		this.#hasButton = hasButton;
		this.#now = now;
		this.#startedAt = now();
		this.#onEnd = onEnd;
		this.#sent = sent;
		this.#abandoned = abandoned;
		this.#latest = reply;
	}

	/** Appends what is new in a reply. Returns false when the message has to be updated instead. */
	write(reply: Reply): Promise<boolean> {
		this.#latest = reply;
		const written = this.#queue.then(() => !this.#ended && this.#step(reply));
		this.#queue = written.catch(() => {});
		return written;
	}

	/** Lets go of the stream without a call: Slack has ended it, or another object writes to its message. */
	release(): void {
		this.#ended = true;
	}

	async #step(reply: Reply): Promise<boolean> {
		if (this.#abandoned) return this.#abandon();
		if (reply.growing === undefined) return this.#finish(reply);
		// Appends everything up to now. If the final reply has come meanwhile, it brings the rest.
		const { growing } = this.#latest;
		return growing === undefined || this.#append(growing);
	}

	async #append(growing: string): Promise<boolean> {
		if (!growing.startsWith(this.#sent) || !this.#fits(growing)) return this.#abandon();
		const text = growing.slice(this.#sent.length);
		const { server } = this.#message;
		if (text === '' || this.#api.waitMs(server, 'chat.appendStream') > MAX_WAIT_MS) return true;
		await this.#api.turn(server, 'chat.appendStream');
		if (!this.#fits(growing)) return this.#abandon();
		try {
			await this.#api.append(this.#message, text);
			this.#sent = growing;
			return true;
		} catch (error) {
			// Nothing was appended, and soon it can be: the next reply brings this text as well.
			if (error instanceof webApi.WebAPIRateLimitedError && error.retryAfter * 1000 <= MAX_WAIT_MS) return true;
			return this.#abandon();
		}
	}

	/** Appends the rest of the text and the buttons. */
	async #finish({ text, buttons = [], pictures }: Reply): Promise<boolean> {
		const rest = text.slice(this.#sent.length);
		const canFinish = !this.#hasButton && !pictures && text.startsWith(this.#sent) && !hasMention(rest);
		if (!canFinish || !this.#fits(text)) return this.#abandon();
		await this.#api.turn(this.#message.server, 'chat.stopStream');
		try {
			const shown = await this.#api.finish(this.#message, rest, buttons, this.#key);
			this.#end();
			return isSameText(shown, text);
		} catch {
			return this.#abandon();
		}
	}

	/** Ends the stream as it is. Rejects when it may still be open; the next write tries again. */
	async #abandon(): Promise<false> {
		this.#abandoned = true;
		await this.#api.stop(this.#message, this.#key);
		this.#end();
		return false;
	}

	#end(): void {
		this.#ended = true;
		this.#onEnd(this);
	}

	#fits(text: string): boolean {
		return byteLength(text) <= MAX_STREAM_BYTES && this.#now() - this.#startedAt < MAX_AGE_MS;
	}
}
