import { LRUCache } from 'lru-cache';
import type { Reply } from '../../../../domain/channel.ts';
import type { Place } from '../../../../domain/place.ts';
import type { CallWithRetry } from '../../api/call-with-retry.ts';
import type { RateLimiter } from '../../api/rate-limits/rate-limiter.ts';
import { isOutcomeUnknown } from '../../api/slack-errors.ts';
import type { SlackMessage } from '../../api/slack-message.ts';
import type { Installations } from '../../installation/installation.ts';
import { type AgentSessions, threadKey } from './agent-sessions.ts';
import { findOpenStream } from './find-open-stream.ts';
import { byteLength, MAX_STREAM_BYTES, MAX_WAIT_MS, MessageStream } from './message-stream.ts';
import type { StopButtons } from './stop-buttons.ts';
import type { Recipient, StreamApi } from './stream-api.ts';
import { StreamStarter } from './stream-starter.ts';

/** After this, Slack has surely ended a stream. */
const DEAD_AFTER_MS = 10 * 60_000;
const MAX_STREAMS = 1000;
/** Updates that are left to answers that end. */
const RESERVED_UPDATES = 5;

/**
 * Where answers are streamed: everywhere, nowhere, or only in direct messages. In channels only the recipient sees a stream grow,
 * others see its beginning until it ends. https://docs.slack.dev/reference/methods/chat.startStream
 */
export type StreamMode = 'auto' | 'on' | 'off';

type StartedStream = {
	message: SlackMessage;
	/** The stream was started without the buttons of its reply, because Slack refuses them. */
	withoutButtons: boolean;
};

type StreamsOptions = {
	mode: StreamMode;
	api: StreamApi;
	call: CallWithRetry;
	limiter: RateLimiter;
	sessions: AgentSessions;
	stopButtons: StopButtons;
	installations: Installations;
	/** Milliseconds of a monotonic clock. */
	now?: () => number;
};

/** Messages that Slack shows while they are written. All calls for one message are made one after another. */
export class Streams {
	readonly #mode: StreamMode;
	readonly #api: StreamApi;
	readonly #starter: StreamStarter;
	readonly #call: CallWithRetry;
	readonly #limiter: RateLimiter;
	readonly #sessions: AgentSessions;
	readonly #stopButtons: StopButtons;
	readonly #installations: Installations;
	readonly #now: () => number;
	/** Open streams by message. */
	readonly #streams: LRUCache<string, MessageStream>;
	/** Threads in which a stream may have been started without an answer from Slack, with the time in Unix milliseconds. */
	readonly #unsureStarts = new LRUCache<string, number>({ max: MAX_STREAMS, ttl: DEAD_AFTER_MS });

	constructor(options: StreamsOptions) {
		this.#mode = options.mode;
		const { api, call, limiter, sessions, stopButtons, installations, now = () => performance.now() } = options;
		this.#api = api;
		this.#starter = new StreamStarter(api);
		this.#call = call;
		this.#limiter = limiter;
		this.#sessions = sessions;
		this.#stopButtons = stopButtons;
		this.#installations = installations;
		this.#now = now;
		this.#streams = new LRUCache({
			max: MAX_STREAMS,
			ttl: DEAD_AFTER_MS,
			ttlResolution: 0,
			perf: { now },
			dispose: (stream) => stream.release(),
		});
	}

	/**
	 * Starts a stream for a reply that is growing. Must be called for every such reply, because Slack's stop button is set up here.
	 *
	 * @param key what the message is found by once the stream has ended
	 * @returns undefined when the reply has to be posted instead: outside of threads, where the mode allows no streams, without a
	 * recipient, or when Slack refuses
	 */
	async start(
		place: Place,
		recipient: Recipient | undefined,
		reply: Reply,
		key: string,
	): Promise<StartedStream | undefined> {
		const { server, channel, thread } = place;
		const { growing, buttons = [] } = reply;
		if (growing === undefined || thread === undefined) return undefined;
		await this.#stopButtons.remember(place, buttons[0]);
		const isDirect = place.direct || channel.startsWith('D');
		if (this.#mode === 'off' || (this.#mode === 'auto' && !isDirect)) return undefined;
		if ((!isDirect && !recipient) || byteLength(growing) > MAX_STREAM_BYTES || this.#mustWait(server)) return undefined;
		const left = await this.#takeOver(place, reply, key);
		if (left) return { message: left, withoutButtons: false };
		const startedAt = Date.now();
		// It is disputed whether Slack draws its stop button in channels.
		const wanted = isDirect && this.#sessions.hasStopButton(place) ? [] : buttons;
		const location = { server, channel, thread };
		try {
			const { ts, shown } = await this.#starter.start(location, isDirect ? undefined : recipient, growing, wanted);
			const state = { sent: growing, hasButton: shown.length > 0, abandoned: false };
			const message = this.#add({ ...location, ts }, reply, key, state);
			return { message, withoutButtons: shown.length < wanted.length };
		} catch (error) {
			if (!isOutcomeUnknown(error)) return undefined;
			// The stream may exist: posting the reply would repeat it.
			this.#unsureStarts.set(threadKey(place), startedAt);
			const message = await this.#takeOver(place, reply, key);
			return message && { message, withoutButtons: false };
		}
	}

	/**
	 * Appends what is new in a reply, or ends the stream with a reply that is not growing. While the workspace is near its rate limit,
	 * growing replies are skipped; the final reply contains their text. Rejects when Slack cannot be reached.
	 *
	 * @returns false when the message has to be updated instead, such as one that was never a stream
	 */
	async write(message: SlackMessage, reply: Reply): Promise<boolean> {
		const isGrowing = reply.growing !== undefined;
		if (!isGrowing) void this.#sessions.active(message);
		if (isGrowing) void this.#stopButtons.remember(message, reply.buttons?.[0]);
		const stream = this.#streams.get(idOf(message));
		if (stream) return stream.write(reply);
		return isGrowing && this.#limiter.available(message.server, 'chat.update') <= RESERVED_UPDATES;
	}

	/** Ends a stream that another process left open, so that its message can be updated (`streaming_state_conflict`). */
	stop(message: SlackMessage, key: string): Promise<void> {
		return this.#api.stop(message, key);
	}

	/** Finds the stream of an unsure start in a thread. Its text is unknown, so that it is ended and its message updated. */
	async #takeOver(place: Place, reply: Reply, key: string): Promise<SlackMessage | undefined> {
		const thread = threadKey(place);
		const since = this.#unsureStarts.get(thread);
		if (since === undefined) return undefined;
		const found = await findOpenStream({ call: this.#call, installations: this.#installations }, place, since);
		this.#unsureStarts.delete(thread);
		return found && this.#add(found, reply, key, { sent: '', hasButton: true, abandoned: true });
	}

	#add(
		message: SlackMessage,
		reply: Reply,
		key: string,
		state: { sent: string; hasButton: boolean; abandoned: boolean },
	): SlackMessage {
		const id = idOf(message);
		const onEnd = (ended: MessageStream) => {
			if (this.#streams.peek(id) === ended) this.#streams.delete(id);
		};
		this.#streams.set(id, new MessageStream({ api: this.#api, message, key, reply, ...state, now: this.#now, onEnd }));
		return message;
	}

	#mustWait(server: string): boolean {
		const waits = [this.#api.waitMs(server, 'chat.startStream'), this.#api.waitMs(server, 'chat.stopStream')];
		return Math.max(...waits) > MAX_WAIT_MS;
	}
}

const idOf = ({ server, channel, ts }: SlackMessage) => `${server}:${channel}:${ts}`;
