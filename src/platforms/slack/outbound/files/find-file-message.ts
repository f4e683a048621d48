import type { CallWithRetry } from '../../api/call-with-retry.ts';
import { findMessage } from '../../api/history.ts';
import type { MessageLocation } from '../../api/slack-message.ts';

/** Files are searched right after they were shared. */
const SEARCHED_MS = 60_000;

/** Returns the `ts` of the message that holds a file, among the latest messages of a channel or thread; undefined if there is none. */
export async function findFileMessage(
	call: CallWithRetry,
	location: MessageLocation,
	file: string,
): Promise<string | undefined> {
	return findMessage(call, location, Date.now() - SEARCHED_MS, ({ files = [] }) => files.some(({ id }) => id === file));
}
