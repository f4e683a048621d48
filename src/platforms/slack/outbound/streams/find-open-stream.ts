import type { Place } from '../../../../domain/place.ts';
import type { CallWithRetry } from '../../api/call-with-retry.ts';
import { isUnfinishedStream, readHistory } from '../../api/history.ts';
import type { SlackMessage } from '../../api/slack-message.ts';
import type { Installations } from '../../installation/installation.ts';

/** The clocks of Slack and of this process differ by up to this much. */
const CLOCK_SKEW_MS = 60_000;

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
	const oldest = ((since - CLOCK_SKEW_MS) / 1000).toFixed(6);
	const { messages } = await readHistory(call, { server, channel, thread }, { oldest });
	const self = await installations.of(server);
	const found = messages.findLast((message) => isUnfinishedStream(message, self));
	return found?.ts === undefined ? undefined : { server, channel, ts: found.ts, thread };
}
