import type { CallWithRetry } from '../../api/call-with-retry.ts';
import { readHistory } from '../../api/history.ts';
import type { MessageLocation } from '../../api/slack-message.ts';

/** Files are searched right after they were shared. The clocks of Slack and of this process differ by less than this. */
const SEARCHED_MS = 2 * 60_000;

/** Returns the `ts` of the message that holds a file, among the latest messages of a channel or thread; undefined if there is none. */
export async function findFileMessage(
	call: CallWithRetry,
	location: MessageLocation,
	file: string,
): Promise<string | undefined> {
	const oldest = ((Date.now() - SEARCHED_MS) / 1000).toFixed(6);
	const { messages } = await readHistory(call, location, { oldest });
	return (messages as { ts?: string; files?: { id?: string }[] }[]).find(({ files = [] }) =>
		files.some(({ id }) => id === file),
	)?.ts;
}
