import type { Channel } from '../../../../domain/channel.ts';
import type { SlackChannels } from '../../outbound/channels.ts';
import type { SlackRequester } from '../../outbound/slack-requester.ts';
import { threadOf } from '../place.ts';
import { isDirect, placeOf, type ReceivedMessage } from './message-event.ts';

/**
 * Returns the channel that a message is answered in.
 *
 * @param thread the thread to answer in; the channel by default
 */
export function replyChannel(
	channels: Pick<SlackChannels, 'channel'>,
	{ server, event, requester }: ReceivedMessage,
	thread: string | undefined,
	more: Pick<SlackRequester, 'needsDirectMessage'> = {},
): Channel {
	const reader = { ...requester, ...more };
	const channel = channels.channel(placeOf(server, event, thread), reader);
	if (threadOf(event) !== undefined || isDirect(event)) return channel;
	const parent = channels.channel(placeOf(server, event, undefined), reader);
	return {
		...channel,
		// A public thread begins with the message itself.
		openThread: async (title, options) =>
			options?.private ? parent.openThread(title, options) : channels.channel(placeOf(server, event, event.ts), reader),
		// Ephemeral messages are not shown in a thread that has no replies yet.
		// https://docs.slack.dev/reference/methods/chat.postEphemeral
		post: (reply, key, options) => (reply.visibility === 'private' ? parent : channel).post(reply, key, options),
	};
}
