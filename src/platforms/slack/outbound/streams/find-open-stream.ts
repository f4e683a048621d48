import type { Place } from '../../../../domain/place.ts';
import type { CallWithRetry } from '../../api/call-with-retry.ts';
import { findMessage, isUnfinishedStream } from '../../api/history.ts';
import type { SlackMessage } from '../../api/slack-message.ts';
import type { Installations } from '../../installation/installation.ts';

/**
 * Returns the stream in a thread that the bot has not ended. There is at most one: answers are written one after another.
 *
 * @param since Unix milliseconds
 */
export async function findOpenStream(
	{ call, installations }: { call: CallWithRetry; installations: Installations },
	{ server, channel, thread }: Place,
	since: number,
): Promise<SlackMessage | undefined> {
	const self = await installations.of(server);
	const location = { server, channel, thread };
	const ts = await findMessage(call, location, since, (message) => isUnfinishedStream(message, self));
	return ts === undefined ? undefined : { ...location, ts };
}
