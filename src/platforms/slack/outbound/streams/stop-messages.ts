import type { Button } from '../../../../domain/channel.ts';
import type { Place } from '../../../../domain/place.ts';
import type { Log } from '../../../../log.ts';
import { messageBlocksOf } from '../../api/blocks.ts';
import type { SlackApi } from '../../api/slack-api.ts';
import type { SlackMessage } from '../../api/slack-message.ts';
import type { People } from '../../people/people.ts';
import type { MessageIndex } from '../message-index.ts';

type StopMessagesOptions = { api: SlackApi; index: MessageIndex; people: Pick<People, 'translator'>; log: Log };

/**
 * The messages with the stop buttons of streams that cannot have buttons. They are recorded, so that after a crash the process that
 * ends the answer finds them. An answer does not depend on them: a failure is only logged.
 */
export class StopMessages {
	readonly #api: SlackApi;
	readonly #index: MessageIndex;
	readonly #people: Pick<People, 'translator'>;
	readonly #log: Log;

	constructor(options: StopMessagesOptions) {
		this.#api = options.api;
		this.#index = options.index;
		this.#people = options.people;
		this.#log = options.log;
	}

	/**
	 * Posts the buttons below a stream.
	 *
	 * @param key of the stream
	 */
	async post(
		{ server, channel, thread }: Place,
		buttons: readonly Button[],
		key: string,
		user?: string,
	): Promise<void> {
		const t = this.#people.translator(server, user);
		const record = { channel, ...(thread !== undefined && { thread }), since: Date.now() };
		try {
			await this.#index.announce(keyOf(key), record);
			const body = messageBlocksOf(t('slack.stopIntro'), [], buttons);
			const { ts } = await this.#api.post({ server, channel, thread }, body, keyOf(key));
			await this.#index.save(keyOf(key), { ...record, ts });
		} catch (error) {
			this.#log.warn({ err: error }, 'An answer has no stop button');
		}
	}

	/** Deletes the message of a stream, if it has one. */
	async remove({ server, thread }: SlackMessage, key: string): Promise<void> {
		if (thread === undefined) return;
		try {
			const record = await this.#index.find(keyOf(key));
			if (!record) return;
			const message = await this.#index.messageOf({ server }, keyOf(key));
			if (message) await this.#api.remove(message);
			await this.#index.forget(keyOf(key), { ...record, ...(message && { ts: message.ts }) });
		} catch (error) {
			this.#log.warn({ err: error }, 'The stop button of an answer could not be removed');
		}
	}
}

const keyOf = (key: string) => `${key}.stop`;
