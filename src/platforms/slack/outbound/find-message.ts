import type { CallWithRetry } from '../api/call-with-retry.ts';

/** So many of the last messages are looked through for a file. */
const LAST_MESSAGES = 20;

type Holder = { ts?: string; files?: { id?: string }[] };

/** Finds the message that a file is in, among the last ones of a place: Slack does not always say where it has shared one. */
export function createFindMessage(call: CallWithRetry) {
	return async (
		server: string,
		file: string,
		{ channel, thread }: { channel: string; thread?: string | undefined },
	) => {
		const { messages = [] } =
			thread === undefined
				? await call(
						server,
						'conversations.history',
						(client) => client.conversations.history({ channel, limit: LAST_MESSAGES }),
						{ idempotent: true },
					)
				: await call(
						server,
						'conversations.replies',
						(client) =>
							client.conversations.replies({
								channel,
								ts: thread,
								limit: LAST_MESSAGES,
								oldest: recently(),
								inclusive: true,
							}),
						{ idempotent: true },
					);
		const holds = ({ files = [] }: Holder) => files.some(({ id }) => id === file);
		return (messages as Holder[]).find(holds)?.ts;
	};
}

/** A minute ago, in the seconds that Slack counts by. */
const recently = () => (Date.now() / 1000 - 60).toFixed(6);
