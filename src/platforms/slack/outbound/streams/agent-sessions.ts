import { LRUCache } from 'lru-cache';
import type { Place } from '../../../../domain/place.ts';
import { KeyedQueue } from '../../../../domain/queues.ts';
import type { Log } from '../../../../log.ts';
import type { CallWithRetry } from '../../api/call-with-retry.ts';
import { codeOf } from '../../api/slack-errors.ts';
import type { MessageLocation } from '../../api/slack-message.ts';
import type { People } from '../../people/people.ts';

/** Slack hides the status after a while, so that long answers have to set it again. */
const REPEAT_AFTER_MS = 60_000;
const MAX_THREADS = 1000;

/** How long a channel's refusal holds: the bot may be invited again. */
const REFUSAL_MS = 3600_000;
const MAX_CHANNELS = 1000;
const MAX_WORKSPACES = 1000;

/** Errors that hold for a whole workspace. https://docs.slack.dev/reference/methods/agents.sessions.setStatus */
const UNSUPPORTED: ReadonlySet<string> = new Set([
	...['feature_disabled', 'unknown_method', 'missing_scope', 'not_allowed_token_type'],
	...['method_deprecated', 'team_access_not_granted'],
]);

/** Errors that hold for one channel, such as one that the bot is not in. In direct messages, they hold for the workspace. */
const UNSUPPORTED_HERE: ReadonlySet<string> = new Set(['not_authorized', 'no_permission', 'access_denied']);

/** With this warning, Slack shows the status without a button. https://docs.slack.dev/reference/events/agent_session_stopped */
const NO_BUTTON = 'missing_agent_session_stopped_event_subscription';

/** The status of an agent's session, which has a stop button; else, where Slack has it, a line below the thread. */
const METHODS = ['agents.sessions.setStatus', 'assistant.threads.setStatus'] as const;

type ThreadStatus = { server: string; channel: string; thread: string; status: 'processing' | 'active' };

/**
 * Slack's own indicator that an answer is being written, in workspaces where the app has the agent feature. Answers do not depend on
 * it: a failure is only logged.
 */
export class AgentSessions {
	readonly #call: CallWithRetry;
	readonly #people: Pick<People, 'translator'>;
	readonly #log: Log;
	readonly #now: () => number;
	/** By workspace, the index of the first method that it has not refused. */
	readonly #methods = new LRUCache<string, number>({ max: MAX_WORKSPACES });
	/** The same by channel. */
	readonly #channelMethods: LRUCache<string, number>;
	/** By workspace, whether its sessions have a stop button. */
	readonly #withButton = new LRUCache<string, boolean>({ max: MAX_WORKSPACES });
	/** Threads in which an answer is being written, with the time of the last call, in milliseconds. */
	readonly #processing = new LRUCache<string, number>({ max: MAX_THREADS });
	/** Keeps the calls for a thread in order: the last one decides what Slack shows. */
	readonly #queue = new KeyedQueue();

	constructor(options: { call: CallWithRetry; people: Pick<People, 'translator'>; log: Log; now?: () => number }) {
		this.#call = options.call;
		this.#people = options.people;
		this.#log = options.log;
		this.#now = options.now ?? Date.now;
		const perf = { now: this.#now };
		this.#channelMethods = new LRUCache({ max: MAX_CHANNELS, ttl: REFUSAL_MS, ttlResolution: 0, perf });
	}

	/** Shows in a thread that an answer is being written. Does nothing outside of threads. */
	async processing({ server, channel, thread }: Place, user?: string): Promise<void> {
		if (thread === undefined) return;
		const key = threadKey({ server, channel, thread });
		const since = this.#processing.get(key);
		if (since !== undefined && this.#now() - since < REPEAT_AFTER_MS) return;
		this.#processing.set(key, this.#now());
		await this.#enqueue({ server, channel, thread, status: 'processing' }, user);
	}

	/** Ends the indicator of a thread, if this process shows one. */
	async active(location: MessageLocation): Promise<void> {
		if (location.thread !== undefined && this.#processing.has(threadKey(location))) await this.clear(location);
	}

	/** Ends the indicator of a thread, even if another process has shown it: Slack shows it for up to an hour. */
	async clear({ server, channel, thread }: MessageLocation): Promise<void> {
		if (thread === undefined) return;
		this.#processing.delete(threadKey({ server, channel, thread }));
		await this.#enqueue({ server, channel, thread, status: 'active' });
	}

	/** Returns whether a channel may have sessions, as far as is known. */
	maySupport({ server, channel }: MessageLocation): boolean {
		return this.#methodOf(server, channel) === 0;
	}

	/** Returns whether the sessions of a channel have Slack's stop button. Where it is drawn in channels is not documented. */
	hasStopButton(location: MessageLocation): boolean {
		return this.#withButton.get(location.server) === true && this.maySupport(location);
	}

	#enqueue(thread: ThreadStatus, user?: string): Promise<void> {
		return this.#queue.run(threadKey(thread), () => this.#setStatus(thread, user));
	}

	/** Tries the methods in their order, and remembers those that Slack refuses. */
	async #setStatus(thread: ThreadStatus, user?: string): Promise<void> {
		const { server, channel } = thread;
		for (let method = this.#methodOf(server, channel); method < METHODS.length; method++) {
			try {
				if (method === 0) await this.#setSessionStatus(thread, user);
				else await this.#setThreadStatus(thread, user);
				return;
			} catch (error) {
				if (!this.#isRefused(thread, method, codeOf(error))) {
					this.#log.debug({ err: error }, 'Slack does not show the status of an answer');
					return;
				}
			}
		}
	}

	#methodOf(server: string, channel: string): number {
		return Math.max(this.#methods.get(server) ?? 0, this.#channelMethods.get(`${server}:${channel}`) ?? 0);
	}

	/** Remembers a refusal, for the workspace or the channel. Returns false for other errors. */
	#isRefused({ server, channel }: ThreadStatus, method: number, code = ''): boolean {
		const isHere = UNSUPPORTED_HERE.has(code);
		if (!isHere && !UNSUPPORTED.has(code)) return false;
		// The workspace may still have a method that only this channel has refused.
		const isFirst = method === (this.#methods.get(server) ?? 0);
		if (!isFirst || (isHere && !channel.startsWith('D'))) this.#channelMethods.set(`${server}:${channel}`, method + 1);
		else this.#methods.set(server, method + 1);
		return true;
	}

	async #setSessionStatus({ server, channel, thread, status }: ThreadStatus, user?: string): Promise<void> {
		const { warning } = await this.#call(server, METHODS[0], (client) =>
			client.agents.sessions.setStatus({
				channel_id: channel,
				thread_ts: thread,
				status,
				...(user && { initiator_user_id: user }),
			}),
		);
		const hasButton = warning?.split(',').includes(NO_BUTTON) !== true;
		if (!hasButton && this.#withButton.get(server) !== false)
			this.#log.warn({ slack: warning }, 'Slack shows no stop button: the app lacks the event agent_session_stopped');
		this.#withButton.set(server, hasButton);
	}

	/** Slack hides this status by itself once a message is posted. */
	async #setThreadStatus({ server, channel, thread, status }: ThreadStatus, user?: string): Promise<void> {
		if (status !== 'processing') return;
		const t = this.#people.translator(server, user);
		await this.#call(server, METHODS[1], (client) =>
			client.assistant.threads.setStatus({ channel_id: channel, thread_ts: thread, status: t('slack.writing') }),
		);
	}
}

/** Names a thread in caches and in the store. */
export const threadKey = ({ server, channel, thread }: MessageLocation): string =>
	`${server}:${channel}:${thread ?? ''}`;
