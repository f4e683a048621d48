import { createCallWithRetry } from '../api/call-with-retry.ts';
import type { SlackServices } from '../inbound/services.ts';
import type { FileData } from '../inbound/uploads.ts';

/** What tells which files a message has. */
type Said = {
	type: string;
	channel: string;
	ts: string;
	thread_ts?: string | undefined;
	files?: readonly FileData[] | undefined;
};

/** The files of a message, with what is to be known of them before they are read. What can't be asked for is left as it came. */
export function createMessageFiles({ web, limiter, log }: Pick<SlackServices, 'web' | 'limiter' | 'log'>) {
	const call = createCallWithRetry({ web, limiter });

	async function quietly<Result>(otherwise: Result, work: () => Promise<Result>): Promise<Result> {
		try {
			return await work();
		} catch (error) {
			log.debug({ err: error }, 'The files of a message could not be asked for');
			return otherwise;
		}
	}

	/** A mention may come without the files of its message. https://github.com/slackapi/bolt-python/issues/925 */
	async function ofMention(
		server: string,
		{ channel, ts, thread_ts: thread = ts }: Said,
	): Promise<readonly FileData[]> {
		// The first message of a thread comes along, whatever is asked for.
		const range = { channel, latest: ts, oldest: ts, inclusive: true, limit: 10 };
		const { messages = [] } =
			thread === ts
				? await call(server, 'conversations.history', (client) => client.conversations.history(range))
				: await call(server, 'conversations.replies', (client) =>
						client.conversations.replies({ ...range, ts: thread }),
					);
		return (messages as (Pick<Said, 'files'> & { ts?: string })[]).find((message) => message.ts === ts)?.files ?? [];
	}

	/** In channels that are shared with other workspaces, it comes as an id alone. */
	async function whole(server: string, file: FileData): Promise<FileData> {
		const { file: found } = await call(server, 'files.info', (client) => client.files.info({ file: file.id }));
		return { ...file, ...(found as Partial<FileData> | undefined) };
	}

	return async (server: string, said: Said): Promise<readonly FileData[]> => {
		const files = said.files ?? (said.type === 'app_mention' ? await quietly([], () => ofMention(server, said)) : []);
		return Promise.all(
			files.map((file) => (file.mimetype ? file : quietly<FileData>(file, () => whole(server, file)))),
		);
	};
}
