import type { Log } from '../../../../log.ts';
import type { CallWithRetry } from '../../api/call-with-retry.ts';
import { fetchFileInfo } from './file-info.ts';
import type { SlackFile } from './slack-file.ts';

/** A mention is answered without its files rather than later. Unlisted apps may read one history a minute. */
const MAX_WAIT_MS = 3000;

type MessageWithFiles = {
	type: string;
	channel: string;
	ts: string;
	thread_ts?: string | undefined;
	files?: readonly SlackFile[] | undefined;
};

/** The files of messages and threads, with the fields that events may lack. If Slack does not return those, the files stay as they came. */
export class MessageFiles {
	readonly #call: CallWithRetry;
	readonly #log: Log;

	constructor({ call, log }: { call: CallWithRetry; log: Log }) {
		this.#call = call;
		this.#log = log;
	}

	async of(server: string, message: MessageWithFiles): Promise<readonly SlackFile[]> {
		const files = message.files ?? (message.type === 'app_mention' ? await this.#ofMention(server, message) : []);
		return Promise.all(files.map((file) => (file.mimetype ? file : this.#complete(server, file))));
	}

	/** An `app_mention` may lack the files of its message. https://github.com/slackapi/bolt-python/issues/925 */
	#ofMention(server: string, { channel, ts, thread_ts: thread = ts }: MessageWithFiles): Promise<readonly SlackFile[]> {
		// A thread's first message is always returned, whatever the range.
		const range = { channel, latest: ts, oldest: ts, inclusive: true, limit: 10 };
		const options = { maxWaitMs: MAX_WAIT_MS };
		return this.#unlessFailed([], async () => {
			const { messages = [] } =
				thread === ts
					? await this.#call(server, 'conversations.history', (client) => client.conversations.history(range), options)
					: await this.#call(
							server,
							'conversations.replies',
							(client) => client.conversations.replies({ ...range, ts: thread }),
							options,
						);
			const found = (messages as Partial<MessageWithFiles>[]).find((message) => message.ts === ts);
			return found?.files ?? [];
		});
	}

	/** Returns the first message of a thread; undefined when Slack does not return it soon. */
	first(server: string, channel: string, thread: string): Promise<Record<string, unknown> | undefined> {
		const range = { channel, ts: thread, latest: thread, inclusive: true, limit: 1 };
		return this.#unlessFailed(undefined, async () => {
			const { messages = [] } = await this.#call(
				server,
				'conversations.replies',
				(client) => client.conversations.replies(range),
				{ maxWaitMs: MAX_WAIT_MS },
			);
			return messages.find(({ ts }) => ts === thread) as Record<string, unknown> | undefined;
		});
	}

	#complete(server: string, file: SlackFile): Promise<SlackFile> {
		return this.#unlessFailed(file, () => fetchFileInfo(this.#call, server, file));
	}

	async #unlessFailed<Result>(fallback: Result, work: () => Promise<Result>): Promise<Result> {
		try {
			return await work();
		} catch (error) {
			this.#log.debug({ err: error }, 'The files of a message could not be looked up');
			return fallback;
		}
	}
}
