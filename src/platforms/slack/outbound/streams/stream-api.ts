import { webApi } from '@slack/bolt';
import type { Button } from '../../../../domain/channel.ts';
import type { Log } from '../../../../log.ts';
import { messageBlocksOf } from '../../api/blocks.ts';
import type { CallWithRetry } from '../../api/call-with-retry.ts';
import { metadataOf } from '../../api/message-metadata.ts';
import type { RateLimiter } from '../../api/rate-limits/rate-limiter.ts';
import { codeOf } from '../../api/slack-errors.ts';
import type { MessageLocation, SlackMessage } from '../../api/slack-message.ts';
import type { Web } from '../../api/web.ts';

/** The person that a stream is written for. Slack requires it outside of direct messages. */
export type Recipient = { user: string; team: string };

type StreamMethod = 'chat.startStream' | 'chat.appendStream' | 'chat.stopStream';

/** Errors of streams that have ended or are gone, so that there is nothing left to stop. */
const OVER: ReadonlySet<string> = new Set([
	...['message_not_in_streaming_state', 'stopped_by_user', 'message_not_found', 'channel_not_found'],
	...['message_not_owned_by_app', 'cant_update_message'],
]);

/**
 * The calls that start, extend and end streams. They are made once, because a repeated call would repeat the text. Errors are those
 * of the library. https://docs.slack.dev/reference/methods/chat.startStream
 */
export class StreamApi {
	readonly #web: Web;
	readonly #call: CallWithRetry;
	readonly #limiter: RateLimiter;
	readonly #log: Log;

	constructor(options: { web: Web; call: CallWithRetry; limiter: RateLimiter; log: Log }) {
		this.#web = options.web;
		this.#call = options.call;
		this.#limiter = options.limiter;
		this.#log = options.log;
	}

	/** Resolves when the rate limit allows a call. */
	turn(server: string, method: StreamMethod): Promise<void> {
		return this.#limiter.wait(server, method);
	}

	/** Returns the milliseconds until the rate limit allows a call. */
	waitMs(server: string, method: StreamMethod): number {
		return this.#limiter.delayMs(server, method);
	}

	/** Returns the `ts` of the new message. */
	start(
		{ server, channel, thread }: MessageLocation & { thread: string },
		recipient: Recipient | undefined,
		text: string,
		buttons: readonly Button[],
	): Promise<string> {
		return this.#callOnce(server, 'chat.startStream', async (client) => {
			const { ts } = await client.chat.startStream({
				channel,
				thread_ts: thread,
				...(recipient && { recipient_user_id: recipient.user, recipient_team_id: recipient.team }),
				chunks: [
					...(buttons.length > 0 ? [{ type: 'blocks' as const, blocks: blocksOf(buttons) }] : []),
					{ type: 'markdown_text', text },
				],
			});
			if (!ts) throw new Error('Slack started a stream without returning its ts');
			return ts;
		});
	}

	/** Appends text. */
	async append({ server, channel, ts }: SlackMessage, text: string): Promise<void> {
		await this.#callOnce(server, 'chat.appendStream', (client) =>
			client.chat.appendStream({ channel, ts, chunks: [{ type: 'markdown_text', text }] }),
		);
	}

	/**
	 * Appends the last text and ends the stream. Only here Slack accepts the key, by which the message can be found later.
	 *
	 * @returns the whole text of the message as Slack has it, if it says
	 */
	async finish(
		{ server, channel, ts }: SlackMessage,
		text: string,
		buttons: readonly Button[],
		key: string,
	): Promise<string | undefined> {
		const { message } = await this.#callOnce(server, 'chat.stopStream', (client) =>
			client.chat.stopStream({
				channel,
				ts,
				metadata: metadataOf(key),
				...(text !== '' && { chunks: [{ type: 'markdown_text', text }] }),
				...(buttons.length > 0 && { blocks: blocksOf(buttons) }),
			}),
		);
		return message?.text;
	}

	/** Ends a stream as it is, with retries. Rejects when it may still be open. */
	async stop({ server, channel, ts }: SlackMessage, key: string): Promise<void> {
		const stream = { channel, ts, metadata: metadataOf(key) };
		try {
			await this.#call(server, 'chat.stopStream', (client) => client.chat.stopStream(stream), { idempotent: true });
		} catch (error) {
			const code = codeOf(error);
			if (code === undefined) throw error;
			// After any other error, the update of the message shows whether the stream is still open.
			if (!OVER.has(code)) this.#log.warn({ slack: code }, 'A stream could not be ended');
		}
	}

	async #callOnce<Result>(
		server: string,
		method: StreamMethod,
		work: (client: webApi.WebClient) => Promise<Result>,
	): Promise<Result> {
		try {
			return await work(await this.#web.of(server));
		} catch (error) {
			if (error instanceof webApi.WebAPIRateLimitedError) this.#limiter.block(server, method, error.retryAfter * 1000);
			this.#log.debug({ err: error, slack: codeOf(error), method }, 'A stream was refused');
			throw error;
		}
	}
}

const blocksOf = (buttons: readonly Button[]) => messageBlocksOf('', [], buttons).blocks;
