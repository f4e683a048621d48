import { LRUCache } from 'lru-cache';
import type { Place } from '../../../../domain/place.ts';
import type { Log } from '../../../../log.ts';
import type { CallWithRetry } from '../../api/call-with-retry.ts';
import { codeOf } from '../../api/slack-errors.ts';
import type { MessageLocation } from '../../api/slack-message.ts';
import type { People } from '../../people/people.ts';

/** Slack hides the status after a while, so that long answers have to set it again. */
const REPEAT_AFTER_MS = 60_000;
const MAX_THREADS = 1000;

/** Errors that hold for a whole workspace. https://docs.slack.dev/reference/methods/agents.sessions.setStatus */
const UNSUPPORTED: ReadonlySet<string> = new Set([
	...['feature_disabled', 'not_authorized', 'unknown_method', 'missing_scope', 'not_allowed_token_type'],
	...['no_permission', 'access_denied', 'method_deprecated', 'team_access_not_granted'],
]);

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
	readonly #methods = new Map<string, number>();
	/** Workspaces that have shown a session. */
	readonly #withSessions = new Set<string>();
	/** Threads in which an answer is being written, with the time of the last call, in milliseconds. */
	readonly #processing = new LRUCache<string, number>({ max: MAX_THREADS });

	constructor(options: { call: CallWithRetry; people: Pick<People, 'translator'>; log: Log; now?: () => number }) {
		this.#call = options.call;
		this.#people = options.people;
		this.#log = options.log;
		this.#now = options.now ?? Date.now;
	}

	/** Shows in a thread that an answer is being written. Does nothing outside of threads. */
	async processing({ server, channel, thread }: Place, user?: string): Promise<void> {
		if (thread === undefined) return;
		const key = threadKey({ server, channel, thread });
		const since = this.#processing.get(key);
		if (since !== undefined && this.#now() - since < REPEAT_AFTER_MS) return;
		this.#processing.set(key, this.#now());
		await this.#setStatus({ server, channel, thread, status: 'processing' }, user);
	}

	/** Ends the indicator of a thread. Does nothing where none is shown. */
	async active({ server, channel, thread }: MessageLocation): Promise<void> {
		if (thread === undefined || !this.#processing.delete(threadKey({ server, channel, thread }))) return;
		await this.#setStatus({ server, channel, thread, status: 'active' });
	}

	/** Returns whether people have Slack's stop button in a workspace. */
	hasStopButton(server: string): boolean {
		return this.#withSessions.has(server) && (this.#methods.get(server) ?? 0) === 0;
	}

	/** Tries the methods in their order, and remembers those that the workspace refuses. */
	async #setStatus(thread: ThreadStatus, user?: string): Promise<void> {
		const { server } = thread;
		for (let method = this.#methods.get(server) ?? 0; method < METHODS.length; this.#methods.set(server, ++method)) {
			try {
				if (method === 0) await this.#setSessionStatus(thread, user);
				else await this.#setThreadStatus(thread, user);
				return;
			} catch (error) {
				const code = codeOf(error);
				if (code === undefined || !UNSUPPORTED.has(code)) {
					this.#log.debug({ err: error }, 'Slack does not show the status of an answer');
					return;
				}
			}
		}
	}

	async #setSessionStatus({ server, channel, thread, status }: ThreadStatus, user?: string): Promise<void> {
		await this.#call(server, METHODS[0], (client) =>
			client.agents.sessions.setStatus({
				channel_id: channel,
				thread_ts: thread,
				status,
				...(user && { initiator_user_id: user }),
			}),
		);
		this.#withSessions.add(server);
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
