import type { Keyv } from 'keyv';
import { LRUCache } from 'lru-cache';
import type { Button } from '../../../../domain/channel.ts';
import type { Log } from '../../../../log.ts';
import type { MessageLocation } from '../../api/slack-message.ts';
import { type AgentSessions, threadKey } from './agent-sessions.ts';

/** No answer takes longer. */
const TTL_MS = 3600_000;
const MAX_THREADS = 1000;

/**
 * The bot's stop buttons, which Slack's stop button presses, by thread. They are stored, because the press may be delivered to
 * another process than the one that writes the answer.
 */
export class StopButtons {
	readonly #keyv: Keyv;
	readonly #sessions: Pick<AgentSessions, 'maySupport'>;
	readonly #log: Log;
	/** The stored buttons, so that they are not stored again with every part of an answer. */
	readonly #stored = new LRUCache<string, string>({ max: MAX_THREADS });

	constructor(options: { keyv: Keyv; sessions: Pick<AgentSessions, 'maySupport'>; log: Log }) {
		this.#keyv = options.keyv;
		this.#sessions = options.sessions;
		this.#log = options.log;
	}

	/** Stores the stop button of an answer that is being written, where people may have Slack's stop button. */
	async remember(location: MessageLocation, stop: Button | undefined): Promise<void> {
		if (!stop || location.thread === undefined || !this.#sessions.maySupport(location)) return;
		const key = threadKey(location);
		if (this.#stored.get(key) === stop.id) return;
		try {
			await this.#keyv.set(keyOf(location), stop.id, TTL_MS);
			this.#stored.set(key, stop.id);
		} catch (error) {
			this.#log.warn({ err: error }, 'Slack’s stop button will not work for an answer');
		}
	}

	/** Returns the id of the button in a thread; undefined where no answer is being written. */
	find(location: MessageLocation): Promise<string | undefined> {
		return this.#keyv.get<string>(keyOf(location));
	}
}

const keyOf = (location: MessageLocation) => `stop:${threadKey(location)}`;
