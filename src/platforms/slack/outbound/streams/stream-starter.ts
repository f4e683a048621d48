import { LRUCache } from 'lru-cache';
import type { Button } from '../../../../domain/channel.ts';
import { codeOf } from '../../api/slack-errors.ts';
import type { MessageLocation } from '../../api/slack-message.ts';
import type { Recipient, StreamApi } from './stream-api.ts';

/** Errors of a start whose buttons Slack does not accept. https://docs.slack.dev/reference/methods/chat.startStream */
const BUTTONS_REFUSED: ReadonlySet<string> = new Set(['invalid_chunks', 'invalid_blocks']);

const MAX_WORKSPACES = 1000;

/** Starts streams; where Slack refuses their buttons, without them. */
export class StreamStarter {
	readonly #api: StreamApi;
	/** Workspaces that refuse buttons in streams. */
	readonly #refusesButtons = new LRUCache<string, true>({ max: MAX_WORKSPACES });

	constructor(api: StreamApi) {
		this.#api = api;
	}

	/**
	 * Starts a stream within the rate limit. Rejects as the library does.
	 *
	 * @returns the `ts` of its message, and the buttons that it shows
	 */
	async start(
		location: MessageLocation & { thread: string },
		recipient: Recipient | undefined,
		text: string,
		wanted: readonly Button[],
	): Promise<{ ts: string; shown: readonly Button[] }> {
		const { server } = location;
		const start = async (shown: readonly Button[]) => {
			await this.#api.turn(server, 'chat.startStream');
			return { ts: await this.#api.start(location, recipient, text, shown), shown };
		};
		if (wanted.length === 0 || this.#refusesButtons.has(server)) return start([]);
		try {
			return await start(wanted);
		} catch (error) {
			if (!BUTTONS_REFUSED.has(codeOf(error) ?? '')) throw error;
			const started = await start([]);
			this.#refusesButtons.set(server, true);
			return started;
		}
	}
}
